package traffic

import (
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// OutcomeOf is what the rule of a way and the policies in force there do with a request.
func OutcomeOf(j *effective.Join, side effective.Side, w *answer.Way, r *answer.Request) plan.Answer {
	var out plan.Answer
	describeOutcome(&out, w, r)
	answerByPolicies(&out, j, side, w)
	return out
}

// describeOutcome adds what a rule does with a request, without the policies.
func describeOutcome(out *plan.Answer, w *answer.Way, r *answer.Request) {
	outcome := answer.OutcomeOf(w, r)
	out.Status, out.Location = outcome.Status, outcome.Location
	for _, s := range outcome.Steps {
		out.Steps = append(out.Steps, plan.TraceStep{
			What: s.String(), Action: string(s.Action), Name: s.Name, Value: s.Value, Backend: s.Backend, File: s.At.File, Line: s.At.Line,
		})
	}
	for _, b := range outcome.Backends {
		out.Backends = append(out.Backends, plan.TraceBackend{Backend: b.Name, Weight: b.Weight, Total: b.Total, Status: b.Status, Why: b.Why, File: b.At.File, Line: b.At.Line})
	}
	if out.Outcome == "" {
		switch {
		case outcome.Location != "":
			out.Outcome = plan.ByRedirect
		case outcome.Status != 0:
			out.Outcome = plan.ByStatus
		case len(outcome.Backends) == 0 && !w.Extended():
			out.Outcome = plan.Refused
		default:
			out.Outcome = plan.ByBackend
		}
	}
}

// sent lists the headers of a request, NAME: VALUE.
func sent(r *answer.Request) []string {
	var out []string
	for _, h := range r.Headers {
		out = append(out, h.Name+": "+effective.Shown(h.Name, h.Value))
	}
	return out
}

// clauses joins two explanations, of which either may be empty.
func clauses(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
