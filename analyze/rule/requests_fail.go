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

var requestsFail = &Rule{
	ID:       "requests-fail",
	Title:    "Requests that were answered fail by what a route or a policy says",
	Severity: plan.Error,
	Why: "Nothing is wrong with the objects, but their rule has no backend left that gets requests: none is listed, all have the " +
		"weight 0, or the Services have no endpoints. The Gateway answers with 500 or 503 itself (Gateway API, " +
		"HTTPRouteRule.backendRefs). Where a filter or a policy answers all requests with an error, somebody wrote that on purpose, " +
		"and this is a warning.",
	Fix:     "Give a backend a weight, or remove the match if its requests should get 404.",
	Compare: compareFailing,
}

func compareFailing(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	var rules groups[*hierarchy.Node, *answer.Way]
	fails := map[*hierarchy.Node]failing{}
	for _, passage := range p.Requests().Answered() {
		before, after := passage.Before, passage.After
		if before == nil || after == nil || !before.Certain || !after.Certain || len(passage.Doubts) > 0 {
			continue
		}
		witness := passage.Witness()
		f := failingOf(p, effective.Head, after, witness)
		if f.why == "" || failingOf(p, effective.Base, before, witness).why != "" {
			continue
		}
		fails[after.Rule] = f
		rules.add(after.Rule, passage.Request)
	}
	for _, rule := range rules.keys {
		f := fails[rule]
		hit := Hit{Target: rule.Owner.String(), Key: []string{rule.String()}, At: f.at, Object: rule.Object, Title: say("%s answers %s with an error", rule, requests(rules.of[rule])), Requests: requests(rules.of[rule]), Detail: f.why, Subject: rule.Spoken(), Statement: f.why}
		if f.written != 0 {
			hit.Severity = plan.Warning
		}
		report(hit)
	}
}

// failing says why the requests of a way fail. why is empty if they do not, or if another rule says it.
type failing struct {
	why string
	at  loader.Position
	// written is the error that a filter or a policy answers with, or 0, and by names that.
	written int
	by      string
}

// answering is a failure that somebody wrote on purpose: a policy or a filter that answers with an error.
func answering(by string, status int, at loader.Position) failing {
	return failing{why: by + " answers them with " + strconv.Itoa(status), at: at, written: status, by: by}
}

// failingOf says why the requests of a way fail: because a policy or a filter answers them with an error, or because no
// backend gets them.
func failingOf(p *Pair, side effective.Side, w *answer.Way, r *answer.Request) failing {
	for _, a := range p.Difference.Join.DirectAnswers(side, w.Context()) {
		if a.Share == "" && a.Status >= 400 && a.Object != nil {
			return answering(say("%s", a.Object.ID), a.Status, a.At)
		}
	}
	o := answer.OutcomeOf(w, r)
	if o.Status >= 400 {
		for _, s := range o.Steps {
			if s.Action == answer.Answers {
				return answering("a filter", o.Status, s.At)
			}
			if s.Action == answer.Fails {
				return failing{}
			}
		}
	}
	if o.Location != "" || o.Status != 0 && o.Status < 400 || w.Extended() {
		return failing{}
	}
	getting := slices.DeleteFunc(slices.Clone(o.Backends), func(b answer.Backend) bool { return b.Weight == 0 })
	switch {
	case len(o.Backends) == 0:
		return failing{why: "it has no backend", at: w.Rule.Position()}
	case len(getting) == 0:
		return failing{why: "all of its backends have the weight 0", at: o.Backends[0].At}
	case !slices.ContainsFunc(getting, func(b answer.Backend) bool { return !b.WithoutEndpoints() }):
		return failing{why: getting[0].Why, at: getting[0].At}
	}
	return failing{}
}
