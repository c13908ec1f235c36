// Package settle holds what policy kinds make of their merged specs and no word
// of the catalogue says: one file for each kind, or for kinds that are alike,
// named after it. An entry names its function at merge.settle.
package settle

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Spec turns a merged spec into what a target gets of it. Neither is nil, and
// each leaf of the result has the source of the value that it stands for.
type Spec func(spec *merge.Tree, at *hierarchy.Node) *merge.Tree

// specs are the functions by the word that names them.
var specs = map[string]Spec{
	"istio-authorization-policy":   istioAuthorizationPolicy,
	"istio-envoy-filter":           istioEnvoyFilter,
	"istio-peer-authentication":    istioPeerAuthentication,
	"istio-request-authentication": istioRequestAuthentication,
	"istio-telemetry":              istioTelemetry,
	"istio-traffic-extension":      istioTrafficExtension,
}

// Words is the closed set of words, sorted.
func Words() []string { return slices.Sorted(maps.Keys(specs)) }

// By is the function of a word, nil for none.
func By(word string) Spec { return specs[word] }

// sorted gives a keyed list in another order; items that compare alike keep
// theirs.
func sorted(list *merge.Tree, compare func(a, b *merge.Tree) int) *merge.Tree {
	out := *list
	out.Entries = slices.Clone(list.Entries)
	slices.SortStableFunc(out.Entries, func(a, b merge.Entry) int { return compare(a.Tree, b.Tree) })
	return &out
}

// foreign ranks the policies of other namespaces than the target's behind its
// own.
func foreign(t *merge.Tree, at *hierarchy.Node) int {
	if t.Source == nil || t.Source.Object.ID.Namespace == at.Namespace() {
		return 0
	}
	return 1
}

// text is the scalar at a path, "" if there is none.
func text(t *merge.Tree, path string) string {
	if t = t.At(path); t == nil || t.Value == nil {
		return ""
	}
	return t.Value.Text
}

// whole is a value as its source wrote it, with all that is in it.
func whole(v *loader.Value, source *merge.Source) *merge.Tree {
	return merge.New(v, source, merge.Form{})
}
