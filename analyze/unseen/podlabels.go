package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// podLabels returns the changed keys in the values of a chart that are labels by which network policies of the environment
// select pods: the chart may give them to its pods.
func podLabels(pair applied.Pair, before, after *loader.Value) []string {
	changed := map[string]bool{}
	changedKeys(before, after, changed)
	if len(changed) == 0 {
		return nil
	}
	var out []string
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		if env == nil {
			continue
		}
		for _, o := range env.Workloads {
			if network.IsPolicy(o.ID) {
				selectedLabels(o.Root, func(label string) {
					if changed[label] {
						out = append(out, plan.LabelOfPods+label)
					}
				})
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// changedKeys collects the keys of scalars that differ between two values.
func changedKeys(before, after *loader.Value, changed map[string]bool) {
	if loader.Equal(before, after) {
		return
	}
	for _, side := range [][2]*loader.Value{{before, after}, {after, before}} {
		for _, f := range side[0].FieldList() {
			other := side[1].Get(f.Key)
			if loader.Equal(f.Value, other) {
				continue
			}
			if f.Value.Shape != loader.Map && f.Value.Shape != loader.List {
				changed[f.Key] = true
			}
			changedKeys(f.Value, other, changed)
		}
		others := side[1].ItemList()
		for i, item := range side[0].ItemList() {
			var other *loader.Value
			if i < len(others) {
				other = others[i]
			}
			changedKeys(item, other, changed)
		}
	}
}

// selectedLabels visits the labels in the selectors of a policy: of Kubernetes, of Cilium, whose keys may name their source, and in
// the expressions of Calico.
func selectedLabels(v *loader.Value, visit func(label string)) {
	eachField(v, func(key string, value *loader.Value) {
		switch key {
		case "matchLabels":
			for _, f := range value.FieldList() {
				visit(bareLabel(f.Key))
			}
		case "matchExpressions":
			for _, item := range value.ItemList() {
				visit(bareLabel(item.Str("key")))
			}
		case "selector", "notSelector":
			for _, word := range strings.FieldsFunc(value.Text, func(c rune) bool { return strings.ContainsRune(" ()!&|='\"{},", c) }) {
				visit(word)
			}
		}
	})
}

// bareLabel returns the key of a label without the source that Cilium lets stand before it (Cilium, Endpoint Labels).
func bareLabel(key string) string {
	for _, source := range []string{"k8s:", "any:", "k8s.", "any."} {
		if bare, ok := strings.CutPrefix(key, source); ok {
			return bare
		}
	}
	return key
}
