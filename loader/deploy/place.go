package deploy

import (
	"bytes"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Placing maps a mark in a text to a mark in the files of the build.
type Placing func(loader.Mark) loader.Mark

// Everywhere returns a copy of a value with the mark at on every value.
func Everywhere(v *loader.Value, at loader.Mark) *loader.Value {
	return Remarked(v, func(loader.Mark) loader.Mark { return at })
}

// Remarked returns a copy of a value with every mark mapped by place.
func Remarked(v *loader.Value, place Placing) *loader.Value {
	return v.Copy(func(v *loader.Value) { v.Mark = place(v.Mark) })
}

// Literal returns the position of a literal block scalar in its file: the line of its | and the
// width of its indentation. ok is false if there is no such block at the mark of body.
func Literal(data []byte, body *loader.Value) (line, column uint32, ok bool) {
	at := int(body.Mark.Line)
	if at == 0 {
		return 0, 0, false
	}
	for range at - 1 {
		_, after, more := bytes.Cut(data, []byte("\n"))
		if !more {
			return 0, 0, false
		}
		data = after
	}
	first, data, _ := bytes.Cut(data, []byte("\n"))
	head := []rune(string(first))
	if c := int(body.Mark.Column); c == 0 || c > len(head) || head[c-1] != '|' {
		return 0, 0, false
	}
	for line := range strings.SplitSeq(body.Text, "\n") {
		written, after, _ := bytes.Cut(data, []byte("\n"))
		data = after
		if strings.TrimSpace(line) == "" {
			continue
		}
		raw := strings.TrimSuffix(string(written), "\r")
		if indent := len(raw) - len(line); indent > 0 && strings.HasSuffix(raw, line) {
			return body.Mark.Line, uint32(indent), true
		}
		return 0, 0, false
	}
	return 0, 0, false
}
