package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
)

// NamedWays counts the matches of routes at a listener, once for each hostname without a wildcard, up to two of them, and says whether
// the number is known. Rules with a match that the controller does not take do not count (Envoy Gateway internal/gatewayapi/route.go,
// processHTTPRouteParentRefListener and buildRouteMatchCombinations).
func (g *Graph) NamedWays(listener *Node) (n int, known bool) {
	known = true
	for _, e := range listener.Down {
		route := e.Child
		if route.Level != LevelRoute || route.Target.Kind != "HTTPRoute" && route.Target.Kind != "GRPCRoute" || e.Admitted == fact.False {
			continue
		}
		known = known && e.Admitted == fact.True
		named := slices.DeleteFunc(slices.Clone(e.HostsAt()), func(host string) bool { return host == "" || strings.Contains(host, "*") })
		if slices.ContainsFunc(named, opaque) {
			known = false
		}
		for _, rule := range route.Value.List("rules") {
			if len(named) == 0 || n > 1 || g.references.of(route).unusable(rule) != nil {
				continue
			}
			n += len(named) * max(1, len(rule.List("matches"))) * max(1, len(g.MatchesOfFilter(route, rule)))
		}
	}
	return min(n, 2), known
}
