package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// RequestsCaptured is the ID of the rule about requests that a route of another namespace takes.
const RequestsCaptured = "requests-captured"

var requestsCaptured = &Rule{
	ID:       RequestsCaptured,
	Title:    "A route of another namespace takes requests that a route answered",
	Severity: plan.Warning,
	Why: "Both routes are served by one port of a Gateway, and for these requests the one of the other namespace has precedence " +
		"now: a more specific hostname or path, or it is older. The owner of the first route did not request this.",
	Fix:      "Give the routes different hostnames or paths, or restrict by listener hostnames which route may serve which hostname.",
	Security: true,
	Weighs:   true,
	Compare:  compareCaptured,
}

// catchAll reports whether a route answers all requests that no other route answers: it has no
// hostname that another route could take.
func catchAll(w *answer.Way) bool { return len(w.Route.Value.List("hostnames")) == 0 }

func compareCaptured(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	type capture struct{ before, after *effective.Joint }
	var captures groups[capture, answer.Passage]
	for _, passage := range p.Requests().Answered() {
		if passage.Kept || len(passage.Doubts) > 0 && !passage.Tied {
			continue
		}
		b, a := passage.Before, passage.After
		if b == nil || a == nil || b.Route.Namespace() == a.Route.Namespace() || catchAll(b) {
			continue
		}
		at := capture{before: p.Difference.Join.Of(effective.Base, b.Route), after: p.Difference.Join.Of(effective.Head, a.Route)}
		// A route lost nothing if it was removed, or if it is the other route with a new name.
		if at.before == at.after || at.before.Nodes[effective.Head] == nil || at.before.Nodes[effective.Head].Object == nil {
			continue
		}
		captures.add(at, passage)
	}
	for _, at := range captures.keys {
		list := captures.of[at]
		verb, doubt := "takes", ""
		if sure := slices.DeleteFunc(slices.Clone(list), func(passage answer.Passage) bool { return len(passage.Doubts) > 0 }); len(sure) > 0 {
			list = sure
		} else {
			verb, doubt = "perhaps takes", "not known: "+list[0].Doubts[0]
		}
		first := list[0]
		report(Hit{
			Target: first.After.Route.String(), Key: []string{first.Before.Route.String()}, At: first.After.Rule.Position(), Object: first.After.Route.Object,
			Title: say("%s "+verb+" requests of %s: %s on %s", first.After.Route, first.Before.Route, classes(list), first.After.Gateway()), Requests: classes(list),
			Detail: doubt,
		})
	}
}
