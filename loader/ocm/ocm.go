// Package ocm finds what Open Cluster Management distributes: which managed clusters the policies and works
// of a hub reach, and the objects that each of these clusters gets. It decides by the objects of the hub
// alone; what only the clusters themselves know, such as their claims and scores, is unknown.
package ocm

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// Groups of Open Cluster Management.
const (
	clusterGroup = "cluster.open-cluster-management.io"
	policyGroup  = "policy.open-cluster-management.io"
)

// Cluster is what one managed cluster gets.
type Cluster struct {
	Name     string
	Objects  []deploy.Object
	Gaps     []loader.Gap
	Problems []loader.Problem
	// Placed are the policies and works that reach the cluster, or may.
	Placed []loader.Placed

	// clusterScoped reports which kinds have no namespace.
	clusterScoped func(group, kind string) bool
	// labels are those of the cluster.
	labels map[string]string
	// scattered are objects for namespaces that are chosen when all others are known.
	scattered []scattered
	// removed are objects that the cluster must not have.
	removed []deploy.Object
}

// Hub is the objects of a hub that decide what managed clusters get.
type Hub struct {
	clusters   map[string]deploy.Object
	sets       map[string]deploy.Object
	placements map[loader.ID]deploy.Object
	byKind     map[string][]deploy.Object
	decided    map[loader.ID]map[string]decision
	// clusterScoped reports which kinds have no namespace.
	clusterScoped func(group, kind string) bool
}

// Read takes the objects of a hub. It returns nil if they reach no managed cluster. clusterScoped reports
// which kinds have no namespace.
func Read(objects []deploy.Object, clusterScoped func(group, kind string) bool) *Hub {
	h := &Hub{
		clusterScoped: clusterScoped,
		clusters:      map[string]deploy.Object{}, sets: map[string]deploy.Object{}, placements: map[loader.ID]deploy.Object{},
		byKind: map[string][]deploy.Object{}, decided: map[loader.ID]map[string]decision{},
	}
	for _, d := range objects {
		if !tree.Distributes(d.Group, d.Kind) {
			continue
		}
		h.byKind[d.Kind] = append(h.byKind[d.Kind], d)
		switch d.Kind {
		case "ManagedCluster":
			h.clusters[d.Name] = d
		case "ManagedClusterSet":
			h.sets[d.Name] = d
		case "Placement", "PlacementRule":
			h.placements[loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}] = d
		}
	}
	if len(h.clusters) == 0 && len(h.byKind["ManifestWork"]) == 0 {
		return nil
	}
	return h
}

// Clusters returns what each managed cluster gets, by name: those that the hub declares, and those in whose
// namespaces it has works.
func (h *Hub) Clusters() []Cluster {
	out := map[string]*Cluster{}
	for name := range h.clusters {
		out[name] = h.cluster(name)
	}
	for _, work := range h.byKind["ManifestWork"] {
		if out[work.Namespace] == nil {
			out[work.Namespace] = h.cluster(work.Namespace)
		}
	}
	h.works(out)
	h.policies(out)
	list := make([]Cluster, 0, len(out))
	for _, name := range slices.Sorted(maps.Keys(out)) {
		out[name].settle()
		list = append(list, *out[name])
	}
	return list
}

func (h *Hub) cluster(name string) *Cluster {
	return &Cluster{Name: name, clusterScoped: h.clusterScoped, labels: labelsOf(h.clusters[name])}
}

// labelsOf returns the labels of an object.
func labelsOf(d deploy.Object) map[string]string {
	out := map[string]string{}
	for _, f := range d.Root.Get("metadata", "labels").FieldList() {
		out[f.Key] = f.Value.Text
	}
	return out
}

// deployer names an object as what applies others.
func deployer(d deploy.Object) *loader.Deployer {
	o := d.AsObject()
	return &loader.Deployer{ID: o.ID, At: o.First(), Parent: d.Deployer}
}

// gap is what an object would give if it were known.
func gap(d deploy.Object) loader.Gap {
	o := d.AsObject()
	return loader.Gap{Kind: d.Kind, Name: deploy.Clip(d.Name), Position: o.First(), Content: loader.Digest(o.ID, d.Root)}
}
