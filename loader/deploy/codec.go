package deploy

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// This file encodes the results of builds for the cache between runs. Numbers are varints. Texts
// are preceded by their length.

// encoder appends encoded values to out.
type encoder struct{ out []byte }

func (e *encoder) number(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) text(s string) { e.number(len(s)); e.out = append(e.out, s...) }

func (e *encoder) flag(set bool) { e.out = append(e.out, map[bool]byte{true: 1}[set]) }

func (e *encoder) mark(m loader.Mark) {
	e.number(int(m.File))
	e.number(int(m.Line))
	e.number(int(m.Column))
}

func (e *encoder) position(p loader.Position) {
	e.text(p.File)
	e.number(max(p.Line, 0))
	e.number(max(p.Column, 0))
}

func (e *encoder) value(v *loader.Value) {
	if v == nil {
		e.number(math.MaxUint8)
		return
	}
	e.number(int(v.Shape))
	e.mark(v.Mark)
	e.flag(v.Defaulted)
	e.flag(v.Opaque)
	e.flag(v.Blank)
	switch v.Shape {
	case loader.Map:
		e.number(len(v.Fields))
		for _, f := range v.Fields {
			e.text(f.Key)
			e.value(f.Value)
		}
	case loader.List:
		e.number(len(v.Items))
		for _, item := range v.Items {
			e.value(item)
		}
	case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
		e.text(v.Text)
	}
}

func each[T any](e *encoder, list []T, write func(T)) {
	e.number(len(list))
	for _, item := range list {
		write(item)
	}
}

// declared writes an object of a build, which has no deployer yet.
func (e *encoder) declared(d Object) {
	for _, s := range []string{d.Group, d.Version, d.Kind, d.Namespace, d.Name} {
		e.text(s)
	}
	e.value(d.Root)
	each(e, d.Files, e.text)
	each(e, d.Listed, e.position)
	each(e, d.Inputs, e.position)
	e.text(d.origin)
	e.text(d.Frozen)
}

func (e *encoder) problem(p loader.Problem) {
	for _, s := range []string{string(p.Severity), p.Code, p.Message, p.Hint, p.Subject, p.Part} {
		e.text(s)
	}
	e.position(p.Position)
	e.text(p.Release)
	each(e, p.Environments, e.text)
}

func (e *encoder) gap(g loader.Gap) {
	e.text(g.Kind)
	e.text(g.Name)
	e.text(g.Namespace)
	e.id(g.By)
	e.position(g.Position)
	e.text(string(g.Content[:]))
	each(e, g.Roots, e.text)
	for _, text := range []string{g.Chart.Repository, g.Chart.Name, g.Chart.Version, g.Placing} {
		e.text(text)
	}
	e.value(g.Values)
	e.value(g.Options)
	e.position(g.ChartAt)
	e.flag(g.Rest)
	e.flag(g.Sourceless)
	each(e, g.Otherwise, func(o loader.Conditional) {
		e.id(o.ID)
		e.text(string(o.Content[:]))
	})
}

func (e *encoder) id(id loader.ID) {
	for _, text := range []string{id.Group, id.Kind, id.Namespace, id.Name} {
		e.text(text)
	}
}

// EncodeBuilt writes the result of a build.
func EncodeBuilt(b *Built) []byte {
	var e encoder
	each(&e, b.Objects, e.declared)
	each(&e, b.Problems, e.problem)
	each(&e, b.Gaps, e.gap)
	return e.out
}

// EncodeChart writes the output of a chart.
func EncodeChart(o chart.Output) []byte {
	var e encoder
	each(&e, o.Documents, func(d chart.Document) {
		e.text(d.Template)
		e.text(d.Path)
		e.value(d.Root)
	})
	each(&e, o.Problems, func(p chart.Problem) {
		e.text(p.Template)
		e.text(p.Path)
		e.text(p.Message)
		e.text(p.Output)
	})
	each(&e, o.Asks, func(a chart.Ask) {
		e.text(a.API)
		e.text(a.Function)
		each(&e, a.Kinds, func(k chart.Kind) {
			e.text(k.Group)
			e.text(k.Name)
		})
	})
	return e.out
}

// errCache means that the bytes cannot be decoded. Cache entries have a checksum, so the reason is
// that another version wrote them.
var errCache = errors.New("the entry of the cache is not readable")

// decoder reads values from in. After an error it returns zero values, and err is set.
type decoder struct {
	in  []byte
	err error
}

func (d *decoder) fail() { d.in, d.err = nil, errCache }

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.in)
	if size <= 0 || n > math.MaxInt32 {
		d.fail()
		return 0
	}
	d.in = d.in[size:]
	return int(n)
}

func (d *decoder) text() string {
	n := d.number()
	if n > len(d.in) {
		d.fail()
		return ""
	}
	s := string(d.in[:n])
	d.in = d.in[n:]
	return s
}

func (d *decoder) flag() bool {
	if len(d.in) == 0 {
		d.fail()
		return false
	}
	set := d.in[0] == 1
	d.in = d.in[1:]
	return set
}

func (d *decoder) mark() loader.Mark {
	return loader.Mark{File: uint32(d.number()), Line: uint32(d.number()), Column: uint32(d.number())}
}

func (d *decoder) position() loader.Position {
	return loader.Position{File: d.text(), Line: d.number(), Column: d.number()}
}

// count reads the length of a list. It cannot exceed the number of remaining bytes.
func (d *decoder) count() int {
	n := d.number()
	if n > len(d.in) {
		d.fail()
		return 0
	}
	return n
}

// maxCoded limits how deep values nest. The limit for manifests is lower.
const maxCoded = 1_000

func (d *decoder) value(depth int) *loader.Value {
	shape := d.number()
	if shape == math.MaxUint8 || d.err != nil {
		return nil
	}
	if shape > int(loader.List) || depth > maxCoded {
		d.fail()
		return nil
	}
	v := &loader.Value{Shape: loader.Shape(shape), Mark: d.mark(), Defaulted: d.flag(), Opaque: d.flag(), Blank: d.flag()}
	switch v.Shape {
	case loader.Map:
		n := d.count()
		v.Fields = make([]loader.Field, 0, min(n, 1024))
		for range n {
			v.Fields = append(v.Fields, loader.Field{Key: d.text(), Value: d.value(depth + 1)})
		}
	case loader.List:
		n := d.count()
		v.Items = make([]*loader.Value, 0, min(n, 1024))
		for range n {
			v.Items = append(v.Items, d.value(depth+1))
		}
	case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
		v.Text = d.text()
	}
	return v
}

func listOf[T any](d *decoder, read func() T) []T {
	n := d.count()
	if n == 0 {
		return nil
	}
	// The encoded length may be greater than the real one.
	out := make([]T, 0, min(n, 1024))
	for range n {
		out = append(out, read())
	}
	return out
}

func (d *decoder) root() *loader.Value { return d.value(0) }

func (d *decoder) declared() Object {
	out := Object{Group: d.text(), Version: d.text(), Kind: d.text(), Namespace: d.text(), Name: d.text(), Root: d.root()}
	out.Files, out.Listed, out.Inputs = listOf(d, d.text), listOf(d, d.position), listOf(d, d.position)
	out.origin, out.Frozen = d.text(), d.text()
	return out
}

func (d *decoder) problem() loader.Problem {
	return loader.Problem{
		Severity: loader.Severity(d.text()), Code: d.text(), Message: d.text(), Hint: d.text(), Subject: d.text(), Part: d.text(), Position: d.position(),
		Release: d.text(), Environments: listOf(d, d.text),
	}
}

func (d *decoder) id() loader.ID {
	return loader.ID{Group: d.text(), Kind: d.text(), Namespace: d.text(), Name: d.text()}
}

func (d *decoder) gap() loader.Gap {
	g := loader.Gap{Kind: d.text(), Name: d.text(), Namespace: d.text(), By: d.id(), Position: d.position()}
	if copy(g.Content[:], d.text()) != len(g.Content) {
		d.fail()
	}
	g.Roots = listOf(d, d.text)
	g.Chart, g.Placing = loader.RemoteChart{Repository: d.text(), Name: d.text(), Version: d.text()}, d.text()
	g.Values, g.Options, g.ChartAt, g.Rest, g.Sourceless = d.root(), d.root(), d.position(), d.flag(), d.flag()
	g.Otherwise = listOf(d, func() loader.Conditional {
		o := loader.Conditional{ID: d.id()}
		if copy(o.Content[:], d.text()) != len(o.Content) {
			d.fail()
		}
		return o
	})
	return g
}

// DecodeBuilt reads the result of a build.
func DecodeBuilt(data []byte) (*Built, error) {
	d := decoder{in: data}
	b := &Built{Objects: listOf(&d, d.declared), Problems: listOf(&d, d.problem), Gaps: listOf(&d, d.gap)}
	if d.err == nil && len(d.in) > 0 {
		d.fail()
	}
	return b, d.err
}

// DecodeChart reads the output of a chart.
func DecodeChart(data []byte) (chart.Output, error) {
	d := decoder{in: data}
	var o chart.Output
	o.Documents = listOf(&d, func() chart.Document { return chart.Document{Template: d.text(), Path: d.text(), Root: d.root()} })
	o.Problems = listOf(&d, func() chart.Problem {
		return chart.Problem{Template: d.text(), Path: d.text(), Message: d.text(), Output: d.text()}
	})
	o.Asks = listOf(&d, func() chart.Ask {
		return chart.Ask{API: d.text(), Function: d.text(), Kinds: listOf(&d, func() chart.Kind { return chart.Kind{Group: d.text(), Name: d.text()} })}
	})
	if d.err == nil && len(d.in) > 0 {
		d.fail()
	}
	return o, d.err
}
