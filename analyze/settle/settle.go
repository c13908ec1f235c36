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

// Spec turns a merged spec into what a target gets of it, nil for nothing. Each
// leaf of the result has the source of the value that it stands for.
type Spec func(spec *merge.Tree, at *hierarchy.Node) *merge.Tree

// Settling is what a kind makes of its merged specs: in words, which follow "it
// comes to", and as a function.
type Settling struct {
	Says string
	Spec Spec
}

var settlings = map[string]Settling{
	"istio-authorization-policy":   {"policies in the order in which a proxy asks them: CUSTOM, AUDIT, DENY, ALLOW", istioAuthorizationPolicy},
	"istio-envoy-filter":           {"policies by priority, the lowest first", istioEnvoyFilter},
	"istio-peer-authentication":    {"ports that are UNSET have the mode of the workload", istioPeerAuthentication},
	"istio-request-authentication": {"rules by issuer", istioRequestAuthentication},
	"istio-telemetry":              {"tracing by mode, access logs by mode and provider, metrics by provider, mode and metric", istioTelemetry},
	"istio-traffic-extension":      {"policies by phase (AUTHN, AUTHZ, STATS, none), then by priority, the highest first", istioTrafficExtension},
	"kgateway-listener-policy":     {"the settings of the listener's port, whole, else the default ones", kgatewayListenerPolicy},
}

// Words is the closed set of words, sorted.
func Words() []string { return slices.Sorted(maps.Keys(settlings)) }

// By is the settling of a word, the zero one for none.
func By(word string) Settling { return settlings[word] }

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

// orNil is a spec from which something was taken, nil if nothing is left.
func orNil(t *merge.Tree) *merge.Tree {
	if t == nil || len(t.Entries) == 0 {
		return nil
	}
	return t
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
