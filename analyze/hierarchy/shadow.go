package hierarchy

import (
	"cmp"
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

// maxMatches bounds the search: how many pairs of a match and a hostname of one
// listener are compared.
const maxMatches = 1 << 18

// Shadowed finds the rules of HTTPRoutes and GRPCRoutes that others shadow.
// Among equal matches the oldest route wins, then {namespace}/{name}, then the
// order of rules (Gateway API, HTTPRouteRule.matches, GRPCRouteRule.matches).
func (g *Graph) Shadowed() []Shadow {
	reached := map[*Node]bool{}
	shadows := map[*Node]Shadow{}
	for _, n := range g.Nodes {
		if n.Level == LevelListener {
			g.shadowedAt(n, reached, shadows)
		}
	}
	var out []Shadow
	for rule, s := range shadows {
		if !reached[rule] {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Shadow) int { return a.Rule.Target.Compare(b.Rule.Target) })
	return out
}

func (g *Graph) shadowedAt(listener *Node, reached map[*Node]bool, shadows map[*Node]Shadow) {
	first := map[string]*Node{}
	for _, e := range g.inOrder(listener) {
		hosts := e.Hostnames
		if len(hosts) == 0 {
			hosts = []string{"*"}
		}
		for _, rule := range e.Child.Sections {
			for _, match := range matchesOf(rule) {
				for _, host := range hosts {
					key := e.Child.Target.Kind + " " + host + " " + match
					by := first[key]
					if by == nil && len(first) < maxMatches {
						first[key] = rule
					}
					if by == nil || by == rule {
						reached[rule] = true
						continue
					}
					s := Shadow{Rule: rule, By: by}
					if by.Owner != rule.Owner {
						s.AgeSensitive = g.options.Ages.Order(by.Object, rule.Object).Unsure
					}
					shadows[rule] = s
				}
			}
		}
	}
}

// inOrder are the edges of a listener to its HTTPRoutes and GRPCRoutes, the
// routes with precedence first; what is not sure to be attached is left out.
func (g *Graph) inOrder(listener *Node) []*Edge {
	var out []*Edge
	seen := map[*Node]bool{}
	for _, e := range listener.Down {
		kind := e.Child.Target.Kind
		if e.Admitted == True && !seen[e.Child] && e.Child.Object != nil && (kind == "HTTPRoute" || kind == "GRPCRoute") {
			seen[e.Child] = true
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *Edge) int { return g.options.Ages.Order(a.Child.Object, b.Child.Object).Compare })
	return out
}

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
