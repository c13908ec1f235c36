package rule

import (
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
	s := shadows{words: map[string]word{}, visits: map[*hierarchy.Node][]visit{}}
	for _, route := range matchingRoutes(g) {
		s.add(route)
	}
	for _, visits := range s.visits {
		s.listener(visits)
	}
	var out []shadow
	for _, rules := range s.routes {
		for _, c := range rules {
			if c.by != nil && !c.reached {
				by := c.by.rule
				unsure := by.Owner != c.rule.Owner && g.Order(by.Object, c.rule.Object).Unsure
				out = append(out, shadow{Rule: c.rule, By: by, AgeSensitive: unsure})
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

// word is a hostname or a match. Numbers compare faster than texts.
type word struct {
	number int32
	// unknown is true for a text with a variable.
	unknown bool
}

// request is what a rule accepts on a listener.
type request struct {
	kind        string
	host, match int32
}

// contender is a rule, its matches, and whether a request reaches it.
type contender struct {
	rule    *hierarchy.Node
	matches []word
	reached bool
	// by took the requests of the last listener of the route, which is its parent number last.
	by   *contender
	last int
}

// contending are the rules of a route.
type contending []contender

// visit is a route at a listener, which is its parent number at.
type visit struct {
	rules contending
	edge  *hierarchy.Edge
	at    int
}

type shadows struct {
	words  map[string]word
	routes []contending
	// visits are the routes at each listener in order of precedence.
	visits map[*hierarchy.Node][]visit
}

// wordsOf appends the words of texts to out.
func (s *shadows) wordsOf(out []word, texts []string) []word {
	for _, text := range texts {
		w, known := s.words[text]
		if !known {
			w = word{number: int32(len(s.words)), unknown: loader.Placeholder(text)}
			s.words[text] = w
		}
		out = append(out, w)
	}
	return out
}

func (s *shadows) add(route *hierarchy.Node) {
	rules := make(contending, len(route.Sections))
	for i, rule := range route.Sections {
		rules[i] = contender{rule: rule, matches: s.wordsOf(nil, hierarchy.Matches(rule))}
	}
	s.routes = append(s.routes, rules)
	for i, e := range route.Up {
		if e.Admitted == fact.True && e.Parent.Level == hierarchy.LevelListener {
			s.visits[e.Parent] = append(s.visits[e.Parent], visit{rules, e, i})
		}
	}
}

// listener decides which rule gets each request of one listener.
func (s *shadows) listener(visits []visit) {
	first := map[request]*contender{}
	var hosts []word
	for _, v := range visits {
		hosts = s.wordsOf(hosts[:0], v.edge.HostsAt())
		for i := range v.rules {
			c := &v.rules[i]
			for _, host := range hosts {
				for _, match := range c.matches {
					key := request{c.rule.Owner.Target.Kind, host.number, match.number}
					by := first[key]
					if by == nil {
						by, first[key] = c, c
					}
					switch {
					case by == c || host.unknown || match.unknown:
						c.reached = true
					case c.by == nil || v.at >= c.last:
						c.by, c.last = by, v.at
					}
				}
			}
		}
	}
}
