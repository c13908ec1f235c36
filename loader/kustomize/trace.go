package kustomize

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// originKey is a field that is added to every object before a build and removed after it. Kustomize
// keeps unknown fields, and no patch changes this one.
const originKey = "gwplan.dev/origin"

// trace follows values through a build. Every scalar of a resource or patch is written with its number
// in a line comment, because kustomize keeps comments with their values, also in strategic-merge
// patches. A position is used only if the resulting value equals the original one.
type trace struct {
	files []string
	index map[string]uint32
	nodes []node
	// roots are the numbers of the documents, charts those of documents from charts.
	roots  []int
	charts map[int]bool
	// cut are the objects that the build reads in part, by number.
	cut map[int]placedObject
}

// placedObject is an object with the nodes that its values come from.
type placedObject struct {
	object *loader.Value
	place  deploy.Placing
	cut    cut
}

// node is one input value of the build.
type node struct {
	value *loader.Value
	mark  loader.Mark
	// parent is the enclosing node, doc the root of the document. Numbers start at 1.
	parent, doc int
}

// NewTrace returns an empty trace.
func NewTrace() *trace {
	return &trace{index: map[string]uint32{}, charts: map[int]bool{}, cut: map[int]placedObject{}}
}

// file returns the number of a file.
func (t *trace) file(name string) uint32 {
	if i, ok := t.index[name]; ok {
		return i
	}
	t.index[name] = uint32(len(t.files))
	t.files = append(t.files, name)
	return t.index[name]
}

// patches writes patches with numbered values.
func (t *trace) patches(docs []*loader.Value, place deploy.Placing) []byte {
	var e emit.Writer
	for _, doc := range docs {
		t.document(&e, doc, place)
	}
	return e.Buf.Bytes()
}

// objects writes objects with numbered values and origins, without the bodies that the build does not
// need. It splits lists of objects, because kustomize loses their comments when it does so.
func (t *trace) objects(docs []*loader.Value, place deploy.Placing, stubs stubs) []byte {
	var e emit.Writer
	for _, doc := range docs {
		for _, object := range tree.Listed(doc) {
			stub, cut := stubs.of(object)
			t.document(&e, stub, place, withOrigin)
			if cut != cutNothing {
				t.cut[t.roots[len(t.roots)-1]] = placedObject{object: object, place: place, cut: cut}
			}
		}
	}
	return e.Buf.Bytes()
}

// number numbers the values of a document that is not written, and returns the number of its root.
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

// withOrigin adds the number of the document to an object.
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

// inFile returns the positions of values in a file.
func (t *trace) inFile(name string) deploy.Placing {
	file := t.file(name)
	return func(m loader.Mark) loader.Mark {
		m.File = file
		return m
	}
}

// inText returns the positions of values in a text inside a file.
func (t *trace) inText(in gate.Inline) deploy.Placing {
	file := t.file(in.File)
	return func(m loader.Mark) loader.Mark {
		m = in.Place(m)
		m.File = file
		return m
	}
}

// traced is one resulting object of a build.
type traced struct {
	Root *loader.Value
	// origin is the number of its document, 0 for a generated object.
	origin int
}

// read decodes the text of one object and sets the positions of its values. A value without a known
// position has a zero Mark.
func (t *trace) read(object string, limits manifest.Limits) (traced, error) {
	docs, problems := manifest.Parse([]byte(object), limits)
	switch {
	case len(problems) > 0:
		return traced{}, errors.New(problems[0].Message)
	case len(docs) != 1 || docs[0].Shape != loader.Map:
		return traced{}, errors.New("it is no single map")
	}
	out := traced{Root: docs[0]}
	out.Root.Fields, out.origin = t.takeOrigin(out.Root.Fields)
	r := reading{trace: t, lines: strings.Split(object, "\n"), origin: out.origin}
	r.value(out.Root)
	if out.origin > 0 {
		out.Root.Mark = t.nodes[out.origin-1].mark
	}
	if o, cut := t.cut[out.origin]; cut {
		out.Root = o.whole(out.Root)
	}
	return out, nil
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

// reading sets the positions of the values of one text.
type reading struct {
	trace  *trace
	lines  []string
	origin int
}

// value sets the positions of a value and everything in it, and returns its node.
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

// comment returns the node of a value on one line, from its comment.
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

// above returns the node of a map or list, which encloses the nodes of its values. If these come from
// several documents, the object's own document counts.
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

// inChart converts positions in a rendered chart into positions in the build.
func (t *trace) inChart(in deploy.Inflated) deploy.Placing {
	return func(m loader.Mark) loader.Mark {
		if m.Line == 0 || int(m.File) >= len(in.Files) {
			return loader.Mark{}
		}
		m.File = t.file(in.Files[m.File])
		return m
	}
}
