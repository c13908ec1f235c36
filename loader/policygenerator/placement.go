package policygenerator

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

const clusterGroup = "cluster.open-cluster-management.io"

// placementOf returns the placement of a policy or a set. What it does not say, the defaults say: its name,
// and the selector, path or name of an existing one if it has none of these (plugin.go,
// applyDefaultPlacementFields).
func placementOf(own, defaults *loader.Value) *loader.Value {
	if own == nil || own.Shape != loader.Map {
		return defaults
	}
	selects := slices.ContainsFunc(selecting, func(key string) bool { return own.Get(key) != nil })
	out := *own
	out.Fields = slices.Clone(own.Fields)
	for _, f := range defaults.FieldList() {
		if own.Get(f.Key) == nil && (f.Key == "name" || !selects) {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}

// placementFields are all fields of a placement: with any other one the generator fails (internal/types/types.go,
// PlacementConfig; internal/plugin.go, Config). Earlier releases had others, among them clusterSelector.
var placementFields = []string{"name", "labelSelector", "clusterSelectors", "placementPath", "placementName"}

// selecting are the fields of a placement that say which clusters it selects.
var selecting = []string{"labelSelector", "clusterSelectors", "clusterSelector", "placementPath", "placementName", "placementRulePath", "placementRuleName"}

// place binds a policy or a set to its placement, which is made unless it is named.
func (g *generator) place(at, placement *loader.Value, policy, set string) {
	for _, f := range placement.FieldList() {
		if !slices.Contains(placementFields, f.Key) {
			g.lack(placement, "the placement has the field %s, which the generator does not know: it fails", f.Key)
			return
		}
	}
	name := placement.Str("placementName")
	switch {
	case name != "":
	case placement.Str("placementPath") != "":
		if name = g.placementFile(placement); name == "" {
			return
		}
	default:
		name = g.makePlacement(at, placement, cmp.Or(policy, set))
	}
	i := slices.IndexFunc(g.bound, func(b *bound) bool { return b.placement == name })
	if i < 0 {
		i = len(g.bound)
		g.bound = append(g.bound, &bound{placement: name, at: at})
	}
	if policy != "" {
		g.bound[i].policies = append(g.bound[i].policies, policy)
	} else {
		g.bound[i].sets = append(g.bound[i].sets, set)
	}
}

// placementFile takes a Placement from a file.
func (g *generator) placementFile(placement *loader.Value) string {
	for _, doc := range g.manifest(&loader.Value{Shape: loader.Map, Mark: placement.Mark, Fields: []loader.Field{{Key: "path", Value: placement.Get("placementPath")}}}) {
		if doc.Str("kind") != "Placement" {
			continue
		}
		name := doc.Str("metadata", "name")
		known := slices.ContainsFunc(g.placements, func(p *loader.Value) bool { return p.Str("metadata", "name") == name })
		if !known {
			g.placements = append(g.placements, doc)
		}
		return name
	}
	g.lack(placement, "%s has no Placement", placement.Str("placementPath"))
	return ""
}

// makePlacement makes a Placement for a selector. A name that the defaults give is used again for an equal
// selector.
func (g *generator) makePlacement(at, placement *loader.Value, owner string) string {
	b := builder{at.Mark}
	if placement != nil {
		b.mark = placement.Mark
	}
	name := cmp.Or(placement.Str("name"), "placement-"+owner)
	tolerations := b.list([]*loader.Value{
		b.object("key", b.text(clusterGroup+"/unreachable"), "operator", b.text("Exists")),
		b.object("key", b.text(clusterGroup+"/unavailable"), "operator", b.text("Exists")),
	})
	selector := b.object("labelSelector", g.selector(b, placement))
	spec := b.object("predicates", b.list([]*loader.Value{b.object("requiredClusterSelector", selector)}), "tolerations", tolerations)
	for n := 2; ; n++ {
		i := slices.IndexFunc(g.placements, func(p *loader.Value) bool { return p.Str("metadata", "name") == name })
		if i < 0 {
			break
		}
		if loader.Equal(g.placements[i].Get("spec"), spec) {
			return name
		}
		name = fmt.Sprintf("%s%d", cmp.Or(placement.Str("name"), "placement-"+owner), n)
	}
	g.placements = append(g.placements, b.object(
		"apiVersion", b.text(clusterGroup+"/v1beta1"), "kind", b.text("Placement"), "metadata", g.metadata(b, name), "spec", spec,
	))
	return name
}

// selector returns the selector of clusters: a LabelSelector, or a map of labels, of which an empty value
// means any.
func (g *generator) selector(b builder, placement *loader.Value) *loader.Value {
	given := placement.Get("labelSelector")
	if given == nil {
		given = placement.Get("clusterSelectors")
	}
	if given.Get("matchLabels") != nil || given.Get("matchExpressions") != nil {
		return given
	}
	var expressions []*loader.Value
	for _, f := range given.FieldList() {
		e := b.object("key", b.text(f.Key), "operator", b.text("In"), "values", b.list([]*loader.Value{f.Value}))
		if f.Value.Text == "" {
			e = b.object("key", b.text(f.Key), "operator", b.text("Exists"))
		}
		expressions = append(expressions, e)
	}
	return b.object("matchExpressions", b.list(expressions))
}

// bindings makes a PlacementBinding for each placement, in the order of their names.
func (g *generator) bindings() {
	slices.SortStableFunc(g.bound, func(a, b *bound) int { return cmp.Compare(a.placement, b.placement) })
	byDefault := g.config.Str("placementBindingDefaults", "name")
	n := 0
	for _, one := range g.bound {
		b := builder{one.at.Mark}
		name := ""
		if len(one.policies) == 1 && len(one.sets) == 0 {
			name = "binding-" + one.policies[0]
		} else if n++; byDefault == "" {
			g.lack(one.at, "placementBindingDefaults.name is missing, which the generator requires where several things share a placement")
			name = "binding-" + one.placement
		} else if name = byDefault; n > 1 {
			name = fmt.Sprintf("%s%d", byDefault, n)
		}
		var subjects []*loader.Value
		for _, list := range []struct {
			kind  string
			names []string
		}{{"Policy", one.policies}, {"PolicySet", one.sets}} {
			for _, subject := range list.names {
				subjects = append(subjects, b.object("apiGroup", b.text(Group), "kind", b.text(list.kind), "name", b.text(subject)))
			}
		}
		g.Docs = append(g.Docs, b.object(
			"apiVersion", b.text(Group+"/v1"), "kind", b.text("PlacementBinding"), "metadata", g.metadata(b, name),
			"placementRef", b.object("apiGroup", b.text(clusterGroup), "kind", b.text("Placement"), "name", b.text(one.placement)),
			"subjects", b.list(subjects),
		))
	}
}
