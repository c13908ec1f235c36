package loader

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strings"
)

// Digest identifies the content of an object: its identity and its value, as [Equal] compares it.
// Marks, the order of keys and whether a value was defaulted are ignored. The identity is included
// because two policies with equal specs must not count as one.
func Digest(id ID, v *Value) [16]byte {
	d := digester{hash: sha256.New(), buf: make([]byte, 0, flushAt+flushAt/8)}
	for _, s := range [...]string{id.Group, id.Kind, id.Namespace, id.Name} {
		d.text(s)
	}
	d.value(v)
	d.hash.Write(d.buf)
	sum := d.hash.Sum(d.buf[:0])
	return [16]byte(sum[:16])
}

const (
	flushAt = 2048
	// absent encodes a nil Value; shapes are small numbers.
	absent = 0xff
)

// digester streams a canonical encoding. Every part is prefixed with its length, so different
// values have different encodings.
type digester struct {
	hash hash.Hash
	buf  []byte
	// order is a stack of field indexes, shared by the nested maps that are being encoded.
	order []int
}

func (d *digester) value(v *Value) {
	if v == nil {
		d.buf = append(d.buf, absent)
		return
	}
	d.buf = append(d.buf, byte(v.Shape))
	switch v.Shape {
	case Map:
		d.fields(v.Fields)
	case List:
		d.buf = binary.AppendUvarint(d.buf, uint64(len(v.Items)))
		for _, item := range v.Items {
			d.value(item)
		}
	case Null, Bool, Int, Float, String:
		d.text(v.Text)
	}
}

func (d *digester) fields(fields []Field) {
	d.buf = binary.AppendUvarint(d.buf, uint64(len(fields)))
	from := len(d.order)
	for i := range fields {
		d.order = append(d.order, i)
	}
	slices.SortFunc(d.order[from:], func(a, b int) int {
		return strings.Compare(fields[a].Key, fields[b].Key)
	})
	for i := range fields {
		// Read by index: deeper maps may reallocate the stack.
		f := &fields[d.order[from+i]]
		d.text(f.Key)
		d.value(f.Value)
	}
	d.order = d.order[:from]
}

func (d *digester) text(s string) {
	d.buf = binary.AppendUvarint(d.buf, uint64(len(s)))
	d.buf = append(d.buf, s...)
	if len(d.buf) >= flushAt {
		d.hash.Write(d.buf)
		d.buf = d.buf[:0]
	}
}
