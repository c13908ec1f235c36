package ocm

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// maxNamed is how many namespaces a note names.
const maxNamed = 5

// valuesPerStep is how many values of a placement can be compared in the time of a step.
const valuesPerStep = 20

// decision says whether a placement chooses a cluster. Why explains one that is not known.
type decision struct {
	chosen, unknown bool
	why             string
}

func unknown(why string) decision { return decision{unknown: true, why: why} }

// missing are the decisions of a placement that is not in the input.
func (h *Hub) missing(id loader.ID, clusters map[string]*Cluster) map[string]decision {
	out := map[string]decision{}
	if h.effort.spend(len(clusters)) {
		for name := range clusters {
			out[name] = unknown("its " + deploy.Clip(id.Kind+" "+id.Name) + " is not in the input")
		}
	}
	return out
}

// decisions returns the clusters that a placement chooses or may choose.
func (h *Hub) decisions(id loader.ID) (map[string]decision, bool) {
	p, ok := h.placements[id]
	if !ok {
		return nil, false
	}
	if h.decided[id] == nil {
		out := map[string]decision{}
		cost := size(p.Root, maxSteps) + len(h.byKind["ManagedClusterSetBinding"])
		for _, name := range slices.Sorted(maps.Keys(h.clusters)) {
			c := h.clusters[name]
			if !h.effort.spend(1 + cost/valuesPerStep) {
				break
			}
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

// Chosen returns the clusters that a Placement chooses, sorted. It returns an error if that is not known.
func (h *Hub) Chosen(namespace, name string) ([]string, error) {
	decisions, known := h.decisions(loader.ID{Group: clusterGroup, Kind: "Placement", Namespace: namespace, Name: name})
	if !known {
		return nil, fmt.Errorf("the Placement %s/%s is not in the input", deploy.Clip(namespace), deploy.Clip(name))
	}
	if h.effort.left < 0 {
		return nil, errors.New("there are too many clusters and Placements to decide")
	}
	out := slices.Sorted(maps.Keys(decisions))
	for _, cluster := range out {
		if d := decisions[cluster]; d.unknown {
			return nil, errors.New(d.why)
		}
	}
	return out, nil
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
		if err == nil && n == 0 {
			clear(out)
			return
		}
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
func (h *Hub) placement(p deploy.Object, c managed) decision {
	spec := p.Root.Get("spec")
	if !h.available(p, c) {
		return decision{}
	}
	if d := keptAway(spec.List("tolerations"), c.Root.List("spec", "taints"), chose(h, p, c)); d != nil {
		return *d
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
func matches(selector *loader.Value, c managed) decision {
	ok, err := loader.Selects(selector.Get("labelSelector"), c.labels)
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

// available reports whether a cluster is in a set that a placement may use: one that is bound to its namespace.
// Without any binding of its namespace in the input, in either revision, all sets are taken as bound, which Assumes says.
func (h *Hub) available(p deploy.Object, c managed) bool {
	wanted := func(set string) bool {
		names := p.Root.List("spec", "clusterSets")
		return len(names) == 0 || slices.ContainsFunc(names, func(name *loader.Value) bool { return name.Text == set })
	}
	if binds(h, p.Namespace) || binds(h.before, p.Namespace) {
		return slices.ContainsFunc(h.byKind["ManagedClusterSetBinding"], func(b deploy.Object) bool {
			return b.Namespace == p.Namespace && wanted(b.Name) && inSet(h, b.Name, c)
		})
	}
	names := p.Root.List("spec", "clusterSets")
	return len(names) == 0 || slices.ContainsFunc(names, func(name *loader.Value) bool { return inSet(h, name.Text, c) })
}

// anyOf reports whether some object is in a namespace.
func anyOf(objects []deploy.Object, namespace string) bool {
	return slices.ContainsFunc(objects, func(d deploy.Object) bool { return d.Namespace == namespace })
}

// binds reports whether a hub, which may be nil, binds sets of clusters to a namespace.
func binds(h *Hub, namespace string) bool {
	return h != nil && anyOf(h.byKind["ManagedClusterSetBinding"], namespace)
}

// Assumes says what was assumed about the hub.
func (h *Hub) Assumes() (notes []string) {
	without, waiting := map[string]bool{}, map[string]bool{}
	for _, p := range h.byKind["Placement"] {
		if !binds(h, p.Namespace) && !binds(h.before, p.Namespace) {
			without[deploy.Clip(p.Namespace)] = true
		}
	}
	for _, p := range h.byKind["Policy"] {
		if waits(p) {
			waiting[deploy.Clip(p.Namespace+"/"+p.Name)] = true
		}
	}
	if len(without) > 0 {
		notes = append(notes, "no ManagedClusterSetBinding of these namespaces is in the input, so that their Placements are taken to choose among all managed clusters: "+listed(without))
	}
	if len(waiting) > 0 {
		notes = append(notes, "policies that wait for others are taken to be in force, as if what they depend on were compliant: "+listed(waiting))
	}
	return notes
}

// waits reports whether a policy is in force only once its dependencies have the state that it asks for
// (governance-policy-framework-addon controllers/templatesync, processDependencies).
func waits(p deploy.Object) bool {
	return len(p.Root.List("spec", "dependencies")) > 0 || slices.ContainsFunc(p.Root.List("spec", "policy-templates"), func(template *loader.Value) bool {
		return len(template.List("extraDependencies")) > 0
	})
}

// listed lists names, the first ones of many.
func listed(names map[string]bool) string {
	list := slices.Sorted(maps.Keys(names))
	if more := len(list) - maxNamed; more > 0 {
		list = append(list[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// inSet reports whether a cluster belongs to a set: by its label, or by the selector of the set. The hub
// makes the set global, of all clusters, and default, of those without a label (ocm
// pkg/registration/webhook/v1/managedcluster_mutating.go).
func inSet(h *Hub, name string, c managed) bool {
	if set, declared := h.sets[name]; declared && set.Root.Str("spec", "clusterSelector", "selectorType") == "LabelSelector" {
		selector := set.Root.Get("spec", "clusterSelector", "labelSelector")
		ok, err := loader.Selects(selector, c.labels)
		return selector != nil && ok && err == nil
	}
	return name == "global" || cmp.Or(c.labels[setLabel], "default") == name
}

// chose reports whether the placement is known to have chosen a cluster in the earlier revision.
func chose(h *Hub, p deploy.Object, c managed) bool {
	if h.before == nil {
		return false
	}
	before, _ := h.before.decisions(loader.ID{Group: p.Group, Kind: p.Kind, Namespace: p.Namespace, Name: p.Name})
	return before[c.Name].chosen
}

// keptAway decides about a cluster with taints that are not tolerated, or not for ever; nil is one whose taints do not
// keep it away. A cluster that was chosen stays so where a taint is only for new ones (ocm
// pkg/placement/plugins/tainttoleration/taint_toleration.go, isTaintTolerated).
func keptAway(tolerations, taints []*loader.Value, chosen bool) *decision {
	for _, t := range tolerations {
		if exists := t.Str("operator") == "Exists"; t.Str("key") == "" && !exists || exists && t.Str("value") != "" {
			d := unknown("a toleration of its Placement is not valid") // Misconfigured: the choice stays what it was
			return &d
		}
	}
	var out *decision
	for _, taint := range taints {
		effect := taint.Str("effect")
		if effect == "PreferNoSelect" || effect == "NoSelectIfNew" && chosen {
			continue
		}
		switch ends, tolerated := anyTolerates(tolerations, taint); {
		case tolerated && ends != "":
			d := unknown("one of its taints is tolerated for " + deploy.Clip(ends) + " seconds")
			out = &d
		case tolerated:
		case effect == "NoSelectIfNew":
			d := unknown("a taint keeps it away unless it was chosen before")
			out = &d
		default:
			return &decision{}
		}
	}
	return out
}

// anyTolerates reports whether a taint is tolerated, and if only for some time the seconds.
func anyTolerates(tolerations []*loader.Value, taint *loader.Value) (ends string, tolerated bool) {
	for _, t := range tolerations {
		key, effect, seconds := t.Str("key"), t.Str("effect"), ""
		if v := t.Get("tolerationSeconds"); v != nil {
			seconds = v.Text
		}
		if key != "" && key != taint.Str("key") || effect != "" && effect != taint.Str("effect") || seconds == "0" {
			continue
		}
		if t.Str("operator") != "Exists" && t.Str("value") != taint.Str("value") {
			continue
		}
		if seconds == "" {
			return "", true
		}
		ends, tolerated = seconds, true
	}
	return ends, tolerated
}

// rule decides a PlacementRule, which came before Placement (apps.open-cluster-management.io/v1).
func (h *Hub) rule(p deploy.Object, c managed) decision {
	spec := p.Root.Get("spec")
	if names := spec.List("clusters"); len(names) > 0 {
		// The controller compares the label name, which clusters have by custom.
		own := cmp.Or(c.labels["name"], c.Name)
		return decision{chosen: slices.ContainsFunc(names, func(item *loader.Value) bool { return item.Str("name") == own })}
	}
	ok, err := loader.Selects(spec.Get("clusterSelector"), c.labels)
	if err != nil {
		return unknown(err.Error())
	}
	return decision{chosen: ok}
}
