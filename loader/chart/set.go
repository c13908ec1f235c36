package chart

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxKeys limits the number of keys in a path.
const maxKeys = 100

// KeysOf splits a path of Helm's --set into keys. It returns false for a path with lists or
// escapes.
func KeysOf(name string) ([]string, bool) {
	if strings.ContainsAny(name, `[]{}\,=`) || strings.Count(name, ".") >= maxKeys {
		return nil, false
	}
	return strings.Split(name, "."), true
}

// Typed returns the value that Helm's --set makes of a text: a boolean, null, an integer, a list {a,b} of such, or a
// string (helm pkg/strvals/parser.go, typedVal and valList). It returns false for a text that --set does not take as
// one value as it stands. A text with variables that are not filled in stays a string.
func Typed(v *loader.Value) (*loader.Value, bool) {
	text := v.Text
	if v.Opaque {
		return v, true
	}
	inner, list := strings.CutPrefix(text, "{")
	if !list {
		return typed(v, text), !strings.ContainsAny(text, `,\`)
	}
	inner, closed := strings.CutSuffix(inner, "}")
	if !closed || inner == "" || strings.ContainsAny(inner, `{}\`) {
		return v, false
	}
	out := &loader.Value{Shape: loader.List, Mark: v.Mark}
	for item := range strings.SplitSeq(inner, ",") {
		out.Items = append(out.Items, typed(v, item))
	}
	return out, true
}

// typed converts one text at the position of a value.
func typed(at *loader.Value, text string) *loader.Value {
	out := &loader.Value{Shape: loader.String, Text: text, Mark: at.Mark}
	switch {
	case strings.EqualFold(text, "true"), strings.EqualFold(text, "false"):
		out.Shape, out.Text = loader.Bool, strings.ToLower(text)
	case strings.EqualFold(text, "null"):
		out.Shape = loader.Null
	case text == "0":
		out.Shape = loader.Int
	case text != "" && text[0] != '0':
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			out.Shape, out.Text = loader.Int, strconv.FormatInt(n, 10)
		}
	}
	return out
}
