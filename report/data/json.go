// Package data writes documents as they are, as JSON and as YAML.
package data

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/gwplan/gwplan/report/outline"
)

// JSON writes a document as it is, shortened where it is too large. Readers may rely on arrays that are
// never null.
func JSON[T any](w io.Writer, doc *T, style outline.Style) error {
	return WriteJSON(w, Shortened(doc, style.Largest))
}

// WriteJSON is the only encoder of JSON and SARIF. It indents by two spaces, does not escape HTML,
// writes no null for an absent list or map, and escapes hidden characters. Nothing is written before all is encoded, so that a
// run that has no memory left writes no half of a document.
func WriteJSON(w io.Writer, doc any) error {
	var out pieces
	if err := out.add(reflect.ValueOf(doc), "", wholeBelow); err != nil {
		return err
	}
	out.text("\n")
	for _, piece := range append(out.full, out.last) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// escapeHidden escapes the hidden characters that encoding/json does not, and commands of a workflow
// log. In JSON output they occur only inside strings, where \u.... means the same.
func escapeHidden(s string) string {
	s = strings.ReplaceAll(s, outline.Inline, `#\u0023[`)
	special := func(r rune) bool { return r != '\n' && outline.Hidden(r) }
	if !strings.ContainsFunc(s, special) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if special(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// filled copies a value and makes every nil slice and map empty. Nil pointers and interfaces stay
// nil, because null has a meaning there.
func filled(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(filled(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(filled(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			// encoding/json does not write unexported fields.
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(filled(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(filled(v.Index(i)))
		}
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, filled(v.MapIndex(k)))
		}
		return out
	default:
		return v
	}
}
