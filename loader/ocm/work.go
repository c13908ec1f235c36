package ocm

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// works adds the manifests of works to the clusters that get them (work.open-cluster-management.io, types_work.go
// and types_manifestworkreplicaset.go).
func (h *Hub) works(out map[string]*Cluster) {
	for _, work := range h.byKind["ManifestWork"] {
		out[work.Namespace].work(work, work.Root.Get("spec"), loader.ID{}, decision{chosen: true})
	}
	for _, set := range h.byKind["ManifestWorkReplicaSet"] {
		for _, ref := range set.Root.List("spec", "placementRefs") {
			id := loader.ID{Group: clusterGroup, Kind: "Placement", Namespace: set.Namespace, Name: ref.Str("name")}
			decisions, known := h.decisions(id)
			if !known {
				decisions = h.missing(id, out)
			}
			for _, name := range slices.Sorted(maps.Keys(decisions)) {
				out[name].work(set, set.Root.Get("spec", "manifestWorkTemplate"), id, decisions[name])
			}
		}
	}
}

func (c *Cluster) work(from deploy.Object, spec *loader.Value, by loader.ID, d decision) {
	if !c.hub.effort.spend(placedSteps) {
		return
	}
	o := from.AsObject()
	c.Placed = append(c.Placed, loader.Placed{Object: o.ID, At: o.First(), By: by, Action: enforce, Certain: !d.unknown, Why: d.why})
	if d.unknown {
		c.report(&placed{policy: from, placing: placing(c.hub, by, d)}, spec, "are not known", d.why)
		return
	}
	var how compliance
	if spec.Str("deleteOption", "propagationPolicy") == "Orphan" { // the objects stay when the work goes
		how.policy = o.ID
	}
	for _, m := range spec.List("workload", "manifests") {
		of := how
		if orphaned(spec, m) {
			of.policy = o.ID
		}
		switch strategy(spec, m) {
		case "ReadOnly":
			continue // the agent reports on it and applies nothing
		case "CreateOnly":
			of.frozen = loader.WorkCreates
		}
		c.add(&placed{policy: from}, m, of)
	}
}

// orphaned reports whether a rule of a work keeps one of its objects when the work goes (open-cluster-management.io/api
// work/v1/types.go, SelectivelyOrphan).
func orphaned(spec, manifest *loader.Value) bool {
	if spec.Str("deleteOption", "propagationPolicy") != "SelectivelyOrphan" {
		return false
	}
	return slices.ContainsFunc(spec.List("deleteOption", "selectivelyOrphans", "orphaningRules"), func(rule *loader.Value) bool {
		return identifies(rule, manifest)
	})
}

// strategy returns how the agent applies an object of a work: Update, CreateOnly, ServerSideApply or ReadOnly
// (open-cluster-management.io/api work/v1/types.go, UpdateStrategyType; ocm create_only_apply.go).
func strategy(spec, manifest *loader.Value) string {
	for _, config := range spec.List("manifestConfigs") {
		if identifies(config.Get("resourceIdentifier"), manifest) {
			return config.Str("updateStrategy", "type")
		}
	}
	return ""
}

// identifies reports whether a group, resource, namespace and name are those of an object.
func identifies(resource, manifest *loader.Value) bool {
	group, _ := tree.SplitVersion(manifest.Str("apiVersion"))
	return resource.Str("group") == group && strings.EqualFold(resource.Str("resource"), spelling.Plural(manifest.Str("kind"))) &&
		resource.Str("namespace") == manifest.Str("metadata", "namespace") && resource.Str("name") == manifest.Str("metadata", "name")
}
