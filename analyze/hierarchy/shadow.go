package hierarchy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Shadow is a rule that no request reaches: each of its matches, on each
// listener and for each hostname, is that of a rule with precedence.
type Shadow struct {
	Rule, By *Node
	// AgeSensitive says that the cluster may have it the other way round.
	AgeSensitive bool
}

// Shadowed finds the rules of HTTPRoutes and GRPCRoutes that others shadow.
// Among equal matches the oldest route wins, then {namespace}/{name}, then the
// order of rules (Gateway API, HTTPRouteRule.matches, GRPCRouteRule.matches).
func (g *Graph) Shadowed() []Shadow {
	s := shadows{taken: map[taken][]*Node{}, served: map[*Node]map[*Node][]string{}}
	routes := g.inOrder()
	for _, route := range routes {
		hosts := hostsOf(route)
		for _, rule := range route.Sections {
			for _, match := range matchesOf(rule) {
				for _, host := range hosts {
					key := taken{route.Target.Kind, host, match}
					s.taken[key] = append(s.taken[key], rule)
				}
			}
		}
	}
	var out []Shadow
	for _, route := range routes {
		for _, rule := range route.Sections {
			if by := s.over(rule); by != nil {
				unsure := by.Owner != route && g.options.Ages.Order(by.Object, route.Object).Unsure
				out = append(out, Shadow{Rule: rule, By: by, AgeSensitive: unsure})
			}
		}
	}
	slices.SortFunc(out, func(a, b Shadow) int { return a.Rule.Target.Compare(b.Rule.Target) })
	return out
}

// inOrder are the HTTPRoutes and GRPCRoutes, those with precedence first.
func (g *Graph) inOrder() []*Node {
	var out []*Node
	for _, n := range g.Nodes {
		if n.Level == LevelRoute && n.Object != nil && (n.Target.Kind == "HTTPRoute" || n.Target.Kind == "GRPCRoute") {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *Node) int { return g.options.Ages.Order(a.Object, b.Object).Compare })
	return out
}

// taken is what a rule takes of a listener.
type taken struct{ kind, host, match string }

type shadows struct {
	// taken are the rules that take something somewhere, in order of precedence.
	taken map[taken][]*Node
	// served are the hostnames by listener of the routes that were asked for.
	served map[*Node]map[*Node][]string
}

// over is a rule that shadows another one, nil if something reaches it.
func (s *shadows) over(rule *Node) *Node {
	route := rule.Owner
	matches := matchesOf(rule)
	var by *Node
	for _, e := range route.Up {
		if e.Admitted != True || e.Parent.Level != LevelListener {
			continue
		}
		for _, host := range hostsAt(e) {
			for _, match := range matches {
				if opaque(host) || opaque(match) {
					return nil // nobody knows what it is
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

// before is a rule that takes the same of a listener with precedence, or nil.
func (s *shadows) before(key taken, rule, listener *Node) *Node {
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

// at are the hostnames that a route serves through a listener.
func (s *shadows) at(route, listener *Node) []string {
	if s.served[route] == nil {
		served := map[*Node][]string{}
		for _, e := range route.Up {
			if e.Admitted == True {
				served[e.Parent] = append(served[e.Parent], hostsAt(e)...)
			}
		}
		s.served[route] = served
	}
	return s.served[route][listener]
}

// hostsAt are the hostnames behind an edge, "*" for all.
func hostsAt(e *Edge) []string {
	if len(e.Hostnames) == 0 {
		return []string{"*"}
	}
	return e.Hostnames
}

// hostsOf are the hostnames that a route serves anywhere.
func hostsOf(route *Node) []string {
	seen := map[string]bool{}
	for _, e := range route.Up {
		if e.Admitted == True && e.Parent.Level == LevelListener {
			for _, host := range hostsAt(e) {
				seen[host] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Matches are those of a rule, each in one way of writing: rules with an equal one take the
// same requests of a host.
func Matches(rule *Node) []string { return matchesOf(rule) }

// matchesOf are the matches of a rule, each in one way of writing; none is one
// that takes everything.
func matchesOf(rule *Node) []string {
	matches := rule.Value.List("matches")
	if len(matches) == 0 {
		return []string{writeMatch(nil)}
	}
	out := make([]string, 0, len(matches))
	for _, m := range matches {
		out = append(out, writeMatch(m))
	}
	return out
}

func writeMatch(m *loader.Value) string {
	path := m.Get("path")
	method := m.Get("method")
	parts := []string{
		or(path.Str("type"), "PathPrefix"), or(path.Str("value"), "/"),
		textOf(method), method.Str("type"), method.Str("service"), method.Str("method"),
	}
	for _, field := range []string{"headers", "queryParams"} {
		var named []string
		for _, one := range m.List(field) {
			name := one.Str("name")
			if field == "headers" {
				name = strings.ToLower(name)
			}
			named = append(named, name+"\x01"+or(one.Str("type"), "Exact")+"\x01"+one.Str("value"))
		}
		slices.SortFunc(named, cmp.Compare)
		parts = append(parts, strings.Join(named, "\x02"))
	}
	return strings.Join(parts, "\x00")
}
