package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

var routeEscapesPolicy = &Rule{
	ID:       "route-escapes-policy",
	Title:    "A new route has no policy of a kind that all its siblings have",
	Severity: Warning,
	Why: "Every other route on the same listener is under a policy of this kind, each by its own; the new route is under none. " +
		"Nobody edited a policy, and still something is served without it.",
	Fix:      "Attach a policy to the route, or one to the Gateway or Namespace above all of them.",
	Security: true,
	Compare:  compareEscapes,
}

// minSiblings is how many routes make a custom.
const minSiblings = 2

func compareEscapes(p *Pair, report Report) {
	join := p.Difference.Join
	if join == nil || p.Head == nil {
		return
	}
	isNew := func(at *effective.Joint) bool {
		return at.Nodes[effective.Head] != nil && at.Nodes[effective.Base] == nil
	}
	if !slices.ContainsFunc(join.Routes(), isNew) {
		return
	}
	for _, k := range p.Head.Run.Attached.Kinds {
		covered := coverage(join, k)
		for _, at := range join.Routes() {
			if !isNew(at) || covered[at.Nodes[effective.Head]] {
				continue
			}
			reportEscape(k, at.Nodes[effective.Head], covered, report)
		}
	}
}

// coverage tells which routes of head have an effective policy of a kind.
func coverage(join *effective.Join, k *policy.Kind) map[*hierarchy.Node]bool {
	covered := map[*hierarchy.Node]bool{}
	join.States(k, func(at *effective.Joint, flows []effective.Flow) bool {
		n := at.Nodes[effective.Head]
		if n == nil || at.Level != hierarchy.LevelRule {
			return true
		}
		for _, f := range flows {
			if f.States[effective.Head] > effective.Start {
				covered[n.Owner] = true
			}
		}
		return true
	})
	return covered
}

func reportEscape(k *policy.Kind, route *hierarchy.Node, covered map[*hierarchy.Node]bool, report Report) {
	for _, e := range route.Up {
		if !e.Open() {
			continue
		}
		siblings := 0
		for _, other := range e.Parent.Down {
			if other.Child == route || other.Child.Level != hierarchy.LevelRoute || !other.Open() {
				continue
			}
			if !covered[other.Child] {
				siblings = -1
				break
			}
			siblings++
		}
		if siblings >= minSiblings {
			report(Hit{
				Target: route.String(), Key: []string{k.String()}, At: first(route.Object), Object: route.Object,
				Message: fmt.Sprintf("%s has no %s; all %d other routes on %s have one", route, k.Name(), siblings, e.Parent),
			})
			return
		}
	}
}
