package render

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
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
	// roots are the numbers of the documents.
	roots []int
}

// node is one value that went into the build.
type node struct {
	value *loader.Value
	mark  loader.Mark
	// parent is the node above, doc the root of the document; numbers count
	// from 1.
	parent, doc int
}

func newTrace() *trace { return &trace{index: map[string]uint32{}} }

// file numbers a file.
func (t *trace) file(name string) uint32 {
	if i, ok := t.index[name]; ok {
		return i
	}
	t.index[name] = uint32(len(t.files))
	t.files = append(t.files, name)
	return t.index[name]
}

// text writes documents with marks; objects get their origin as well, and lists
// of objects are taken apart, which kustomize would do without their comments.
func (t *trace) text(docs []*loader.Value, place func(loader.Mark) loader.Mark, objects bool) []byte {
	var e emitter
	for _, doc := range docs {
		numbers := map[*loader.Value]int{}
		e.mark = func(v *loader.Value) int { return numbers[v] }
		for _, object := range items(doc, objects) {
			root := t.add(object, place, numbers, len(t.nodes)+1, 0)
			if objects && object.Shape == loader.Map {
				object = withOrigin(object, root)
			}
			e.document(object)
		}
	}
	return e.buf.Bytes()
}

func items(doc *loader.Value, objects bool) []*loader.Value {
	if list := doc.Get("items"); objects && list != nil && list.Shape == loader.List && strings.HasSuffix(doc.Str("kind"), "List") {
		return list.Items
	}
	return []*loader.Value{doc}
}

func withOrigin(v *loader.Value, root int) *loader.Value {
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

func (t *trace) add(v *loader.Value, place func(loader.Mark) loader.Mark, numbers map[*loader.Value]int, doc, parent int) int {
	t.nodes = append(t.nodes, node{value: v, mark: place(v.Mark), parent: parent, doc: doc})
	n := len(t.nodes)
	numbers[v] = n
	if parent == 0 {
		t.roots = append(t.roots, n)
	}
	for _, f := range v.Fields {
		t.add(f.Value, place, numbers, doc, n)
	}
	for _, item := range v.Items {
		t.add(item, place, numbers, doc, n)
	}
	return n
}

// inFile places the values of a file.
func (t *trace) inFile(name string) func(loader.Mark) loader.Mark {
	file := t.file(name)
	return func(m loader.Mark) loader.Mark {
		m.File = file
		return m
	}
}

// inText places the values of a text inside a file.
func (t *trace) inText(in inline) func(loader.Mark) loader.Mark {
	file := t.file(in.file)
	return func(m loader.Mark) loader.Mark {
		m = in.place(m)
		m.File = file
		return m
	}
}

// traced is one object that came out of a build.
type traced struct {
	root *loader.Value
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
	out := traced{root: docs[0]}
	out.root.Fields, out.origin = t.takeOrigin(out.root.Fields)
	r := reading{trace: t, lines: strings.Split(object, "\n"), origin: out.origin}
	r.value(out.root)
	if out.origin > 0 {
		out.root.Mark = t.nodes[out.origin-1].mark
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
	if nested(v) {
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
	at := strings.LastIndex(line, markComment)
	if at < 0 {
		return 0
	}
	n, err := strconv.Atoi(line[at+len(markComment):])
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
