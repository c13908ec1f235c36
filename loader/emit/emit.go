// Package emit writes values as unambiguous YAML: block style, quoted strings, no anchors, no
// tags. On request it writes the position of each value in a comment.
package emit

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// MarkComment begins the line comment that carries the position of a value through a build.
const MarkComment = " #gw:"

// Writer writes Values as unambiguous YAML: block style, quoted strings, no anchors, no
// tags. kustomize reads every file with references or objects in this form. So the gate, the
// limits and kustomize always interpret a file in the same way.
type Writer struct {
	Buf bytes.Buffer
	// Mark returns the number to write after a scalar or empty list or map; 0 for none. It
	// may be nil.
	Mark func(*loader.Value) int
}

// Plain writes one document without marks.
func Plain(v *loader.Value) []byte {
	var e Writer
	e.Document(v)
	return e.Buf.Bytes()
}

// Document writes one document and its separator.
func (e *Writer) Document(v *loader.Value) {
	if e.Buf.Len() > 0 {
		e.Buf.WriteString("---\n")
	}
	if !tree.Nested(v) {
		e.scalar(v)
		return
	}
	e.node(v, 0)
}

func (e *Writer) node(v *loader.Value, indent int) {
	pad := strings.Repeat(" ", indent)
	for _, f := range v.Fields {
		e.Buf.WriteString(pad + strconv.QuoteToASCII(f.Key) + ":")
		e.child(f.Value, indent)
	}
	for _, item := range v.Items {
		e.Buf.WriteString(pad + "-")
		e.child(item, indent)
	}
}

func (e *Writer) child(v *loader.Value, indent int) {
	if tree.Nested(v) {
		e.Buf.WriteByte('\n')
		e.node(v, indent+2)
		return
	}
	if v != nil && v.Blank { // a comment would be that of the key
		e.Buf.WriteByte('\n')
		return
	}
	e.Buf.WriteByte(' ')
	e.scalar(v)
}

func (e *Writer) scalar(v *loader.Value) {
	e.Buf.WriteString(scalarText(v))
	if e.Mark != nil && v != nil {
		if n := e.Mark(v); n > 0 {
			e.Buf.WriteString(MarkComment + strconv.Itoa(n))
		}
	}
	e.Buf.WriteByte('\n')
}

// scalarText returns the text of a value that fits on one line. The escapes of Go's ASCII
// quoting have the same meaning in YAML double quotes.
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
