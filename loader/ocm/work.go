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
		c.Gaps = append(c.Gaps, c.hub.gap(from))
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
		c.add(&placed{policy: from}, m, of)
	}
}

// orphaned reports whether a rule of a work keeps one of its objects when the work goes (open-cluster-management.io/api
// work/v1/types.go, SelectivelyOrphan).
func orphaned(spec, manifest *loader.Value) bool {
	if spec.Str("deleteOption", "propagationPolicy") != "SelectivelyOrphan" {
		return false
	}
	group, _ := tree.SplitVersion(manifest.Str("apiVersion"))
	return slices.ContainsFunc(spec.List("deleteOption", "selectivelyOrphans", "orphaningRules"), func(rule *loader.Value) bool {
		return rule.Str("group") == group && strings.EqualFold(rule.Str("resource"), spelling.Plural(manifest.Str("kind"))) &&
			rule.Str("namespace") == manifest.Str("metadata", "namespace") && rule.Str("name") == manifest.Str("metadata", "name")
	})
}
