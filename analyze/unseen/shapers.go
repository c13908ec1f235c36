package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// shapers are the objects of an environment that edit or make others.
func (s *search) shapers(pair applied.Pair) []*loader.Object {
	if s.shaping == nil {
		s.shaping = map[*loader.Environment][]*loader.Object{}
	}
	list, known := s.shaping[pair.Head]
	if !known && pair.Head != nil {
		for _, o := range pair.Head.Objects {
			switch o.ID.Group {
			case "kyverno.io":
				known = shapes(o)
			default:
				known = o.ID.Group == "policies.kyverno.io" || o.ID.Group == "mutations.gatekeeper.sh" || o.ID.Group == "admissionregistration.k8s.io"
			}
			if known && Unattached(o.ID.Group, o.ID.Kind) {
				list = append(list, o)
			}
		}
		s.shaping[pair.Head] = list
	}
	return list
}

// shapedBy returns the labels that differ and that an object mentions which edits or makes others: it may do so for another
// object then (Kyverno, Match and Exclude).
func shapedBy(shapers []*loader.Object, before, after map[string]string) []string {
	var out []string
	for key := range union(before, after) {
		if before[key] != after[key] && slices.ContainsFunc(shapers, func(o *loader.Object) bool { return mentionsKey(o.Spec(), key) }) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

func union(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			out[key] = true
		}
	}
	return out
}

// mentionsKey reports whether a value has a key, or a text that contains it.
func mentionsKey(v *loader.Value, key string) bool {
	return v != nil && (v.Shape == loader.String && strings.Contains(v.Text, key) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return f.Key == key || mentionsKey(f.Value, key) }) ||
		slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return mentionsKey(item, key) }))
}
