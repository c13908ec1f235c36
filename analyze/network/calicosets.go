package network

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// global is the selector of namespaces that means what is in none.
const global = "global()"

// sets returns the addresses of the network sets that a selector, or one of namespaces alone, selects.
func (r *calicoReader) sets(v *loader.Value) []Peer {
	text := v.Str("selector")
	if text == "" && v.Str("namespaceSelector") == "" {
		return nil
	}
	return r.selected(r.selector(text), v)
}

// selected returns the addresses of the sets that an expression selects, in the namespaces of an end. A set of a namespace has the
// labels of one of its pods (libcalico-go lib/backend/syncersv1/updateprocessors/networksetprocessor.go).
func (r *calicoReader) selected(s expressionSelector, v *loader.Value) []Peer {
	var out []Peer
	for _, o := range r.source.sorted {
		if !slices.Contains(calicoGroups, o.ID.Group) || o.ID.Kind != "NetworkSet" && o.ID.Kind != "GlobalNetworkSet" {
			continue
		}
		l := inventory.Labels{Values: maps.Clone(o.Labels())}
		if l.Values == nil {
			l.Values = map[string]string{}
		}
		if o.ID.Kind == "NetworkSet" {
			l.Values[namespaceKey] = o.ID.Namespace
		}
		in := r.inNamespaces(o, v.Str("namespaceSelector")).And(s.Matches(l))
		if in == fact.False {
			continue
		}
		r.used = append(r.used, o.ID)
		for _, n := range r.networks(o.Spec().List("nets")) {
			if in == fact.Unknown {
				n = unknown{among: Peer{n}, why: "of a namespace whose labels are not known"}
			}
			out = append(out, Peer{n})
		}
	}
	return out
}

// inNamespaces reports whether a network set is where a rule looks: in the namespaces of a selector, or without one in that of the
// policy, which is every place for a GlobalNetworkPolicy.
func (r *calicoReader) inNamespaces(set *loader.Object, selector string) fact.Fact {
	own := r.object.ID.Namespace
	switch {
	case selector == "":
		return fact.Of(own == "" || set.ID.Namespace == own)
	case selector == global || set.ID.Namespace == "":
		return fact.Of(selector == global && set.ID.Namespace == "")
	case r.source.namespaces == nil:
		return fact.Unknown
	}
	return calicoNamespaces{r.selector(selector)}.selects(set.ID.Namespace, r.source.namespaces.NamespaceLabels(set.ID.Namespace))
}

// without narrows addresses by those that a rule excludes, and by the sets that it does not select (felix
// labelindex/named_port_index.go, which knows sets by their labels as pods).
func (r *calicoReader) without(sets []Peer, v *loader.Value) []Peer {
	var but []condition
	for _, n := range r.networks(v.List("notNets")) {
		but = append(but, not{n})
	}
	if text := v.Str("notSelector"); text != "" {
		for _, set := range r.selected(r.selector(text), v) {
			for _, n := range set {
				but = append(but, not{n})
			}
		}
	}
	out := make([]Peer, len(sets))
	for i, set := range sets {
		out[i] = append(slices.Clone(set), but...)
	}
	return out
}
