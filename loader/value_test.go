package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestGet(t *testing.T) {
	v := object(field("spec", object(field("name", str("x")), field("rules", list(str("a"))), field("n", num("1")), field("z", null()))))
	for name, tc := range map[string]struct {
		path []string
		want string
	}{
		"a string":             {[]string{"spec", "name"}, "x"},
		"no such key":          {[]string{"spec", "nome"}, ""},
		"through a scalar":     {[]string{"spec", "name", "more"}, ""},
		"through a list":       {[]string{"spec", "rules", "0"}, ""},
		"an int is not a text": {[]string{"spec", "n"}, ""},
	} {
		if got := v.Str(tc.path...); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	if got := v.List("spec", "rules"); len(got) != 1 || got[0].Text != "a" {
		t.Errorf("list: %v", got)
	}
	if got := v.List("spec", "name"); got != nil {
		t.Errorf("a string is not a list: %v", got)
	}
	if v.Get() != v {
		t.Error("the empty path is not the value itself")
	}
	var none *loader.Value
	if none.Get("a", "b") != nil || none.Str("a") != "" || none.List("a") != nil {
		t.Error("a nil Value has fields")
	}
}

func TestIsNullAndIsEmpty(t *testing.T) {
	for name, tc := range map[string]struct {
		v           *loader.Value
		null, empty bool
	}{
		"absent":       {nil, true, true},
		"null":         {null(), true, true},
		"empty string": {str(""), false, true},
		"string":       {str("x"), false, false},
		"empty map":    {object(), false, true},
		"map":          {object(field("a", null())), false, false},
		"empty list":   {list(), false, true},
		"list":         {list(null()), false, false},
		"zero":         {num("0"), false, false},
		"false":        {&loader.Value{Shape: loader.Bool, Text: "false"}, false, false},
	} {
		if tc.v.IsNull() != tc.null || tc.v.IsEmpty() != tc.empty {
			t.Errorf("%s: null %v, empty %v", name, tc.v.IsNull(), tc.v.IsEmpty())
		}
	}
}

func TestEqual(t *testing.T) {
	for a, left := range differing() {
		for b, right := range differing() {
			if loader.Equal(left, right) != (a == b) {
				t.Errorf("Equal(%s, %s) = %v", a, b, a != b)
			}
		}
	}
	if !loader.Equal(object(field("a", str("1")), field("b", str("2"))), object(field("b", str("2")), field("a", str("1")))) {
		t.Error("the order of keys counts")
	}
}
