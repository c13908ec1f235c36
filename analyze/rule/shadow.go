package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// shadow is a rule that no request reaches. For each of its matches, on each listener and for each
// hostname, a rule with precedence has the same match.
type shadow struct {
	Rule, By *hierarchy.Node
	// AgeSensitive is true if the order may be reversed in the cluster.
	AgeSensitive bool
}

// shadowed finds the rules of HTTPRoutes and GRPCRoutes that other rules shadow. Among equal
// matches the oldest route wins, then {namespace}/{name}, then the order of rules (Gateway API,
// HTTPRouteRule.matches, GRPCRouteRule.matches).
func shadowed(g *hierarchy.Graph) []shadow {
	s := shadows{taken: map[taken][]*hierarchy.Node{}, served: map[*hierarchy.Node]map[*hierarchy.Node][]string{}}
	routes := matchingRoutes(g)
	for _, route := range routes {
		hosts := hostsOf(route)
		for _, rule := range route.Sections {
			for _, match := range hierarchy.Matches(rule) {
				for _, host := range hosts {
					key := taken{route.Target.Kind, host, match}
					s.taken[key] = append(s.taken[key], rule)
				}
			}
		}
	}
	var out []shadow
	for _, route := range routes {
		for _, rule := range route.Sections {
			if by := s.over(rule); by != nil {
				unsure := by.Owner != route && g.Order(by.Object, route.Object).Unsure
				out = append(out, shadow{Rule: rule, By: by, AgeSensitive: unsure})
			}
		}
	}
	slices.SortFunc(out, func(a, b shadow) int { return a.Rule.Target.Compare(b.Rule.Target) })
	return out
}

// matchingRoutes returns the HTTPRoutes and GRPCRoutes in order of precedence.
func matchingRoutes(g *hierarchy.Graph) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, n := range g.Nodes {
		if n.Level == hierarchy.LevelRoute && n.Object != nil && (n.Target.Kind == "HTTPRoute" || n.Target.Kind == "GRPCRoute") {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *hierarchy.Node) int { return g.Order(a.Object, b.Object).Compare })
	return out
}

// taken is what a rule accepts on a listener.
type taken struct{ kind, host, match string }

type shadows struct {
	// taken maps requests to the rules that accept them on some listener, in order of precedence.
	taken map[taken][]*hierarchy.Node
	// served caches the hostnames that a route serves, by route and listener.
	served map[*hierarchy.Node]map[*hierarchy.Node][]string
}

// over returns a rule that shadows another one, nil if some request may reach it.
func (s *shadows) over(rule *hierarchy.Node) *hierarchy.Node {
	route := rule.Owner
	matches := hierarchy.Matches(rule)
	var by *hierarchy.Node
	for _, e := range route.Up {
		if e.Admitted != fact.True || e.Parent.Level != hierarchy.LevelListener {
			continue
		}
		for _, host := range e.HostsAt() {
			for _, match := range matches {
				if loader.Placeholder(host) || loader.Placeholder(match) {
					return nil // the value is unknown
				}
				before := s.before(taken{route.Target.Kind, host, match}, rule, e.Parent)
				if before == nil {
					return nil
				}
				by = before
			}
		}
	}
	return by
}

// before returns a rule with precedence that accepts the same requests on a listener, or nil.
func (s *shadows) before(key taken, rule, listener *hierarchy.Node) *hierarchy.Node {
	for _, other := range s.taken[key] {
		if other == rule {
			return nil
		}
		if other.Owner == rule.Owner || slices.Contains(s.at(other.Owner, listener), key.host) {
			return other
		}
	}
	return nil
}

// at returns the hostnames that a route serves through a listener.
func (s *shadows) at(route, listener *hierarchy.Node) []string {
	if s.served[route] == nil {
		served := map[*hierarchy.Node][]string{}
		for _, e := range route.Up {
			if e.Admitted == fact.True {
				served[e.Parent] = append(served[e.Parent], e.HostsAt()...)
			}
		}
		s.served[route] = served
	}
	return s.served[route][listener]
}

// hostsOf returns the hostnames that a route serves on any listener.
func hostsOf(route *hierarchy.Node) []string {
	seen := map[string]bool{}
	for _, e := range route.Up {
		if e.Admitted == fact.True && e.Parent.Level == hierarchy.LevelListener {
			for _, host := range e.HostsAt() {
				seen[host] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
