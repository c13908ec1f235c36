package chart

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

// A text becomes what Helm's --set makes of it, which is not what YAML says (helm pkg/strvals/parser_test.go).
func TestTyped(t *testing.T) {
	for text, want := range map[string]struct {
		shape loader.Shape
		value string
	}{
		"true": {loader.Bool, "true"}, "FALSE": {loader.Bool, "false"}, "yes": {loader.String, "yes"}, "null": {loader.Null, "null"}, "~": {loader.String, "~"},
		"0": {loader.Int, "0"}, "12": {loader.Int, "12"}, "-3": {loader.Int, "-3"}, "+3": {loader.Int, "3"}, "010": {loader.String, "010"}, "1.50": {loader.String, "1.50"}, "1e3": {loader.String, "1e3"},
		"0x10": {loader.String, "0x10"}, "": {loader.String, ""}, "a # b": {loader.String, "a # b"}, "a: b": {loader.String, "a: b"}, "[a]": {loader.String, "[a]"},
	} {
		got, whole := Typed(&loader.Value{Shape: loader.String, Text: text})
		if !whole || got.Shape != want.shape || got.Text != want.value {
			t.Errorf("%q: got %v %q (%t), want %v %q", text, got.Shape, got.Text, whole, want.shape, want.value)
		}
	}
	list, whole := Typed(&loader.Value{Shape: loader.String, Text: "{a,1,true, b}"})
	if !whole || list.Shape != loader.List || len(list.Items) != 4 || list.Items[1].Shape != loader.Int || list.Items[2].Shape != loader.Bool || list.Items[3].Text != " b" {
		t.Errorf("a list: got %+v (%t)", list, whole)
	}
	for _, text := range []string{"a,b=c", `a\,b`, "{a", "{}", "{a,{b}}"} {
		if _, whole := Typed(&loader.Value{Shape: loader.String, Text: text}); whole {
			t.Errorf("%q is taken as one value", text)
		}
	}
	if got, whole := Typed(&loader.Value{Shape: loader.String, Text: "${A},${B}", Opaque: true}); !whole || got.Text != "${A},${B}" {
		t.Errorf("a text with variables: got %q (%t)", got.Text, whole)
	}
}
