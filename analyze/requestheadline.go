package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

// requestVerbs say what becomes of requests of a class.
var requestVerbs = map[plan.RequestClass]string{
	plan.RequestsExposed: "less protected", plan.RequestsLost: "no longer answered", plan.RequestsMoved: "answered by another rule",
	plan.RequestsChanged: "answered differently", plan.RequestsGained: "newly answered", plan.RequestsGuarded: "more protected",
}

// requestHeadline describes what happens to requests if no target changes, for example if the order of two rules that
// match the same requests changes. It is "" if all requests are answered as before.
func requestHeadline(p *plan.Plan) string {
	var all []*plan.RequestChange
	for i := range p.Environments {
		for j := range p.Environments[i].Requests {
			r := &p.Environments[i].Requests[j]
			if !slices.ContainsFunc(all, func(other *plan.RequestChange) bool {
				return other.Class == r.Class && slices.Equal(other.Requests, r.Requests)
			}) {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	worst := slices.MinFunc(all, func(a, b *plan.RequestChange) int { return cmp.Compare(a.Class.Rank(), b.Class.Rank()) })
	are := " are "
	if worst.Class == plan.RequestsUnknown || !worst.Certain {
		are = " are perhaps "
	}
	said := "requests to " + worst.Requests[0] + spelling.More(worst.Count-1) + are + requestVerbs[worst.Effect()]
	if more := len(all) - 1; more > 0 {
		said += "; and " + spelling.Count(more, "more change") + " of requests"
	}
	return brief(said)
}
