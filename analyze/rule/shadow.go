package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// shadow is a rule that no request reaches: on each listener and for each hostname, rules with precedence
// take all requests of its matches.
type shadow struct {
	Rule *hierarchy.Node
	// By is a rule that takes all requests of a match; nil if several rules take them together.
	By *hierarchy.Node
	// AgeSensitive is true if the order may be reversed in the cluster.
	AgeSensitive bool
}

// shadowed finds the rules of HTTPRoutes and GRPCRoutes that other rules shadow.
func shadowed(s *Environment) []shadow {
	answering := map[*hierarchy.Node]bool{}
	taken := map[*hierarchy.Node]answer.Shadow{}
	var order []*hierarchy.Node
	for _, t := range answer.Distinct(s.ports()) {
		for _, h := range t.Hosts() {
			shadows, whole := h.Shadowed()
			ways := map[*answer.Way]bool{}
			for _, one := range shadows {
				ways[one.Way] = true
				if kind := one.Way.Route.Target.Kind; kind != "HTTPRoute" && kind != "GRPCRoute" {
					continue // route-crowded-out tells of them
				}
				if _, known := taken[one.Way.Rule]; !known {
					taken[one.Way.Rule], order = one, append(order, one.Way.Rule)
				}
			}
			for _, w := range h.Ways {
				if !whole || !ways[w] {
					answering[w.Rule] = true
				}
			}
		}
	}
	var out []shadow
	for _, rule := range order {
		if answering[rule] {
			continue
		}
		one := shadow{Rule: rule}
		if by := taken[rule].By; by != nil {
			one.By = by.Rule
			one.AgeSensitive = by.Route != taken[rule].Way.Route && s.Run.Graph.Order(by.Route.Object, rule.Object).Unsure
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b shadow) int { return a.Rule.Target.Compare(b.Rule.Target) })
	return out
}

// ports returns the ports of the environment with the ways of requests.
func (s *Environment) ports() []*answer.Port {
	if s.entries == nil {
		s.entries = append([]*answer.Port{}, answer.Ports(s.Run.Graph)...)
	}
	return s.entries
}
