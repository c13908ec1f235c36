package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// maxDelegations limits how many routes a request is passed on to, one by the other, and maxFollowed on how many ways requests are
// passed on in an environment: a few routes that pass on to each other have very many.
const (
	maxDelegations = 8
	maxFollowed    = 50_000
)

// follow adds the ways of a route, each of which begins as one is given. A rule that passes requests on to other routes has the
// ways of these in its place: whoever of them takes a request answers it, and nobody if none does (kgateway and agentgateway,
// route delegation).
func (h *Host) follow(p *Port, way Way) {
	above := way.Match
	for _, rule := range way.Route.Sections {
		edges, delegates := p.graph.Delegations(rule)
		for _, m := range p.matches.of(rule, p) {
			one := way
			one.Rule, one.Match = rule, m
			if above != nil {
				both := [2]*Match{above, m}
				below, known := p.matches.passedOn[both]
				if !known {
					below = above.below(m, way.Route, p)
					p.matches.passedOn[both] = below
				}
				if one.Match = below; below == nil {
					continue
				}
			}
			p.matches.followed += len(edges)
			switch {
			case !delegates:
			case p.matches.followed > maxFollowed || len(way.via) >= 2*maxDelegations:
				h.exceeded = true
				one.Certain, one.unfollowed, one.doubt = false, true, "requests are passed on in more ways than are followed"
			case len(edges) > 0:
				for _, e := range edges {
					next := one
					next.via = append(slices.Clone(one.via), one.Route, one.Rule)
					if next.Route = e.Child; e.Admitted != fact.True && next.Certain {
						next.Certain, next.doubt = false, e.Message
					}
					h.follow(p, next)
				}
				continue
			case p.graph.Whole():
				continue
			default:
				one.Certain, one.Hollow, one.doubt = false, true, "no route to which it passes requests on is in the input"
			}
			h.Ways = append(h.Ways, &one)
		}
	}
}

// below returns the requests that a match of a rule takes and then one of a route to which that rule passes them on, or nil if
// there are none. kgateway leaves out the match of a route that does not have all that the rule demands, unless an annotation of
// the route makes it inherit that (kgateway pkg/krtcollections/policy.go, isDelegatedRouteMatch).
func (m *Match) below(child *Match, route *hierarchy.Node, p *Port) *Match {
	routes := &p.graph.Implementation(p.Gateway).Routes
	inherits := route.Object.Annotations()[routes.LabelDelegation+"/inherit-parent-matcher"] == "true"
	strict := routes.PlainDelegates && !inherits
	out := *child
	out.ordered = nil
	switch {
	case inherits && m.Form == prefix && child.Form != regex:
		out.Path = strings.TrimSuffix(m.Path, "/") + child.Path
		out.written = len(out.Path)
	case m.Form != prefix || child.Form == regex:
		// Which paths both take is not computed: those of the route are the fewer.
	case covering(m.Path, child.Path):
	case child.Form == prefix && covering(child.Path, m.Path) && !strict:
		out.Path, out.written = m.Path, m.written
	default:
		return nil
	}
	switch {
	case m.Method == "" || m.Method == child.Method:
	case child.Method == "" && !strict:
		out.Method = m.Method
	default:
		return nil
	}
	if strict && (!subset(m.Headers, child.Headers) || !subset(m.Params, child.Params)) {
		return nil
	}
	out.Headers, out.Params, out.Cookies = union(child.Headers, m.Headers), union(child.Params, m.Params), union(child.Cookies, m.Cookies)
	return &out
}

// touchesBelow reports whether a route differs, or one to which it passes requests on. seen are those that do not.
func touchesBelow(c *comparison, side effective.Side, route *hierarchy.Node, seen map[*hierarchy.Node]bool) bool {
	if c.touches(side, route) {
		return true
	}
	for _, rule := range route.Sections {
		edges, _ := c.join.Runs[side].Graph.Delegations(rule)
		for _, e := range edges {
			if !seen[e.Child] {
				seen[e.Child] = true
				if touchesBelow(c, side, e.Child, seen) {
					return true
				}
			}
		}
	}
	return false
}

// settled returns the passages with rules that pass requests on to routes of which none is in the input as what they are: it is not
// known whether anything answers there. Where a route took requests of such a rule in one revision alone, they are perhaps lost, or
// newly answered.
func (c *comparison) settled() []Passage {
	var out []Passage
	for _, p := range c.passages {
		was, is := p.Before != nil && p.Before.Hollow, p.After != nil && p.After.Hollow
		switch {
		case is && !was && known(c, effective.Head, p.After, p.Before), was && !is && known(c, effective.Base, p.Before, p.After):
			continue // as little known in the other revision
		case is && !was && p.Before != nil:
			p.Doubts = append(p.Doubts, "whether a route that is not in the input takes what "+p.After.Rule.Spoken()+" passes on")
			p.After, p.Kept = nil, false
		case was && !is && p.After != nil:
			p.Before, p.Kept = nil, false
		}
		p.Doubts = append(p.Doubts, misclassed(c, &p)...)
		out = append(out, p)
	}
	return out
}

// known reports whether the other revision has the rule of a hollow way, too, and does not answer by a route to which that passes
// requests on.
func known(c *comparison, side effective.Side, hollow, other *Way) bool {
	at := c.join.Of(side, hollow.Rule)
	return at.Nodes[1-side] != nil && (other == nil || !slices.Contains(other.via, at.Nodes[1-side]))
}
