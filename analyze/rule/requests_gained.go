package rule

import (
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var requestsGained = &Rule{
	ID:       "requests-gained",
	Title:    "Requests are newly answered without authentication or authorisation",
	Severity: plan.Note,
	Why: "Nothing answered these requests before, and no policy and no setting protects them, while other routes of the environment " +
		"are protected. Where all siblings of the route are, route-escapes-policy reports it instead. Where nothing is protected at " +
		"all, this is no finding; `gwplan diff --no-new-access` fails for any such request. Where a filter refused the requests " +
		"before, with a status of the client's fault, this is a warning.",
	Fix:      "Attach a policy to the route, or accept the finding if everybody may send these requests.",
	Security: true,
	Compare:  compareGained,
}

func compareGained(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	reportAdmitted(p, report)
	e := p.Requests().escapes()
	var open groups[*hierarchy.Node, *answer.Way]
	for _, w := range e.gained {
		if !w.Certain || e.moved(w) || e.lacksAccess[w] || !p.Requests().Unprotected(effective.Head, w) {
			continue
		}
		open.add(w.Route, w)
	}
	if len(open.keys) == 0 || !e.somewhereProtected() {
		return
	}
	for _, route := range open.keys {
		gained := open.of[route]
		report(Hit{
			Target: route.String(), At: gained[0].Rule.Position(), Object: route.Object,
			Title: say("%s answers %s without authentication", route, requests(gained)), Requests: requests(gained),
			Detail: "nothing answered them before at this Gateway, and nothing authenticates or authorises them now",
		})
	}
}

// reportAdmitted reports requests that a filter or a policy refused before and that something unprotected answers now.
func reportAdmitted(p *Pair, report Report) {
	var admitted groups[*hierarchy.Node, *answer.Way]
	refusal := map[*hierarchy.Node]failing{}
	for _, passage := range p.Requests().Answered() {
		before, after := passage.Before, passage.After
		if len(passage.Doubts) > 0 || passage.Kept && !filtersDiffer(before, after) {
			continue // for a rule that stays, the effect of policies is reported as protection
		}
		if before == nil || after == nil || !before.Certain || !after.Certain || !p.Requests().Unprotected(effective.Head, after) || redirects(after) {
			continue
		}
		witness := passage.Witness()
		was := failingOf(p, effective.Base, before, witness)
		if was.written < 400 || was.written >= 500 || failingOf(p, effective.Head, after, witness).why != "" {
			continue
		}
		refusal[after.Rule] = was
		admitted.add(after.Rule, passage.Request)
	}
	for _, rule := range admitted.keys {
		report(Hit{
			Target: rule.Owner.String(), Key: []string{rule.String()}, At: refusal[rule].at, InBase: true, Object: rule.Object, Severity: plan.Warning,
			Title: say("%s answers %s, which were refused before, without authentication", rule, requests(admitted.of[rule])), Requests: requests(admitted.of[rule]),
			Detail: refusal[rule].by + " answered them with " + strconv.Itoa(refusal[rule].written),
		})
	}
}

// filtersDiffer reports whether the filters of two ways do.
func filtersDiffer(before, after *answer.Way) bool {
	return before != nil && after != nil && !loader.Equal(before.Rule.Value.Get("filters"), after.Rule.Value.Get("filters"))
}

// moved reports whether the same rule answered the requests of a way elsewhere at the same Gateway before, or at one
// that this one replaces, and does so no longer.
func (e *escapes) moved(w *answer.Way) bool {
	if e.arrived == nil {
		e.arrived = map[*answer.Way]bool{}
		_, moved := bothSided(e.pair)
		for _, passage := range moved {
			e.arrived[passage.After] = !e.pair.Requests().Relocated(&passage)
		}
	}
	return e.arrived[w]
}

// somewhereProtected reports whether something that base answered is authenticated or authorised.
func (e *escapes) somewhereProtected() bool {
	e.compare()
	return slices.ContainsFunc(e.old, func(s sibling) bool { return !e.pair.Requests().Unprotected(effective.Base, e.before[s.Way]) })
}
