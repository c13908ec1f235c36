package answer

import (
	"cmp"
	"path"
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
// ways of these in its place. kgateway makes one list of routes of them, so that another rule may take what none of them does, and answers 500 for a match that
// reaches none of them, or none by one of the backendRefs (translator/httproute/gateway_http_route_translator.go, setRouteAction; irtranslator/route.go).
// agentgateway decides for the rule first and answers 404 then (crates/agentgateway/src/proxy/httpproxy.rs, RouteNotFound).
func (h *Host) follow(p *Port, way Way) {
	above, flat := way.Match, p.graph.Implementation(p.Gateway).Routes.PlainDelegates
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
			if p.matches.followed += len(edges); above != nil {
				p.matches.followed++
			}
			switch {
			case !delegates:
			case p.matches.followed > maxFollowed || len(way.via) >= 2*maxDelegations:
				h.exceeded = true
				one.Certain, one.unfollowed, one.doubt = false, true, "requests are passed on in more ways than are followed"
			case len(edges) > 0:
				from := len(h.Ways)
				for _, e := range edges {
					next := one
					next.via = append(slices.Clone(one.via), one.Route, one.Rule)
					if next.Route = e.Child; e.Admitted != fact.True && next.Certain {
						next.Certain, next.doubt = false, e.Message
					}
					h.follow(p, next)
				}
				covered := slices.ContainsFunc(h.Ways[from:], func(w *Way) bool { return w.Match.Covers(one.Match) })
				if covered || flat && len(h.Ways) > from && !hierarchy.Unserved(p.graph, rule) {
					continue
				}
				one.deadEnd = true
			case p.graph.Whole():
				one.deadEnd = true
			default:
				one.Certain, one.Hollow, one.doubt = false, true, "no route to which it passes requests on is in the input"
			}
			h.Ways = append(h.Ways, &one)
		}
	}
}

// below returns the requests that a match of a rule takes and then one of a route to which that rule passes them on, or nil if
// there are none.
func (m *Match) below(child *Match, route *hierarchy.Node, p *Port) *Match {
	own := p.graph.Implementation(p.Gateway)
	routes := &own.Routes
	out := *child
	out.ordered = nil
	switch {
	case hierarchy.InheritsMatches(route, own):
		inherit(&out, m)
	case routes.PlainDelegates && !m.delegates(child):
		return nil
	case routes.PlainDelegates:
	case !narrow(&out, m):
		return nil
	}
	return &out
}

// inherit adds what a rule demands to a match of a route that inherits it (kgateway
// internal/kgateway/translator/httproute/delegation_helpers.go, mergeParentChildRouteMatch).
func inherit(m, above *Match) {
	m.Path = path.Join(above.Path, m.Path)
	m.written = len(m.Path)
	m.Method = cmp.Or(above.Method, m.Method)
	m.Headers, m.Params = inherited(above.Headers, m.Headers), inherited(above.Params, m.Params)
}

// inherited adds the conditions of a route to those of a rule, unless that has one for the same name.
func inherited(above, own []Condition) []Condition {
	out := slices.Clone(above)
	for _, c := range own {
		if !slices.ContainsFunc(above, func(other Condition) bool { return other.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// delegates reports whether a match of a route has all that a rule demands, which kgateway requires of it (isDelegatedRouteMatch,
// there).
func (m *Match) delegates(child *Match) bool {
	return m.Form == prefix && strings.HasPrefix(child.Path, m.Path) && (m.Method == "" || m.Method == child.Method) &&
		subset(m.Headers, child.Headers) && subset(m.Params, child.Params)
}

// narrow narrows a match of a route to the requests that the rule above takes, too; it returns false if there are none. Of paths, where
// one is a regular expression, those of the route count: which of them both take is not computed.
func narrow(m, above *Match) bool {
	switch {
	case above.Form == regex || m.Form == regex:
	case above.Form == prefix && covering(above.Path, m.Path):
	case m.Form == prefix && covering(m.Path, above.Path):
		m.Form, m.Path, m.written = above.Form, above.Path, above.written
	case m.Path != above.Path:
		return false
	}
	if above.Method != "" && m.Method != "" && above.Method != m.Method {
		return false
	}
	m.Method = cmp.Or(m.Method, above.Method)
	m.Headers, m.Params, m.Cookies = union(m.Headers, above.Headers), union(m.Params, above.Params), union(m.Cookies, above.Cookies)
	return true
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

// settled returns the passages that say something, with the doubts that come from Gateways with a misspelt class. If a
// rule passes requests on to routes that are all missing from the input, it is not known whether anything answers them:
// requests that a route took in one revision only are perhaps lost, or perhaps newly answered.
func (c *comparison) settled() []Passage {
	var out []Passage
	for _, p := range c.passages {
		if p.Before != nil && p.Before.deadEnd {
			p.Before, p.Kept = nil, false // an error is no answer
		}
		if p.After != nil && p.After.deadEnd {
			p.After, p.Kept = nil, false
		}
		if p.Before == nil && p.After == nil {
			continue
		}
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
