package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var requestsLost = &Rule{
	ID:       "requests-lost",
	Title:    "Requests of a route that did not change are no longer answered",
	Severity: plan.Warning,
	Why: "The route is attached to the same listener as before, and nobody edited it. Another listener or hostname takes its " +
		"requests now and has no rule for them: a request belongs to the most specific listener and hostname of its port, and does " +
		"not fall back to a wider one.",
	Fix:     "Attach the route to the new listener as well, or give the new hostname rules for these requests.",
	Compare: compareLost,
}

func compareLost(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	var routes groups[*hierarchy.Node, answer.Passage]
	for _, passage := range p.Requests().passages() {
		if passage.Before == nil || passage.After != nil || !p.Requests().staysAttached(passage.Before) {
			continue
		}
		routes.add(passage.Before.Route, passage)
	}
	for _, route := range routes.keys {
		lost := requests(requestsOf(routes.of[route]))
		now := p.Difference.Join.Of(effective.Base, route).Nodes[effective.Head]
		hit := Hit{
			Target: now.String(), At: now.Position(), Object: now.Object,
			Title:  say("%s no longer answers %s", now, lost),
			Detail: "it is attached as before, but a more specific hostname takes them and has no rule for them",
		}
		if takers := p.Requests().Takers(&routes.of[route][0]); len(takers) > 0 {
			taker := takers[0]
			hit.Detail = say("it is attached as before, but %s takes them and has no rule for them", taker)
			hit.Related = []plan.Related{{Message: say("%s answered before", now), Side: "head", File: hit.At.File, Line: hit.At.Line, Column: hit.At.Column}}
			hit.At = taker.Position()
		}
		report(hit)
	}
}

// Takers returns what takes a request of head that nothing answers: the listener, if it is another one than before, or
// else the routes with a more specific hostname, those that base did not have first.
func (p *Requests) Takers(passage *answer.Passage) []*hierarchy.Node {
	witness := passage.Witness()
	ports, _ := answer.At(p.Head.ports(), witness)
	for _, port := range ports {
		if port.Gateway.Target != passage.Before.Gateway().Target {
			continue
		}
		a := port.Answer(witness)
		switch {
		case a.Table == nil:
		case a.Table.Listeners[0].Target != passage.Before.Listener.Target:
			return a.Table.Listeners[:1]
		case a.Host != nil && a.Host.Name != passage.Before.Host:
			routes := slices.Clone(a.Host.Routes())
			old := func(n *hierarchy.Node) int {
				if p.Difference.Join.Of(effective.Head, n).Nodes[effective.Base] != nil {
					return 1
				}
				return 0
			}
			slices.SortStableFunc(routes, func(a, b *hierarchy.Node) int { return old(a) - old(b) })
			return routes
		}
	}
	return nil
}

// staysAttached reports whether the route of a way is unchanged and still attached to the way's listener.
func (p *Requests) staysAttached(w *answer.Way) bool {
	route, listener := p.Difference.Join.Of(effective.Base, w.Route), p.Difference.Join.Of(effective.Base, w.Listener)
	now := route.Nodes[effective.Head]
	if now == nil || now.Object == nil || now.Object.Digest != w.Route.Object.Digest || listener == nil || listener.Nodes[effective.Head] == nil {
		return false
	}
	if answer.WhyIdle(listener.Nodes[effective.Head]) != "" {
		return false // it serves nothing at all, which is told of the listener
	}
	for _, field := range []string{"hostname", "port"} {
		if text(w.Listener.Value.Get(field)) != text(listener.Nodes[effective.Head].Value.Get(field)) {
			return false // the listener itself is elsewhere now
		}
	}
	for _, e := range now.Up {
		if e.Open() && e.Parent == listener.Nodes[effective.Head] {
			return true
		}
	}
	return false
}
