package analyze_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze"
)

// FuzzCompare compares any two files of manifests: nothing panics, equal input
// gives equal bytes, and a file does not differ from itself.
func FuzzCompare(f *testing.F) {
	for seed := range uint64(8) {
		w := newWorld(seed).populate()
		base := manifests(append(w.docs, directCRD()))
		w.edit()
		f.Add(base, manifests(append(w.docs, directCRD())))
	}
	f.Add("", "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g}\nspec: {listeners: [{}, null, 1]}")
	f.Add("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {parentRefs: [{}, {name: r, kind: HTTPRoute}], rules: [null, {backendRefs: [{port: x}]}]}",
		"apiVersion: x.dev/v1\nkind: XPolicy\nmetadata: {name: p}\nspec: {targetRefs: [{kind: gateway, name: g}, 1], default: 1, override: [2]}")
	o := options(f, testKinds)
	f.Fuzz(func(t *testing.T, base, head string) {
		plan := func(before, after string) *analyze.Plan {
			return analyze.Compare(snapshot(".", file{name: "a.yaml", text: before}), snapshot(".", file{name: "a.yaml", text: after}), o)
		}
		first := jsonText(plan(base, head))
		if again := jsonText(plan(base, head)); again != first {
			t.Errorf("equal input gives\n%s\nand\n%s", first, again)
		}
		if env := plan(head, head).Environments[0]; len(env.Changes)+len(env.PolicyChanges) > 0 {
			t.Errorf("a file differs from itself: %s", jsonText(env))
		}
		documents(o, snapshot(".", file{name: "a.yaml", text: base}), snapshot(".", file{name: "a.yaml", text: head}))
	})
}
