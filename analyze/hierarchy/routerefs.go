package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeReferences sums up the references of a route: of its backends and of the
// filters, its own and theirs. One condition tells of all; the first reference
// that fails counts, unless the implementation says otherwise.
func (g *Graph) judgeReferences(route *Node, own *implementation.Implementation, mesh bool) Condition {
	worst := good(ResolvedRefs, ResolvedRefs)
	var reasons []string
	g.references(route, own, mesh, func(c Condition) {
		if c.Status < worst.Status || c.Status == worst.Status && own.Routes.LastWins && c.Status != True {
			worst = c
		}
		if c.Status == False && !slices.Contains(reasons, c.Reason) {
			reasons = append(reasons, c.Reason)
		}
	})
	if own.Routes.JoinsReasons && len(reasons) > 1 {
		slices.Sort(reasons)
		worst.Reason = strings.Join(reasons, ",")
	}
	return worst
}

// HasFilterReferences says whether a filter of a route refers to something.
func (n *Node) HasFilterReferences() bool {
	for _, rule := range n.Value.List("rules") {
		if slices.ContainsFunc(rule.List("filters"), refers) ||
			slices.ContainsFunc(rule.List("backendRefs"), func(ref *loader.Value) bool { return slices.ContainsFunc(ref.List("filters"), refers) }) {
			return true
		}
	}
	return false
}

func refers(filter *loader.Value) bool {
	return slices.Contains([]string{"RequestMirror", "ExternalAuth", "ExtensionRef"}, filter.Str("type"))
}

// FilterReferences sums up the references of a route's filters alone: those to
// backends are edges of the graph.
func (g *Graph) FilterReferences(route *Node) Condition {
	own, mesh := g.deciderOf(route)
	worst := good(ResolvedRefs, ResolvedRefs)
	judge := func(filter *loader.Value) {
		if c := g.judgeFilter(route, filter, own, mesh); c.Status < worst.Status {
			worst = c
		}
	}
	for _, rule := range route.Value.List("rules") {
		for _, filter := range rule.List("filters") {
			judge(filter)
		}
		for _, ref := range rule.List("backendRefs") {
			if own.Routes.SkipsUnweighted && unweighted(ref) {
				continue
			}
			for _, filter := range ref.List("filters") {
				judge(filter)
			}
		}
	}
	return worst
}

// RouteReferences visits every reference of a route that is not well, as the
// controller of its first parent judges it.
func (g *Graph) RouteReferences(route *Node, found func(Condition)) {
	own, mesh := g.deciderOf(route)
	g.references(route, own, mesh, func(c Condition) {
		if c.Status != True {
			found(c)
		}
	})
}

// references judges every reference of a route in document order.
func (g *Graph) references(route *Node, own *implementation.Implementation, mesh bool, found func(Condition)) {
	for _, rule := range route.Value.List("rules") {
		for _, filter := range rule.List("filters") {
			found(g.judgeFilter(route, filter, own, mesh))
		}
		refs := rule.List("backendRefs")
		for _, ref := range refs {
			if own.Routes.SkipsUnweighted && unweighted(ref) {
				continue
			}
			for _, filter := range ref.List("filters") {
				found(g.judgeFilter(route, filter, own, mesh))
			}
			found(g.backendCondition(route, ref, own, mesh))
		}
	}
}

func unweighted(ref *loader.Value) bool { return textOf(ref.Get("weight")) == "0" }

func (g *Graph) backendCondition(route *Node, ref *loader.Value, own *implementation.Implementation, mesh bool) Condition {
	admitted, reason, message := g.judgeBackend(route, ref, own, mesh)
	switch admitted {
	case True:
		return good(ResolvedRefs, ResolvedRefs)
	case Unknown:
		reason = NotInInput
	case False:
	}
	c := route.condition(ResolvedRefs, admitted, reason, message, ref)
	c.Carrier = BackendRef
	c.Involves = []loader.ID{BackendID(ref, route.Namespace())}
	return c
}

// judgeFilter follows the reference of a filter, if it has one: to the backend
// of a mirror or of an external authorization, or to an extension.
func (g *Graph) judgeFilter(route *Node, filter *loader.Value, own *implementation.Implementation, mesh bool) Condition {
	c := g.followFilter(route, filter, own, mesh)
	c.Carrier = Filter
	return c
}

func (g *Graph) followFilter(route *Node, filter *loader.Value, own *implementation.Implementation, mesh bool) Condition {
	kind := filter.Str("type")
	if known := own.Routes.Filters[route.Target.Kind]; known != nil && !slices.Contains(known, kind) {
		return route.condition(ResolvedRefs, False, own.Routes.FilterReason, "filters of type "+kind+" are not supported", filter)
	}
	switch kind {
	case "RequestMirror":
		if ref := filter.Get("requestMirror", "backendRef"); ref != nil {
			return g.backendCondition(route, ref, own, mesh)
		}
	case "ExternalAuth":
		if ref := filter.Get("externalAuth", "backendRef"); ref != nil {
			return g.backendCondition(route, ref, own, mesh)
		}
	case "ExtensionRef":
		return g.judgeExtension(route, filter.Get("extensionRef"), own)
	}
	return good(ResolvedRefs, ResolvedRefs)
}

// judgeExtension follows an extensionRef, which stays in the route's namespace.
func (g *Graph) judgeExtension(route *Node, ref *loader.Value, own *implementation.Implementation) Condition {
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: route.Namespace(), Name: ref.Str("name")}
	kind := implementation.Kind{Group: id.Group, Name: id.Kind}
	extensions := own.Routes.Extensions
	switch {
	case g.objects[id] != nil || g.options.External[id]:
		return good(ResolvedRefs, ResolvedRefs)
	case extensions != nil && !slices.Contains(extensions, kind):
		return good(ResolvedRefs, ResolvedRefs) // the filter is not supported, which is another condition
	case !g.loads(kind):
		return route.condition(ResolvedRefs, Unknown, NotInInput, id.String()+" is not in the input", ref)
	}
	missing, message := g.missing(id)
	reason := NotInInput
	if missing == False {
		reason = or(own.Routes.ExtensionNotFound, backendNotFound)
	}
	c := route.condition(ResolvedRefs, missing, reason, message, ref)
	c.Involves = []loader.ID{id}
	return c
}

// loads says whether objects of a kind would be in the input if somebody wrote
// them: of kinds that nobody knows most are not even read.
func (g *Graph) loads(kind implementation.Kind) bool {
	return Needs(kind.Group, kind.Name) || g.known[loader.ID{Group: kind.Group, Kind: kind.Name}]
}
