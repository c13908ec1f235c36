// Package ocm finds what Open Cluster Management distributes: which managed clusters the policies and works
// of a hub reach, and the objects that each of these clusters gets. It decides by the objects of the hub
// alone; what only the clusters themselves know, such as their claims and scores, is unknown.
package ocm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

	hub *Hub
	// labels are those of the cluster.
	labels map[string]string
	// scattered are objects for namespaces that are chosen when all others are known.
	scattered []scattered
	// removed maps each object that the cluster must not have to the policy that forbids it.
	removed map[loader.ID]loader.ID
	// compliances are those of the templates that gave each object.
	compliances map[loader.ID]compliance
	// touched are the objects that each policy gives, changes or removes.
	touched map[loader.ID][]loader.ID
	// given are the namespaces that the cluster is given or that its objects are in, with the labels of those
	// that are given and nil for the others.
	given map[string]map[string]string
	// index has the place of each object in Objects.
	index map[loader.ID]int
}

// managed is a ManagedCluster and its labels.
type managed struct {
	deploy.Object
	labels map[string]string
}

// Hub is the objects of a hub that decide what managed clusters get.
type Hub struct {
	clusters   map[string]managed
	sets       map[string]deploy.Object
	placements map[loader.ID]deploy.Object
	byKind     map[string][]deploy.Object
	// configMaps are those that policies name, by namespace and name.
	configMaps map[string]deploy.Object
	decided    map[loader.ID]map[string]decision
	gaps       map[loader.ID]loader.Gap
	// placed identifies what decides about each placement that is undecided.
	placed map[loader.ID]string
	// before is the same hub in an earlier revision, or nil.
	before *Hub
	kinds  Kinds
	effort effort
}

// Kinds is what the caller knows about kinds.
type Kinds struct {
	// ClusterScoped reports which kinds have no namespace.
	ClusterScoped func(group, kind string) bool
	// Matters reports which objects to keep.
	Matters func(group, kind string, root *loader.Value) bool
}

// Read takes the objects of a hub. It returns nil if they reach no managed cluster.
func Read(objects []deploy.Object, kinds Kinds) *Hub {
	h := &Hub{
		kinds: kinds, effort: effort{maxSteps}, gaps: map[loader.ID]loader.Gap{}, placed: map[loader.ID]string{},
		clusters: map[string]managed{}, sets: map[string]deploy.Object{}, placements: map[loader.ID]deploy.Object{},
		byKind: map[string][]deploy.Object{}, configMaps: map[string]deploy.Object{}, decided: map[loader.ID]map[string]decision{},
	}
	for _, d := range objects {
		if tree.IsConfigMap(d.Group, d.Kind) {
			h.configMaps[d.Namespace+"/"+d.Name] = d
		}
		if !tree.Distributes(d.Group, d.Kind) {
			continue
		}
		h.byKind[d.Kind] = append(h.byKind[d.Kind], d)
		switch d.Kind {
		case "ManagedCluster":
			h.clusters[d.Name] = managed{d, labelsOf(d)}
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

// After tells the hub what it was in an earlier revision.
func (h *Hub) After(before *Hub) { h.before = before }

// Clusters returns what each managed cluster gets, by name. It returns a problem if that is more than can be
// followed.
func (h *Hub) Clusters() ([]Cluster, []loader.Problem) {
	out := h.reached()
	h.works(out)
	h.policies(out)
	for _, name := range slices.Sorted(maps.Keys(out)) {
		out[name].settle()
	}
	problems := h.limited(out)
	return inOrder(out), problems
}

// reached returns the managed clusters: those that the hub declares, and those in whose namespaces it has
// works.
func (h *Hub) reached() map[string]*Cluster {
	out := map[string]*Cluster{}
	add := func(name string) {
		out[name] = &Cluster{
			Name: name, hub: h, labels: h.clusters[name].labels,
			removed: map[loader.ID]loader.ID{}, compliances: map[loader.ID]compliance{}, touched: map[loader.ID][]loader.ID{}, index: map[loader.ID]int{}, given: map[string]map[string]string{},
		}
	}
	for name := range h.clusters {
		add(name)
	}
	for _, work := range h.byKind["ManifestWork"] {
		if out[work.Namespace] == nil {
			add(work.Namespace)
		}
	}
	return out
}

func inOrder(clusters map[string]*Cluster) []Cluster {
	out := make([]Cluster, 0, len(clusters))
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		out = append(out, *clusters[name])
	}
	return out
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

// gap is what an object would give if it were known. If it is not known whether it reaches the cluster, what decides that
// is part of it.
func (h *Hub) gap(d deploy.Object, placing string) loader.Gap {
	o := d.AsObject()
	key := o.ID
	key.Name += placing
	g, ok := h.gaps[key]
	if !ok {
		given := aboutTraffic(d.Root.Get("spec"), h.kinds)
		g = loader.Gap{Kind: d.Kind, Name: deploy.Clip(d.Name), By: o.ID, Position: o.First(), Content: loader.Digest(key, d.Root), Placing: placing, Values: given}
		h.gaps[key] = g
	}
	return g
}

// placing identifies what decides about a placement whose choice is not known, and is "" for one that is.
func placing(h *Hub, id loader.ID, d decision) string {
	if !d.unknown {
		return ""
	}
	text, known := h.placed[id]
	if !known {
		sum := sha256.New()
		fmt.Fprintf(sum, "%q", id)
		write := func(o deploy.Object) {
			digest := loader.Digest(o.AsObject().ID, o.Root)
			sum.Write(digest[:])
		}
		if p, has := h.placements[id]; has {
			write(p)
		}
		for _, kind := range []string{"ManagedCluster", "ManagedClusterSet", "ManagedClusterSetBinding"} {
			for _, o := range h.byKind[kind] {
				write(o)
			}
		}
		text = "as placed by " + hex.EncodeToString(sum.Sum(nil)[:8])
		h.placed[id] = text
	}
	return text
}
