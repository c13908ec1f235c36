package merge_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// specs generates specs with few keys, so that they meet.
type specs struct{ *rand.Rand }

func (s specs) spec(depth int) any {
	switch n := s.IntN(9); {
	case depth == 0 || n < 3:
		return []any{"a", 1, true, nil, "b"}[s.IntN(5)]
	case n < 5:
		list := []any{}
		for range s.IntN(3) {
			list = append(list, map[string]any{"k": s.IntN(3), "x": s.spec(depth - 1)})
		}
		return list
	}
	return s.object(depth)
}

func (s specs) object(depth int) map[string]any {
	out := map[string]any{}
	for range s.IntN(4) {
		out[string(rune('p'+s.IntN(3)))] = s.spec(depth - 1)
	}
	return out
}

func (s specs) tree(t testing.TB, policy string, form merge.Form) *merge.Tree {
	t.Helper()
	data, err := json.Marshal(s.object(3))
	if err != nil {
		t.Fatal(err)
	}
	return tree(t, policy, string(data), form)
}

func lists() merge.Form {
	return merge.Form{Lists: []merge.List{{Path: "p", Key: "k"}, {Path: "q.r", Key: "k"}, {Path: "r", Concat: true}}}
}

func merging() []merge.Strategy {
	var out []merge.Strategy
	for _, a := range merge.Algorithms() {
		out = append(out, merge.Strategy{Algorithm: a, Units: []string{"p.*", "q"}})
	}
	return out
}

// holds checks the laws that every algorithm keeps.
func holds(t testing.TB, s merge.Strategy, winner, loser *merge.Tree) {
	t.Helper()
	if s.Merge(winner, nil) != winner || s.Merge(nil, winner) != winner || s.Merge(nil, nil) != nil {
		t.Fatalf("%s: an absent spec is not the identity", s.Algorithm)
	}
	before := [2]string{text(t, winner), text(t, loser)}
	merged := s.Merge(winner, loser)
	if after := [2]string{text(t, winner), text(t, loser)}; after != before {
		t.Fatalf("%s: merging changed %q to %q", s.Algorithm, before, after)
	}
	written := leaves(winner)
	for key := range leaves(loser) {
		written[key] = true
	}
	for key := range leaves(merged.Strip()) {
		if !written[key] && key.leaf != "{}" && key.leaf != "[]" {
			t.Fatalf("%s: %s over %s: leaf %v is of neither", s.Algorithm, before[0], before[1], key)
		}
	}
	if s.Algorithm == merge.Collect {
		return
	}
	if !merge.Equal(s.Merge(winner, winner), winner) {
		t.Fatalf("%s: %s merged with itself is %s", s.Algorithm, before[0], text(t, s.Merge(winner, winner)))
	}
	if !merge.Equal(s.Merge(winner, merged), merged) {
		t.Fatalf("%s: laying %s over %s twice changes it", s.Algorithm, before[0], before[1])
	}
}

type writtenLeaf struct {
	path, leaf string
	source     *merge.Source
}

// leaves are what is set where and by whom. What a null in another spec emptied
// counts as an empty map or list and is left to the caller.
func leaves(tree *merge.Tree) map[writtenLeaf]bool {
	out := map[writtenLeaf]bool{}
	tree.Walk(func(path []string, leaf *merge.Tree) {
		data, _ := json.Marshal(leaf.JSON())
		out[writtenLeaf{fmt.Sprint(path), string(data), leaf.Source}] = true
	})
	return out
}

func TestMergeLaws(t *testing.T) {
	for seed := range uint64(3000) {
		r := specs{rand.New(rand.NewPCG(seed, 0))}
		winner, loser := r.tree(t, "w", lists()), r.tree(t, "l", lists())
		for _, s := range merging() {
			holds(t, s, winner, loser)
		}
	}
}

// patch7396 is MergePatch of RFC 7396, section 2, written down once more.
func patch7396(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	if t, ok := target.(map[string]any); ok {
		for k, v := range t {
			out[k] = v
		}
	}
	for k, v := range p {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = patch7396(out[k], v)
		}
	}
	return out
}

// A patch and its target, the target without nulls, agree with the RFC.
func TestPatchAgreesWithRFC7396(t *testing.T) {
	for seed := range uint64(5000) {
		r := specs{rand.New(rand.NewPCG(seed, 1))}
		target, patch := patch7396(nil, r.object(3)), any(r.object(3))
		texts := [3]string{}
		for i, v := range []any{target, patch, patch7396(target, patch)} {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(data)
		}
		merged := merge.Strategy{Algorithm: merge.LeafWise}.Merge(
			tree(t, "patch", texts[1], merge.Form{}), tree(t, "target", texts[0], merge.Form{}))
		want := tree(t, "want", texts[2], merge.Form{})
		if got := text(t, merged.Strip()); got != text(t, want) {
			t.Fatalf("%s patched with %s: got %s, want %s", texts[0], texts[1], got, texts[2])
		}
	}
}

// FuzzMerge takes two specs and merges them in every way.
func FuzzMerge(f *testing.F) {
	for seed := range uint64(8) {
		r := specs{rand.New(rand.NewPCG(seed, 2))}
		a, _ := json.Marshal(r.object(3))
		b, _ := json.Marshal(r.object(3))
		f.Add(a, b)
	}
	f.Add([]byte(`{"p":[{"k":1},{"k":1},{"k":null},{}]}`), []byte(`{"p":[{"k":"1"}],"q":{"r":[{"k":1}]}}`))
	f.Add([]byte(`{"x":{"a":null}}`), []byte(`{"x":5}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		left, right := one(a), one(b)
		if left == nil || right == nil {
			return
		}
		winner, loser := merge.New(left, source("w"), lists()), merge.New(right, source("l"), lists())
		for _, s := range merging() {
			holds(t, s, winner, loser)
		}
	})
}

// one is the one map of a YAML text, or nil.
func one(data []byte) *loader.Value {
	values, problems := manifest.Parse(data, manifest.Limits{Depth: 20, AliasNodes: 100})
	if len(problems) > 0 || len(values) != 1 || values[0].Shape != loader.Map {
		return nil
	}
	return values[0]
}
