package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func str(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }
func num(s string) *loader.Value { return &loader.Value{Shape: loader.Int, Text: s} }
func null() *loader.Value        { return &loader.Value{} }
func list(items ...*loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.List, Items: items}
}

func object(fields ...loader.Field) *loader.Value {
	return &loader.Value{Shape: loader.Map, Fields: fields}
}

func field(key string, v *loader.Value) loader.Field { return loader.Field{Key: key, Value: v} }

// differing are values of which no two are equal.
func differing() map[string]*loader.Value {
	return map[string]*loader.Value{
		"nil":                nil,
		"null":               null(),
		"empty string":       str(""),
		"string":             str("1"),
		"int":                num("1"),
		"float":              {Shape: loader.Float, Text: "1"},
		"bool":               {Shape: loader.Bool, Text: "true"},
		"string true":        str("true"),
		"empty map":          object(),
		"empty list":         list(),
		"list of one":        list(str("a")),
		"list of two":        list(str("a"), str("b")),
		"the other order":    list(str("b"), str("a")),
		"joined":             list(str("ab")),
		"list in list":       list(list(str("a"), str("b"))),
		"map":                object(field("a", str("b"))),
		"key and value move": object(field("ab", str(""))),
		"null in map":        object(field("a", null())),
		"two fields":         object(field("a", str("b")), field("c", str("d"))),
		"nested":             object(field("a", object(field("b", object(field("c", str("d"))))))),
		"less nested":        object(field("a", object(field("b", object()), field("c", str("d"))))),
	}
}

func TestDigestTellsValuesApart(t *testing.T) {
	seen := map[[16]byte]string{}
	for name, v := range differing() {
		sum := loader.Digest(loader.ID{Kind: "K"}, v)
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[sum] = name
	}
}

func TestDigestTellsIdentitiesApart(t *testing.T) {
	v := object(field("spec", str("x")))
	seen := map[[16]byte]loader.ID{}
	for _, id := range []loader.ID{
		{Kind: "K", Name: "n"},
		{Group: "K", Name: "n"},
		{Kind: "K", Namespace: "n"},
		{Group: "g", Kind: "K", Name: "n"},
		{Kind: "Kn"},
		{Group: "gK", Name: "n"},
	} {
		sum := loader.Digest(id, v)
		if other, ok := seen[sum]; ok {
			t.Errorf("%v and %v have the same digest", id, other)
		}
		seen[sum] = id
	}
}

func TestDigestIgnoresWhatDoesNotCount(t *testing.T) {
	plain := object(
		field("b", list(num("1"), object(field("y", str("2")), field("x", str("1"))))),
		field("a", str("v")),
	)
	other := object(
		field("a", &loader.Value{Shape: loader.String, Text: "v", Defaulted: true, Mark: loader.Mark{File: 1, Line: 2, Column: 3}}),
		field("b", list(num("1"), object(field("x", str("1")), field("y", str("2"))))),
	)
	if !loader.Equal(plain, other) {
		t.Fatal("the two values are not Equal; the case is wrong")
	}
	id := loader.ID{Kind: "K", Name: "n"}
	if loader.Digest(id, plain) != loader.Digest(id, other) {
		t.Error("marks, key order or Defaulted changed the digest")
	}
}

// TestDigestStreams puts the differing text far behind the buffer.
func TestDigestStreams(t *testing.T) {
	long := func(last string) *loader.Value {
		var items []*loader.Value
		for range 5000 {
			items = append(items, str("0123456789"))
		}
		return list(append(items, str(last))...)
	}
	id := loader.ID{Kind: "K"}
	if loader.Digest(id, long("a")) == loader.Digest(id, long("b")) {
		t.Error("the end of a long value does not count")
	}
	if first, second := loader.Digest(id, long("a")), loader.Digest(id, long("a")); first != second {
		t.Error("the digest is not stable")
	}
}

func TestDigestAllocates(t *testing.T) {
	v := object(field("b", object(field("y", str("2")), field("x", str("1")))), field("a", str("v")))
	got := testing.AllocsPerRun(100, func() { loader.Digest(loader.ID{Kind: "K"}, v) })
	if got > 6 {
		t.Errorf("%v allocations a digest, want at most 6", got)
	}
}

func BenchmarkDigest(b *testing.B) {
	var rules []*loader.Value
	for range 8 {
		rules = append(rules, object(field("name", str("rule")), field("weight", num("1")),
			field("backendRefs", list(object(field("name", str("svc")), field("port", num("80")))))))
	}
	v := object(field("kind", str("HTTPRoute")), field("spec", object(field("rules", list(rules...)))))
	b.ReportAllocs()
	for b.Loop() {
		loader.Digest(loader.ID{Kind: "HTTPRoute", Name: "r"}, v)
	}
}
