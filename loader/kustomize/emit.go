package kustomize

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// markComment starts the line comment that carries a value's place through a
// build.
const markComment = " #gw:"

// emitter writes Values as YAML that leaves nothing to interpretation: block
// style, quoted strings, no anchors, no tags. kustomize reads only such text
// for whatever holds references or objects, so the gate, the limits and
// kustomize can never disagree about what a file says.
type emitter struct {
	buf bytes.Buffer
	// mark gives the number of a scalar or empty list or map; 0 is none. It may
	// be nil.
	mark func(*loader.Value) int
}

// emit writes one document without marks.
func emit(v *loader.Value) []byte {
	var e emitter
	e.document(v)
	return e.buf.Bytes()
}

// document writes one document and its separator.
func (e *emitter) document(v *loader.Value) {
	if e.buf.Len() > 0 {
		e.buf.WriteString("---\n")
	}
	if !tree.Nested(v) {
		e.scalar(v)
		return
	}
	e.node(v, 0)
}

func (e *emitter) node(v *loader.Value, indent int) {
	pad := strings.Repeat(" ", indent)
	for _, f := range v.Fields {
		e.buf.WriteString(pad + strconv.QuoteToASCII(f.Key) + ":")
		e.child(f.Value, indent)
	}
	for _, item := range v.Items {
		e.buf.WriteString(pad + "-")
		e.child(item, indent)
	}
}

func (e *emitter) child(v *loader.Value, indent int) {
	if tree.Nested(v) {
		e.buf.WriteByte('\n')
		e.node(v, indent+2)
		return
	}
	e.buf.WriteByte(' ')
	e.scalar(v)
}

func (e *emitter) scalar(v *loader.Value) {
	e.buf.WriteString(scalarText(v))
	if e.mark != nil && v != nil {
		if n := e.mark(v); n > 0 {
			e.buf.WriteString(markComment + strconv.Itoa(n))
		}
	}
	e.buf.WriteByte('\n')
}

// scalarText writes a value that fits on one line. Go's ASCII quoting uses only
// escapes that YAML's double quotes know, with the same meaning.
func scalarText(v *loader.Value) string {
	if v == nil {
		return "null"
	}
	switch v.Shape {
	case loader.Map:
		return "{}"
	case loader.List:
		return "[]"
	case loader.String:
		return strconv.QuoteToASCII(v.Text)
	case loader.Bool, loader.Int, loader.Float:
		return v.Text
	case loader.Null:
	}
	return "null"
}
