package ocm

import (
	"maps"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// binding is a PlacementBinding that names a policy, except for some clusters.
type binding struct {
	deploy.Object
	excluded map[string]bool
}

// bindings returns the bindings of each policy: those that name it, and those that name a set that it is in and
// that may exclude clusters.
func (h *Hub) bindings() map[loader.ID][]binding {
	out := map[loader.ID][]binding{}
	sets := map[loader.ID]deploy.Object{}
	for _, set := range h.byKind["PolicySet"] {
		sets[policyID(set.Namespace, set.Name)] = set
	}
	for _, b := range h.byKind["PlacementBinding"] {
		named := map[loader.ID]map[string]bool{}
		for _, subject := range b.Root.List("subjects") {
			if !h.effort.spend(1) {
				break
			}
			id := policyID(b.Namespace, subject.Str("name"))
			switch set, declared := sets[id]; {
			case subject.Str("kind") == "Policy":
				name(named, id, nil)
			case subject.Str("kind") == "PolicySet" && declared:
				for _, item := range set.Root.List("spec", "policies") {
					if !h.effort.spend(1 + len(set.Root.List("spec", "exclusions"))) {
						break
					}
					name(named, policyID(b.Namespace, item.Text), excludes(set, item.Text))
				}
			}
		}
		for id, excluded := range named {
			out[id] = append(out[id], binding{b, excluded})
		}
	}
	return out
}

// name records that a policy is named. A cluster is excluded if all that name the policy exclude it.
func name(named map[loader.ID]map[string]bool, id loader.ID, excluded map[string]bool) {
	if before, again := named[id]; again {
		maps.DeleteFunc(before, func(cluster string, _ bool) bool { return !excluded[cluster] })
		return
	}
	named[id] = excluded
}

// excludes returns the clusters that a set excludes for a policy.
func excludes(set deploy.Object, policy string) map[string]bool {
	out := map[string]bool{}
	for _, e := range set.Root.List("spec", "exclusions") {
		if e.Str("policyName") == policy {
			for _, cluster := range e.List("clusterNames") {
				out[cluster.Text] = true
			}
		}
	}
	return out
}

func policyID(namespace, name string) loader.ID {
	return loader.ID{Group: policyGroup, Kind: "Policy", Namespace: namespace, Name: name}
}
