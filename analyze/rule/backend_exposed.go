package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var backendExposed = &Rule{
	ID:       "backend-exposed",
	Title:    "Requests without authentication reach a backend that only authenticated ones reached",
	Severity: plan.Warning,
	Why: "All routes to the backend asked for authentication or authorisation, and the program behind it may rely on that. Now a rule " +
		"without either sends requests there, or a Service that anybody reaches selects the same pods.",
	Fix:      "Protect the route as the others to this backend are, or send the requests to another backend.",
	Security: true,
	Opens:    true,
	Compare:  compareExposedBackends,
}

// exposedBackend is a rule without protection, and a Service to which it newly sends requests.
type exposedBackend struct {
	rule    *hierarchy.Node
	service loader.ID
}

func compareExposedBackends(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	requests := p.Requests()
	var found groups[exposedBackend, answer.Passage]
	guarded, edges := map[exposedBackend]*answer.Way{}, map[exposedBackend]*hierarchy.Edge{}
	for _, passage := range requests.Answered() {
		after := passage.After
		if len(passage.Doubts) > 0 || after == nil || !after.Certain || redirects(after) || after.Match.Method == "OPTIONS" {
			continue // browsers send no credentials before a call of CORS
		}
		reached := newlyReached(passage.Before, after)
		if len(reached) == 0 || requests.escapes().lacksAccess[after] || !requests.Unprotected(effective.Head, after) {
			continue
		}
		if passage.Before != nil && !requests.Unprotected(effective.Base, passage.Before) {
			continue // the requests themselves lose protection, which is told as that
		}
		for _, e := range reached {
			at := exposedBackend{after.Rule, e.Child.Target.ID}
			if w := guardedBefore(requests, e.Child.Object); w != nil {
				guarded[at], edges[at] = w, e
				found.add(at, passage)
			}
		}
	}
	for _, at := range found.keys {
		edge := edges[at]
		hit := Hit{
			Target: at.rule.Owner.String(), Key: []string{at.rule.String(), at.service.String()}, At: edge.Position(), Object: at.rule.Object,
			Title: say("Requests to %s reach %s without authentication", classes(found.of[at]), at.service), Requests: classes(found.of[at]),
			Detail:   say("all that reached its pods before had to authenticate or were authorised, by %s", guarded[at].Rule),
			Involves: []loader.ID{at.service},
		}
		if before := p.Base.Run.Graph.Object(at.service); before != nil && !loader.Equal(before.Spec().Get("selector"), edge.Child.Object.Spec().Get("selector")) {
			hit.At, hit.Object = edge.Child.Object.Position(edge.Child.Object.Spec().Get("selector")), edge.Child.Object
		}
		report(hit)
	}
}

// newlyReached returns the edges to Services to which requests were not sent before, or which differ.
func newlyReached(before, after *answer.Way) []*hierarchy.Edge {
	var old []*hierarchy.Edge
	if before != nil {
		old = backendsOf(before)
	}
	return slices.DeleteFunc(backendsOf(after), func(e *hierarchy.Edge) bool {
		return slices.ContainsFunc(old, func(was *hierarchy.Edge) bool { return was.Child.Object.Digest == e.Child.Object.Digest })
	})
}

// backendsOf returns the edges of a way to Services of the input.
func backendsOf(w *answer.Way) []*hierarchy.Edge {
	var out []*hierarchy.Edge
	for _, e := range w.Rule.Down {
		if e.Open() && e.Child.Level == hierarchy.LevelBackend && e.Child.Object != nil && e.Child.Target.Kind == "Service" {
			out = append(out, e)
		}
	}
	return out
}

// guardedBefore returns a way of base to the pods of a Service, if there was one and each asked for authentication or authorisation, or
// nil. Services with equal selectors have the same pods.
func guardedBefore(p *Requests, service *loader.Object) *answer.Way {
	if p.guardedPods == nil {
		p.guardedPods = map[string]*answer.Way{}
		for _, w := range answer.Ways(p.Difference.Join, effective.Base) {
			open := p.Unprotected(effective.Base, w)
			for _, e := range backendsOf(w) {
				key := podsKey(e.Child.Object)
				if first, known := p.guardedPods[key]; !known || first != nil && open {
					p.guardedPods[key] = w
					if open {
						p.guardedPods[key] = nil
					}
				}
			}
		}
	}
	return p.guardedPods[podsKey(service)]
}

// podsKey identifies the pods of a Service: by its namespace and selector, or by its name if it has none.
func podsKey(service *loader.Object) string {
	selector := service.Spec().Get("selector")
	if selector.IsEmpty() {
		return service.ID.String()
	}
	digest := loader.Digest(loader.ID{Namespace: service.ID.Namespace}, selector)
	return string(digest[:])
}
