package config

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// text is the file as written. Values know the place of a scalar, not of its
// key, and a mistake in a key is to be shown at the key.
type text struct {
	file string
	data []byte
}

func (t *text) position(v *loader.Value) loader.Position {
	return loader.Position{File: t.file, Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// key is the place of a field's key. A map or list in a map has it; before a
// scalar it is looked for in the same line, and where it is not there (a block
// scalar, an escape, a value brought by a merge key) the value's place serves.
func (t *text) key(f loader.Field) loader.Position {
	at := t.position(f.Value)
	if f.Value.Shape == loader.Map || f.Value.Shape == loader.List {
		return at
	}
	line := []rune(t.line(at.Line))
	if at.Column < 1 || at.Column > len(line) {
		return at
	}
	// Where nothing is written for a value it has the place of its key.
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

// line is one line, counted from 1.
func (t *text) line(n int) string {
	rest := t.data
	for ; n > 1; n-- {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(line)
}

// field finds an entry of a map, or nil.
func field(v *loader.Value, key string) *loader.Field {
	fields := v.FieldList()
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}
