package merge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// tree reads a spec, which some policy wrote.
func tree(t testing.TB, policy, spec string, form merge.Form) *merge.Tree {
	t.Helper()
	return merge.New(value(t, spec), source(policy), form)
}

func value(t testing.TB, text string) *loader.Value {
	t.Helper()
	if text == "null" {
		return &loader.Value{Shape: loader.Null} // a document that is null is none
	}
	values, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 || len(values) != 1 {
		t.Fatalf("%s: %d values, %v", text, len(values), problems)
	}
	return values[0]
}

func source(policy string) *merge.Source {
	return &merge.Source{Object: &loader.Object{ID: loader.ID{Kind: "P", Namespace: "ns", Name: policy}}, Role: merge.Default}
}

// text is a tree as compact JSON.
func text(t testing.TB, tree *merge.Tree) string {
	t.Helper()
	out, err := json.Marshal(tree.JSON())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The vectors of RFC 7396, appendix A: the patch is the winner. In one of them
// the target holds a null, which RFC 7396 keeps: here it is the patch of a
// policy, too, and deletes at the end of the fold.
func TestRFC7396AppendixA(t *testing.T) {
	patch := merge.Strategy{Algorithm: merge.LeafWise}
	for _, tt := range []struct{ original, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"a":1}`}, // RFC 7396: {"e":null,"a":1}
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		merged := patch.Merge(tree(t, "patch", tt.patch, merge.Form{}), tree(t, "original", tt.original, merge.Form{})).Strip()
		if got := text(t, merged); got != tt.want {
			t.Errorf("%s patched with %s: got %s, want %s", tt.original, tt.patch, got, tt.want)
		}
	}
}

// A merge patch is not associative where a null or another shape stands between
// two maps: only folding from the bottom up gives what the API says.
func TestPatchIsNotAssociative(t *testing.T) {
	patch := merge.Strategy{Algorithm: merge.LeafWise}
	higher, lower := tree(t, "higher", `{"x":{"a":1}}`, merge.Form{}), tree(t, "lower", `{"x":{"c":2}}`, merge.Form{})
	for _, middle := range []string{`{"x":5}`, `{"x":null}`} {
		m := tree(t, "middle", middle, merge.Form{})
		fromBelow := patch.Merge(higher, patch.Merge(m, lower)).Strip()
		if got, want := text(t, fromBelow), `{"x":{"a":1}}`; got != want {
			t.Errorf("%s: from the bottom up %s, want %s", middle, got, want)
		}
		if merge.Equal(fromBelow, patch.Merge(patch.Merge(higher, m), lower).Strip()) {
			t.Errorf("%s: both orders agree; folding prefixes would be safe", middle)
		}
	}
}

// What each algorithm makes of two specs.
func TestAlgorithms(t *testing.T) {
	const winner, loser = `{"a":{"x":1},"l":["w"],"s":"w"}`, `{"a":{"x":2,"z":2},"b":3,"l":["l"]}`
	for _, tt := range []struct {
		algorithm merge.Algorithm
		units     []string
		want      string
	}{
		{merge.None, nil, winner},
		{merge.Atomic, nil, winner},
		{merge.Top, nil, `{"a":{"x":1},"b":3,"l":["w"],"s":"w"}`},
		{merge.LeafWise, nil, `{"a":{"x":1,"z":2},"b":3,"l":["w"],"s":"w"}`},
		{merge.SMP, nil, `{"a":{"x":1,"z":2},"b":3,"l":["w"],"s":"w"}`},
		{merge.Units, []string{"a", "b"}, `{"a":{"x":1},"b":3,"l":["w"],"s":"w"}`},
		{merge.Named, []string{"a.*"}, `{"a":{"x":1,"z":2},"b":3,"l":["w"],"s":"w"}`},
		{merge.UnionOrReject, []string{"a.*"}, `{"a":{"x":1,"z":2},"b":3,"l":["w"],"s":"w"}`},
	} {
		s := merge.Strategy{Algorithm: tt.algorithm, Units: tt.units}
		got := text(t, s.Merge(tree(t, "w", winner, merge.Form{}), tree(t, "l", loser, merge.Form{})))
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.algorithm, got, tt.want)
		}
	}
}

// Keyed lists: order, inner fields, items without a key, and who set what.
func TestKeyedLists(t *testing.T) {
	form := merge.Form{Lists: []merge.List{{Path: "l", Key: "k"}, {Path: "c", Concat: true}}}
	for _, tt := range []struct{ name, winner, loser, want string }{
		{"a shared item keeps the loser's before it", `{"l":[{"k":"B"},{"k":"M"}]}`, `{"l":[{"k":"A"},{"k":"B"},{"k":"C"}]}`, "A:l B:w M:w C:l"},
		{"the winner's new items come before", `{"l":[{"k":"S"},{"k":"R"}]}`, `{"l":[{"k":"S"},{"k":"P"}]}`, "S:w R:w P:l"},
		{"nothing shared", `{"l":[{"k":"R"}]}`, `{"l":[{"k":"P"}]}`, "R:w P:l"},
		{"the winner's order", `{"l":[{"k":"B"},{"k":"A"}]}`, `{"l":[{"k":"A"},{"k":"B"}]}`, "B:w A:w"},
		{"numbers are keys", `{"l":[{"k":1}]}`, `{"l":[{"k":1},{"k":2}]}`, "1:w 2:l"},
	} {
		merged := merge.Strategy{Algorithm: merge.SMP}.Merge(tree(t, "w", tt.winner, form), tree(t, "l", tt.loser, form))
		var got []string
		for _, e := range merged.At("l").Entries {
			got = append(got, e.Key+":"+e.Tree.Get("k").Source.Object.ID.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %q, want %s", tt.name, got, tt.want)
		}
	}
	inner := merge.Strategy{Algorithm: merge.SMP}.Merge(
		tree(t, "w", `{"l":[{"k":"A","x":1}],"c":[1]}`, form), tree(t, "l", `{"l":[{"k":"A","x":2,"z":2}],"c":[1,2]}`, form))
	if got, want := text(t, inner), `{"c":[1,1,2],"l":[{"k":"A","x":1,"z":2}]}`; got != want {
		t.Errorf("inner fields and added lists: got %s, want %s", got, want)
	}
	replaced := merge.Strategy{Algorithm: merge.LeafWise}.Merge(
		tree(t, "w", `{"l":[{"k":"A"}]}`, form), tree(t, "l", `{"l":[{"k":"B"}]}`, form))
	if got, want := text(t, replaced), `{"l":[{"k":"A"}]}`; got != want {
		t.Errorf("a patch replaces lists: got %s, want %s", got, want)
	}
}

// A source is kept for every leaf, and a map that is one value is one leaf.
func TestSources(t *testing.T) {
	form := merge.Form{Whole: []string{"labels", "deep.*.labels"}}
	merged := merge.Strategy{Algorithm: merge.LeafWise}.Merge(
		tree(t, "w", `{"labels":{"a":1},"deep":{"one":{"labels":{"a":1}}},"x":{"b":null}}`, form),
		tree(t, "l", `{"labels":{"b":2},"deep":{"one":{"labels":{"b":2},"other":2}},"x":{"b":2,"c":{}}}`, form)).Strip()
	var got []string
	merged.Walk(func(path []string, leaf *merge.Tree) {
		got = append(got, fmt.Sprintf("%s=%s:%s", strings.Join(path, "."), text(t, leaf), leaf.Source.Object.ID.Name))
	})
	want := `deep.one.labels={"a":1}:w deep.one.other=2:l labels={"a":1}:w x.c={}:l`
	if strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// Paths: Put, At and Without agree, and none of them changes its receiver.
func TestPaths(t *testing.T) {
	spec := tree(t, "p", `{"a":{"b":1},"c":2}`, merge.Form{})
	put := spec.Put("a.n.m", tree(t, "q", `3`, merge.Form{}))
	for _, tt := range []struct{ got, want string }{
		{text(t, put), `{"a":{"b":1,"n":{"m":3}},"c":2}`},
		{text(t, put.At("a.n")), `{"m":3}`},
		{text(t, put.Without("a.b")), `{"a":{"n":{"m":3}},"c":2}`},
		{text(t, put.Without("a.none.x")), `{"a":{"b":1,"n":{"m":3}},"c":2}`},
		{text(t, put.At("c.x")), `null`},
		{text(t, spec), `{"a":{"b":1},"c":2}`},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}

// Who sets one of several names of a field sets them all, whatever the
// algorithm, and two that set different ones overlap.
func TestOneOf(t *testing.T) {
	spec := func(policy, text string) *merge.Tree { return tree(t, policy, text, merge.Form{}) }
	for _, algorithm := range []merge.Algorithm{merge.Top, merge.LeafWise, merge.SMP, merge.Units} {
		s := merge.Strategy{Algorithm: algorithm, OneOf: [][]string{{"a", "b.c"}}}
		for _, tt := range []struct{ winner, loser, want string }{
			{`{"a":1}`, `{"b":{"c":2,"d":3},"e":4}`, `{"a":1,"b":{"d":3},"e":4}`},
			{`{"b":{"c":2}}`, `{"a":1,"e":4}`, `{"b":{"c":2},"e":4}`},
			{`{"a":1}`, `{"b":{"c":2}}`, `{"a":1}`}, // nothing is left of what was around it
			{`{"a":1}`, `{"a":2}`, `{"a":1}`},
			{`{"e":1}`, `{"a":2}`, `{"a":2,"e":1}`},
		} {
			if got := text(t, s.Merge(spec("winner", tt.winner), spec("loser", tt.loser))); got != tt.want {
				t.Errorf("%s: %s over %s: got %s, want %s", algorithm, tt.winner, tt.loser, got, tt.want)
			}
		}
	}
	s := merge.Strategy{Algorithm: merge.UnionOrReject, Units: []string{"a", "b.c", "b.d"}, OneOf: [][]string{{"a", "b.c"}}}
	if !s.Overlap(spec("one", `{"a":1}`), spec("other", `{"b":{"c":2}}`)) {
		t.Error("two names of one field do not overlap")
	}
	if s.Overlap(spec("one", `{"a":1}`), spec("other", `{"b":{"d":2}}`)) {
		t.Error("two fields overlap")
	}
}
