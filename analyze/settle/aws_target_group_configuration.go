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
func awsTargetGroupConfiguration(spec *merge.Tree, at Target) *merge.Tree {
	items := spec.Get("routeConfigurations")
	if items == nil || items.Kind != merge.Keyed {
		return spec
	}
	byField := merge.Strategy{Algorithm: merge.Units, Units: []string{"tags.*", "targetGroupAttributes.*"}}
	matched := *items
	matched.Entries = nil
	byRoute := routeItemsOf(items)
	for _, route := range routesTo(at.Node) {
		best := byRoute.best(route.Target)
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

// routeItems are the first items for each kind, namespace and name of routes; those
// that leave out the name or both have these empty.
type routeItems map[hierarchy.Target]*merge.Tree

func routeItemsOf(items *merge.Tree) routeItems {
	out := routeItems{}
	for _, item := range items.Entries {
		id := item.Tree.Get("routeIdentifier")
		var key hierarchy.Target
		key.Kind, key.Namespace, key.Name = text(id, "kind"), text(id, "namespace"), text(id, "name")
		if out[key] == nil {
			out[key] = item.Tree
		}
	}
	return out
}

// best is the item with a route's kind, namespace and name, else the one with its
// kind and namespace, else the one with its kind alone.
func (items routeItems) best(route hierarchy.Target) *merge.Tree {
	var key hierarchy.Target
	key.Kind, key.Namespace, key.Name = route.Kind, route.Namespace, route.Name
	for range 3 {
		if item := items[key]; item != nil {
			return item
		}
		if key.Name == "" {
			key.Namespace = ""
		}
		key.Name = ""
	}
	return nil
}

// routesTo are the routes that lead to a backend, sorted.
func routesTo(at *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	seen := map[*hierarchy.Node]bool{}
	for _, e := range at.Up {
		if route := e.Parent.Owner; e.Parent.Level == hierarchy.LevelRule && e.Open() && !seen[route] {
			seen[route] = true
			out = append(out, route)
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
