package settle

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// awsTargetGroupConfiguration returns, for each route that references a Service, the item of
// routeConfigurations that matches the route best, merged over the default configuration. Routes
// that no item matches use only the default (AWS Load Balancer Controller
// pkg/gateway/tg_config_constructor.go, mergeWithLongestMatch).
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

// routeItems holds the first item for each kind, namespace and name of routes. An item without a
// name, or without name and namespace, has empty strings in its key.
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

// best returns the item with the route's kind, namespace and name. If there is none, it returns the
// item with kind and namespace, or else the item with the kind only.
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

// routesTo returns the routes that reference a backend, sorted.
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
