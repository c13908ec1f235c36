package config

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// text is the file as written. The mark of a scalar is not that of its key, but a mistake
// in a key is reported at the key, so the key is searched in the text.
type text struct {
	file string
	data []byte
}

func (t *text) position(v *loader.Value) loader.Position {
	return loader.Position{File: t.file, Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// key returns the position of a field's key. The mark of a map or list in a map is that of
// its key. For a scalar, the key is searched before it in the same line. Where it is not
// found (a block scalar, an escape, a value from a merge key) the value's position is used.
func (t *text) key(f loader.Field) loader.Position {
	at := t.position(f.Value)
	if f.Value.Shape == loader.Map || f.Value.Shape == loader.List {
		return at
	}
	line := []rune(t.line(at.Line))
	if at.Column < 1 || at.Column > len(line) {
		return at
	}
	// A null that is not written out has the mark of its key.
	if f.Value.Shape == loader.Null && strings.HasPrefix(unquoted(string(line[at.Column-1:])), f.Key) {
		return at
	}
	before := string(line[:at.Column-1])
	i := strings.LastIndex(before, f.Key)
	if i < 0 || !strings.HasPrefix(strings.TrimLeft(unquoted(before[i+len(f.Key):]), " \t"), ":") {
		return at
	}
	if i > 0 && strings.ContainsRune(`"'`, rune(before[i-1])) {
		i--
	}
	at.Column = utf8.RuneCountInString(before[:i]) + 1
	return at
}

func unquoted(s string) string { return strings.TrimLeft(s, `"'`) }

// line returns line n, counted from 1.
func (t *text) line(n int) string {
	rest := t.data
	for ; n > 1; n-- {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(line)
}

// field returns the entry of a map with a key, or nil.
func field(v *loader.Value, key string) *loader.Field {
	fields := v.FieldList()
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}
