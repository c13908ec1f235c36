package ocm

import (
	"strconv"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// decision says whether a placement chooses a cluster. Why explains one that is not known.
type decision struct {
	chosen, unknown bool
	why             string
}

func unknown(why string) decision { return decision{unknown: true, why: why} }

// decisions returns the clusters that a placement chooses or may choose.
func (h *Hub) decisions(id loader.ID) (map[string]decision, bool) {
	p, ok := h.placements[id]
	if !ok {
		return nil, false
	}
	if h.decided[id] == nil {
		out := map[string]decision{}
		for name, c := range h.clusters {
			d := h.rule(p, c)
			if p.Kind == "Placement" {
				d = h.placement(p, c)
			}
			if d.chosen || d.unknown {
				out[name] = d
			}
		}
		limit(out, p)
		h.decided[id] = out
	}
	return h.decided[id], true
}

// limit makes the choice unknown where fewer clusters are wanted than match: which of them have the best
// scores is not in manifests (Placement, spec.numberOfClusters; PlacementRule, spec.clusterReplicas).
func limit(out map[string]decision, p deploy.Object) {
	for _, field := range []string{"numberOfClusters", "clusterReplicas"} {
		v := p.Root.Get("spec", field)
		if v.IsNull() {
			continue
		}
		n, err := strconv.Atoi(v.Text)
		if err != nil || n < len(out) {
			for name := range out {
				out[name] = unknown(field + " is smaller than the number of clusters that match")
			}
		}
	}
}

// placement decides a Placement (cluster.open-cluster-management.io/v1beta1, types_placement.go): among the
// clusters of the sets that are bound to its namespace, those that match one of its predicates and whose
// taints it tolerates.
func (h *Hub) placement(p, c deploy.Object) decision {
	spec := p.Root.Get("spec")
	if !h.bound(p, c) {
		return decision{}
	}
	if !tolerated(spec.List("tolerations"), c.Root.List("spec", "taints")) {
		return decision{}
	}
	predicates := spec.List("predicates")
	if len(predicates) == 0 {
		return decision{chosen: true}
	}
	out := decision{}
	for _, predicate := range predicates {
		switch d := matches(predicate.Get("requiredClusterSelector"), c); {
		case d.chosen:
			return d
		case d.unknown:
			out = d
		}
	}
	return out
}

// matches evaluates a selector of clusters: labels, which the hub knows, and claims and expressions, which
// need what the cluster reports.
func matches(selector *loader.Value, c deploy.Object) decision {
	ok, err := loader.Selects(selector.Get("labelSelector"), labelsOf(c))
	switch {
	case err != nil:
		return unknown(err.Error())
	case !ok:
		return decision{}
	case len(selector.List("claimSelector", "matchExpressions")) > 0:
		return unknown("the claims of the cluster are not in manifests")
	case len(selector.List("celSelector", "celExpressions")) > 0:
		return unknown("expressions of CEL are not evaluated")
	}
	return decision{chosen: true}
}

// setLabel is the label of a cluster with the name of its set.
const setLabel = "cluster.open-cluster-management.io/clusterset"

// bound reports whether a cluster is in a set that a placement may use. Without any binding in the input,
// all sets are assumed to be bound to its namespace.
func (h *Hub) bound(p, c deploy.Object) bool {
	var wanted map[string]bool
	if names := p.Root.List("spec", "clusterSets"); len(names) > 0 {
		wanted = map[string]bool{}
		for _, name := range names {
			wanted[name.Text] = true
		}
	}
	bindings := h.byKind["ManagedClusterSetBinding"]
	if len(bindings) == 0 && wanted == nil {
		return true
	}
	for _, b := range bindings {
		set := b.Root.Str("spec", "clusterSet")
		if b.Namespace == p.Namespace && (wanted == nil || wanted[set]) && h.inSet(set, c) {
			return true
		}
	}
	if len(bindings) > 0 {
		return false
	}
	for set := range wanted {
		if h.inSet(set, c) {
			return true
		}
	}
	return false
}

// inSet reports whether a cluster belongs to a set: by its label, or by the selector of the set. The set
// global has all clusters.
func (h *Hub) inSet(name string, c deploy.Object) bool {
	set, declared := h.sets[name]
	if !declared {
		return name == "global" || labelsOf(c)[setLabel] == name
	}
	selector := set.Root.Get("spec", "clusterSelector")
	if selector.Str("selectorType") == "LabelSelector" {
		ok, err := loader.Selects(selector.Get("labelSelector"), labelsOf(c))
		return ok && err == nil
	}
	return labelsOf(c)[setLabel] == name
}

// tolerated reports whether all taints that keep placements away are tolerated. NoSelectIfNew keeps away
// only placements that have not chosen the cluster yet, which is not known: it counts as tolerated.
func tolerated(tolerations, taints []*loader.Value) bool {
	for _, taint := range taints {
		if taint.Str("effect") == "NoSelect" && !anyTolerates(tolerations, taint) {
			return false
		}
	}
	return true
}

func anyTolerates(tolerations []*loader.Value, taint *loader.Value) bool {
	for _, t := range tolerations {
		key, effect := t.Str("key"), t.Str("effect")
		if key != "" && key != taint.Str("key") || effect != "" && effect != taint.Str("effect") {
			continue
		}
		if t.Str("operator") == "Exists" || t.Str("value") == taint.Str("value") {
			return true
		}
	}
	return false
}

// rule decides a PlacementRule, which came before Placement (apps.open-cluster-management.io/v1).
func (h *Hub) rule(p, c deploy.Object) decision {
	spec := p.Root.Get("spec")
	if names := spec.List("clusters"); len(names) > 0 {
		for _, item := range names {
			if item.Str("name") == c.Name {
				return decision{chosen: true}
			}
		}
		return decision{}
	}
	ok, err := loader.Selects(spec.Get("clusterSelector"), labelsOf(c))
	if err != nil {
		return unknown(err.Error())
	}
	return decision{chosen: ok}
}
