package deploy

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Placing turns a place in a text into one of the build's files.
type Placing func(loader.Mark) loader.Mark

// Everywhere gives a value and all below one place.
func Everywhere(v *loader.Value, at loader.Mark) *loader.Value {
	return Remarked(v, func(loader.Mark) loader.Mark { return at })
}

// Remarked gives a value and all below it other places.
func Remarked(v *loader.Value, place Placing) *loader.Value {
	return v.Copy(func(v *loader.Value) { v.Mark = place(v.Mark) })
}

// Literal says where the lines of a literal block scalar stand in its file: the
// line of its | and the width of its indentation.
func Literal(data []byte, body *loader.Value) (line, column uint32, ok bool) {
	lines := strings.Split(string(data), "\n")
	at := int(body.Mark.Line)
	if at == 0 || at > len(lines) {
		return 0, 0, false
	}
	head := []rune(lines[at-1])
	if c := int(body.Mark.Column); c == 0 || c > len(head) || head[c-1] != '|' {
		return 0, 0, false
	}
	for i, line := range strings.Split(body.Text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if at+i >= len(lines) {
			return 0, 0, false
		}
		raw := strings.TrimSuffix(lines[at+i], "\r")
		if indent := len(raw) - len(line); indent > 0 && strings.HasSuffix(raw, line) {
			return body.Mark.Line, uint32(indent), true
		}
		return 0, 0, false
	}
	return 0, 0, false
}
