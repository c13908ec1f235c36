package settle

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// awsTargetGroupConfiguration gives each route that leads to a Service the item
// of routeConfigurations that means it best, laid over the default
// configuration; routes that none means have that alone (AWS Load Balancer
// Controller pkg/gateway/tg_config_constructor.go, mergeWithLongestMatch).
func awsTargetGroupConfiguration(spec *merge.Tree, at *hierarchy.Node) *merge.Tree {
	items := spec.Get("routeConfigurations")
	if items == nil || items.Kind != merge.Keyed {
		return spec
	}
	byField := merge.Strategy{Algorithm: merge.Units, Units: []string{"tags.*", "targetGroupAttributes.*"}}
	matched := *items
	matched.Entries = nil
	for _, route := range routesTo(at) {
		best := bestRouteItem(items, route.Target)
		if best == nil {
			continue
		}
		props := byField.Merge(best.Get("targetGroupProps"), spec.Get("defaultConfiguration"))
		if props != nil {
			matched.Entries = append(matched.Entries, merge.Entry{Key: route.String(), Tree: best.Put("targetGroupProps", props)})
		}
	}
	if len(matched.Entries) == 0 {
		return orNil(spec.Without("routeConfigurations"))
	}
	return spec.Put("routeConfigurations", &matched)
}

// bestRouteItem is the first item with a route's kind, namespace and name, else
// the first with its kind and namespace and no name, else the first with its
// kind alone.
func bestRouteItem(items *merge.Tree, route hierarchy.Target) *merge.Tree {
	var best *merge.Tree
	rank := 0
	for _, item := range items.Entries {
		id := item.Tree.Get("routeIdentifier")
		namespace, name := text(id, "namespace"), text(id, "name")
		if text(id, "kind") != route.Kind {
			continue
		}
		r := 0
		switch {
		case name == route.Name && namespace == route.Namespace:
			r = 3
		case name != "":
		case namespace == route.Namespace:
			r = 2
		case namespace == "":
			r = 1
		}
		if r > rank {
			best, rank = item.Tree, r
		}
	}
	return best
}

// routesTo are the routes that lead to a backend, sorted.
func routesTo(at *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range at.Up {
		if e.Parent.Level == hierarchy.LevelRule && e.Open() && !slices.Contains(out, e.Parent.Owner) {
			out = append(out, e.Parent.Owner)
		}
	}
	slices.SortFunc(out, func(a, b *hierarchy.Node) int { return a.Target.Compare(b.Target) })
	return out
}

func routeNames(at *hierarchy.Node) string {
	var names []string
	for _, route := range routesTo(at) {
		names = append(names, route.String())
	}
	return strings.Join(names, ",")
}
