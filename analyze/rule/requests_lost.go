package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

var requestsLost = &Rule{
	ID:       "requests-lost",
	Title:    "Requests of a route that stays attached are no longer answered",
	Severity: plan.Warning,
	Weighs:   true,
	Why: "Nobody edited what the route matches. It is attached to the same listener as before, and another listener or hostname takes its " +
		"requests now and has no rule for them: a request belongs to the most specific listener and hostname of its port, and does " +
		"not fall back to a wider one. Or the listener has a narrower hostname, or no longer admits the route, which other listeners still do. " +
		"Where the edit of the route itself leaves requests unanswered, this is a note: it may be what was wanted.",
	Fix:     "Attach the route to the new listener as well, give the new hostname rules for these requests, or let the listener admit the route.",
	Compare: compareLost,
}

func compareLost(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	lost := lostRequests(p)
	for _, key := range lost.left.keys {
		report(refusedNow(p, key[0], key[1], classes(lost.left.of[key])))
	}
	for _, key := range lost.narrowed.keys {
		report(narrowerHostname(p, key[0], key[1], classes(lost.narrowed.of[key])))
	}
	for _, route := range lost.edits.keys {
		report(editedOut(p, route, lost.edits.of[route]))
	}
	for _, route := range lost.routes.keys {
		report(takenWithoutRule(p, route, lost.routes.of[route]))
	}
}

// lost are the requests that nothing answers any more, by what became of the route that did.
type lost struct {
	// routes stay attached, edits leave the requests out themselves.
	routes, edits groups[*hierarchy.Node, answer.Passage]
	// left are by route and the listener that does not admit it any more, narrowed by route and the listener that has a
	// narrower hostname.
	left, narrowed groups[[2]*hierarchy.Node, answer.Passage]
}

func lostRequests(p *Pair) (out lost) {
	for _, passage := range p.Requests().passages() {
		if passage.Before == nil || passage.After != nil {
			continue
		}
		at, state := [2]*hierarchy.Node{passage.Before.Route, passage.Before.Listener}, remaining(p.Requests(), passage.Before)
		if state != gone && isAnswered(p, &passage) {
			continue
		}
		switch state {
		case staysAttached:
			out.routes.add(passage.Before.Route, passage)
		case leavesListener:
			out.left.add(at, passage)
		case otherHostname:
			out.narrowed.add(at, passage)
		case staysEdited:
			switch {
			case len(p.Requests().Takers(&passage)) > 0:
				out.routes.add(passage.Before.Route, passage)
			case passage.Before.Certain && passage.Before.Listener.Object != nil:
				out.edits.add(passage.Before.Route, passage)
			}
		case gone:
		}
	}
	return out
}

// refusedNow is the finding about requests of a route that a listener no longer admits.
func refusedNow(p *Pair, route, listener *hierarchy.Node, requests string) Hit {
	now := inHead(p, route)
	return Hit{
		Target: now.String(), At: now.Position(), Object: now.Object, Key: []string{listener.String()},
		Title: say("%s no longer answers %s", now, requests), Requests: requests,
		Detail: say("it did not change, and %s no longer admits it", listener),
	}
}

// narrowerHostname is the finding about requests of a route that the hostname of a listener no longer covers.
func narrowerHostname(p *Pair, route, former *hierarchy.Node, requests string) Hit {
	now, listener := inHead(p, route), inHead(p, former)
	hostname := listener.Value.Get("hostname")
	return Hit{
		Target: now.String(), At: listener.Object.Position(hostname), Object: listener.Object, Key: []string{former.String()},
		Title: say("%s no longer answers %s", now, requests), Requests: requests,
		Detail: say("it did not change, and the hostname of %s is %s now", listener, cmp.Or(text(hostname), "any")),
	}
}

// editedOut is the finding about requests that a route itself no longer asks for.
func editedOut(p *Pair, route *hierarchy.Node, passages []answer.Passage) Hit {
	now := inHead(p, route)
	return Hit{
		Target: now.String(), At: narrowedAt(p, now, passages[0].Before), Object: now.Object, Severity: plan.Note,
		Title: say("%s no longer answers %s", now, classes(passages)), Requests: classes(passages),
		Detail: "its edit leaves them out, and nothing else answers them",
	}
}

// takenWithoutRule is the finding about requests of a route that something else takes and has no rule for.
func takenWithoutRule(p *Pair, route *hierarchy.Node, passages []answer.Passage) Hit {
	now := inHead(p, route)
	hit := Hit{
		Target: now.String(), At: now.Position(), Object: now.Object,
		Title: say("%s no longer answers %s", now, classes(passages)), Requests: classes(passages),
		Detail: "it is attached as before, but a more specific hostname takes them and has no rule for them",
	}
	if rule := inHead(p, passages[0].Before.Rule); rule != nil && p.Head.Run.Graph.LeftOut(rule) {
		hit.Detail = "it is attached as before, but its controller leaves out the rule"
	} else if takers := p.Requests().Takers(&passages[0]); len(takers) > 0 {
		taker := takers[0]
		hit.Detail = say("it is attached as before, but %s takes them and has no rule for them", taker)
		hit.Related = []plan.Related{{Message: say("%s answered before", now), Side: plan.InHead, File: hit.At.File, Line: hit.At.Line, Column: hit.At.Column}}
		hit.At = taker.Position()
	}
	return hit
}

// inHead returns the node of head that a node of base is.
func inHead(p *Pair, n *hierarchy.Node) *hierarchy.Node {
	return p.Difference.Join.Of(effective.Base, n).Nodes[effective.Head]
}

// leavesOut reports whether the edit of a route is why it does not get the requests of a way: other parents, another match of the
// rule, or no hostname for them.
func leavesOut(p *Requests, w *answer.Way, now *hierarchy.Node) bool {
	if now.Object.Digest == w.Route.Object.Digest {
		return false
	}
	rule := inHead(p.Pair, w.Rule)
	if rule == nil || !loader.Equal(rule.Value.Get("matches"), w.Rule.Value.Get("matches")) || !loader.Equal(now.Value.Get("parentRefs"), w.Route.Value.Get("parentRefs")) {
		return true
	}
	hostnames := now.Value.List("hostnames")
	hadAny := len(w.Route.Value.List("hostnames")) == 0 // and was asked for all that its listeners have
	return len(hostnames) > 0 && !slices.ContainsFunc(hostnames, func(host *loader.Value) bool {
		return host.Text == w.Host || dns.Covers(host.Text, w.Host) || !hadAny && dns.Covers(w.Host, host.Text)
	})
}

// narrowedAt returns the place of what an edited route no longer matches requests by: its hostnames, or the matches of the rule that
// answered.
func narrowedAt(p *Pair, now *hierarchy.Node, before *answer.Way) loader.Position {
	if hostnames := now.Value.Get("hostnames"); hostnames != nil && !loader.Equal(hostnames, before.Route.Value.Get("hostnames")) {
		return now.Object.Position(hostnames)
	}
	if rule := inHead(p, before.Rule); rule != nil {
		return rule.Object.Position(cmp.Or(rule.Value.Get("matches"), rule.Value))
	}
	return now.Position()
}

// isAnswered reports whether another Gateway that shares the port answers a request that its way no longer answers.
func isAnswered(p *Pair, passage *answer.Passage) bool {
	witness := passage.Witness()
	ports, _ := answer.At(p.Head.ports(), witness)
	return slices.ContainsFunc(ports, func(port *answer.Port) bool {
		return serves(port, passage.Before.Gateway()) && port.Answer(witness).Way != nil
	})
}

// serves reports whether a port has a listener of a Gateway.
func serves(port *answer.Port, gateway *hierarchy.Node) bool {
	return slices.ContainsFunc(port.Tables, func(t *answer.Table) bool {
		return slices.ContainsFunc(t.Listeners, func(l *hierarchy.Node) bool { return (&answer.Way{Listener: l}).Gateway().Target == gateway.Target })
	})
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

// attachment is what became of a route at a listener that has the same port.
type attachment int

const (
	// gone is any other route or listener.
	gone attachment = iota
	// staysAttached is a route that is as it was.
	staysAttached
	// staysEdited is a route that differs and is still attached to the listener.
	staysEdited
	// leavesListener is a route that is attached only to other listeners.
	leavesListener
	// otherHostname is a route that stays attached to a listener whose hostname changes.
	otherHostname
)

// remaining returns what became of the route of a way at the way's listener.
func remaining(p *Requests, w *answer.Way) attachment {
	route, listener := p.Difference.Join.Of(effective.Base, w.Route), p.Difference.Join.Of(effective.Base, w.Listener)
	now := route.Nodes[effective.Head]
	if now == nil || now.Object == nil || listener == nil || listener.Nodes[effective.Head] == nil {
		return gone
	}
	if answer.WhyIdle(p.Head.Run.Graph, listener.Nodes[effective.Head]) != "" {
		return gone // it serves nothing at all, which is reported for the listener
	}
	differs := func(field string) bool {
		return text(w.Listener.Value.Get(field)) != text(listener.Nodes[effective.Head].Value.Get(field))
	}
	if differs("port") {
		return gone // the listener itself is elsewhere now
	}
	if leavesOut(p, w, now) {
		if !differs("hostname") && slices.ContainsFunc(now.Up, func(e *hierarchy.Edge) bool { return e.Open() && e.Parent == listener.Nodes[effective.Head] }) {
			return staysEdited
		}
		return gone
	}
	out := gone
	for _, e := range now.Up {
		switch {
		case !e.Open():
		case e.Parent == listener.Nodes[effective.Head] && differs("hostname"):
			return otherHostname
		case e.Parent == listener.Nodes[effective.Head]:
			return staysAttached
		default:
			out = leavesListener
		}
	}
	if differs("hostname") {
		return gone
	}
	return out
}
