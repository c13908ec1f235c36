package kustomize

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// originKey is a field that is written at the top of every object before a
// build and taken out after it. kustomize keeps fields that it does not know,
// and no patch touches this one.
const originKey = "gwplan.dev/origin"

// trace follows values through a build. Every scalar of a resource or patch is
// written with a line comment that holds its number; kustomize keeps comments
// with their values, through strategic-merge patches too. A place is believed
// only where the value that comes out equals the one that went in.
type trace struct {
	files []string
	index map[string]uint32
	nodes []node
	// roots are the numbers of the documents, charts those that charts gave.
	roots  []int
	charts map[int]bool
	// cut are the objects of which the build sees the names alone, by number.
	cut map[int]placedObject
}

// placedObject is an object with what places its values.
type placedObject struct {
	object *loader.Value
	place  deploy.Placing
}

// node is one value that went into the build.
type node struct {
	value *loader.Value
	mark  loader.Mark
	// parent is the node above, doc the root of the document; numbers count
	// from 1.
	parent, doc int
}

// NewTrace makes an empty one.
func NewTrace() *trace {
	return &trace{index: map[string]uint32{}, charts: map[int]bool{}, cut: map[int]placedObject{}}
}

// file numbers a file.
func (t *trace) file(name string) uint32 {
	if i, ok := t.index[name]; ok {
		return i
	}
	t.index[name] = uint32(len(t.files))
	t.files = append(t.files, name)
	return t.index[name]
}

// patches writes patches with marks.
func (t *trace) patches(docs []*loader.Value, place deploy.Placing) []byte {
	var e emit.Writer
	for _, doc := range docs {
		t.document(&e, doc, place)
	}
	return e.Buf.Bytes()
}

// objects writes objects with marks and origins, those of which the build needs no more
// without their bodies. Lists of objects are taken apart, which kustomize would do without
// their comments.
func (t *trace) objects(docs []*loader.Value, place deploy.Placing, stubs stubs) []byte {
	var e emit.Writer
	for _, doc := range docs {
		for _, object := range tree.Listed(doc) {
			stub, cut := stubs.of(object)
			t.document(&e, stub, place, withOrigin)
			if cut {
				t.cut[t.roots[len(t.roots)-1]] = placedObject{object: object, place: place}
			}
		}
	}
	return e.Buf.Bytes()
}

// number numbers the values of a document that is not written, and gives its own number.
func (t *trace) number(doc *loader.Value, place deploy.Placing) int {
	return t.adding(doc, place).doc
}

func (t *trace) adding(doc *loader.Value, place deploy.Placing) adding {
	a := adding{trace: t, place: place, numbers: map[*loader.Value]int{}, doc: len(t.nodes) + 1}
	a.add(doc, 0)
	t.roots = append(t.roots, a.doc)
	return a
}

// document numbers the values of a document and writes it.
func (t *trace) document(e *emit.Writer, doc *loader.Value, place deploy.Placing, dress ...func(*loader.Value, int) *loader.Value) {
	a := t.adding(doc, place)
	e.Mark = func(v *loader.Value) int { return a.numbers[v] }
	for _, f := range dress {
		doc = f(doc, a.doc)
	}
	e.Document(doc)
}

// withOrigin adds the number of an object's document.
func withOrigin(v *loader.Value, root int) *loader.Value {
	if v.Shape != loader.Map {
		return v
	}
	out := &loader.Value{Shape: loader.Map}
	for _, f := range v.Fields {
		if f.Key != originKey {
			out.Fields = append(out.Fields, f)
		}
	}
	number := &loader.Value{Shape: loader.Int, Text: strconv.Itoa(root)}
	out.Fields = append(out.Fields, loader.Field{Key: originKey, Value: number})
	return out
}

// adding numbers the values of one document.
type adding struct {
	trace   *trace
	place   deploy.Placing
	numbers map[*loader.Value]int
	doc     int
}

func (a *adding) add(v *loader.Value, parent int) {
	t := a.trace
	t.nodes = append(t.nodes, node{value: v, mark: a.place(v.Mark), parent: parent, doc: a.doc})
	n := len(t.nodes)
	a.numbers[v] = n
	for _, f := range v.Fields {
		a.add(f.Value, n)
	}
	for _, item := range v.Items {
		a.add(item, n)
	}
}

// inFile places the values of a file.
func (t *trace) inFile(name string) deploy.Placing {
	file := t.file(name)
	return func(m loader.Mark) loader.Mark {
		m.File = file
		return m
	}
}

// inText places the values of a text inside a file.
func (t *trace) inText(in inline) deploy.Placing {
	file := t.file(in.file)
	return func(m loader.Mark) loader.Mark {
		m = in.place(m)
		m.File = file
		return m
	}
}

// traced is one object that came out of a build.
type traced struct {
	Root *loader.Value
	// origin is the document that it was before, 0 for one that was generated.
	origin int
}

// read decodes the text of one object and gives its values their places; those
// without one have a zero Mark.
func (t *trace) read(object string, limits manifest.Limits) (traced, bool) {
	docs, problems := manifest.Parse([]byte(object), limits)
	if len(problems) > 0 || len(docs) != 1 || docs[0].Shape != loader.Map {
		return traced{}, false
	}
	out := traced{Root: docs[0]}
	out.Root.Fields, out.origin = t.takeOrigin(out.Root.Fields)
	if whole, cut := t.cut[out.origin]; cut && whole.object.Str("kind") == tree.CrdKind {
		out.Root = whole.object.Copy(func(v *loader.Value) { v.Mark = whole.place(v.Mark) })
		return out, true
	}
	r := reading{trace: t, lines: strings.Split(object, "\n"), origin: out.origin}
	r.value(out.Root)
	if out.origin > 0 {
		out.Root.Mark = t.nodes[out.origin-1].mark
	}
	return out, true
}

func (t *trace) takeOrigin(fields []loader.Field) ([]loader.Field, int) {
	for i, f := range fields {
		if f.Key != originKey {
			continue
		}
		n, err := strconv.Atoi(f.Value.Text)
		if err != nil || n < 1 || n > len(t.nodes) {
			n = 0
		}
		return append(fields[:i:i], fields[i+1:]...), n
	}
	return fields, 0
}

// reading places the values of one text.
type reading struct {
	trace  *trace
	lines  []string
	origin int
}

// value places a value and everything below, and tells which node it was.
func (r *reading) value(v *loader.Value) int {
	n := 0
	if tree.Nested(v) {
		n = r.above(v)
	} else {
		n = r.comment(v)
	}
	v.Mark = loader.Mark{}
	if n > 0 {
		v.Mark = r.trace.nodes[n-1].mark
	}
	return n
}

// comment finds the node of a value that stands on one line.
func (r *reading) comment(v *loader.Value) int {
	if v.Mark.Line == 0 || int(v.Mark.Line) > len(r.lines) {
		return 0
	}
	line := r.lines[v.Mark.Line-1]
	at := strings.LastIndex(line, emit.MarkComment)
	if at < 0 {
		return 0
	}
	n, err := strconv.Atoi(line[at+len(emit.MarkComment):])
	if err != nil || n < 1 || n > len(r.trace.nodes) || !loader.Equal(r.trace.nodes[n-1].value, v) {
		return 0
	}
	return n
}

// above finds the node of a map or list: the one above its values. Where they
// come from several documents, the object's own is the one.
func (r *reading) above(v *loader.Value) int {
	first, own := 0, 0
	look := func(child *loader.Value) {
		n := r.value(child)
		if n == 0 {
			return
		}
		parent := r.trace.nodes[n-1].parent
		if parent == 0 || r.trace.nodes[parent-1].value.Shape != v.Shape {
			return
		}
		if first == 0 {
			first = parent
		}
		if own == 0 && r.trace.nodes[parent-1].doc == r.origin {
			own = parent
		}
	}
	for _, f := range v.Fields {
		look(f.Value)
	}
	for _, item := range v.Items {
		look(item)
	}
	if own > 0 {
		return own
	}
	return first
}
