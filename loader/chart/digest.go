package chart

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// Bare returns the chart without its default values.
func (c *Chart) Bare() *Chart {
	out := *c
	out.files = nil
	for _, f := range c.files {
		if f.Name != "values.yaml" {
			out.files = append(out.files, f)
		}
	}
	out.files = append(out.files, File{Name: "values.yaml", Data: []byte("{}\n")})
	return &out
}

// Digest identifies the output of a release, including positions.
func (c *Chart) Digest(r Release) [sha256.Size]byte {
	h := sha256.New()
	count(h, len(c.files))
	for _, f := range c.files {
		write(h, f.Name, string(f.Data))
	}
	count(h, len(c.elsewhere))
	for _, e := range c.elsewhere {
		write(h, e.below, e.at)
	}
	write(h, r.Name, r.Namespace)
	write(h, strconv.FormatBool(r.CRDs), strconv.FormatBool(r.Upgrade))
	count(h, len(r.APIs))
	write(h, r.APIs...)
	count(h, len(r.Values.Files))
	for _, f := range r.Values.Files {
		write(h, f)
	}
	value(h, r.Values.Root)
	return [sha256.Size]byte(h.Sum(nil))
}

func write(h hash.Hash, texts ...string) {
	for _, text := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		h.Write(n[:])
		h.Write([]byte(text))
	}
}

func value(h hash.Hash, v *loader.Value) {
	if v == nil {
		count(h, -1)
		return
	}
	var n [16]byte
	n[0] = byte(v.Shape)
	binary.BigEndian.PutUint32(n[4:], v.Mark.File)
	binary.BigEndian.PutUint32(n[8:], v.Mark.Line)
	binary.BigEndian.PutUint32(n[12:], v.Mark.Column)
	h.Write(n[:])
	write(h, v.Text)
	count(h, len(v.Fields))
	for _, f := range v.Fields {
		write(h, f.Key)
		value(h, f.Value)
	}
	count(h, len(v.Items))
	for _, item := range v.Items {
		value(h, item)
	}
}

func count(h hash.Hash, n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}
