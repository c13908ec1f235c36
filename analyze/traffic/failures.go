package traffic

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// failure is a policy in force that cannot be used: the requests that reach its target fail.
type failure struct {
	at  *hierarchy.Node
	why string
}

// failureStatus is what a Gateway answers where a policy in force cannot be used.
const failureStatus = 500

// answerByPolicies adds what policies in force on a way make of the answer of its rule: they answer themselves, or cannot
// be used, and then requests fail, also those that the rule redirects or answers (Envoy Gateway,
// internal/xds/translator/route.go, buildXdsRoute; kgateway, irtranslator/route.go, replaces the route).
func answerByPolicies(out *plan.Answer, j *effective.Join, side effective.Side, w *answer.Way) {
	if directAnswers(out, j, side, w) {
		return
	}
	failures := failuresOf(j, side, w)
	if out.Outcome != plan.ByBackend && slices.ContainsFunc(failures, failure.ofAll) {
		// Nothing of what the rule would do is done.
		out.Steps, out.Location, out.Why = nil, "", ""
	}
	for _, f := range failures {
		f.applyTo(out)
	}
}

// directAnswers adds what policies answer themselves: all requests of a way, which it reports, or a share of them.
func directAnswers(out *plan.Answer, j *effective.Join, side effective.Side, w *answer.Way) (all bool) {
	for _, a := range j.DirectAnswers(side, w.Context()) {
		if a.Object == nil || out.Outcome != plan.ByBackend {
			continue
		}
		by := fmt.Sprintf("by %s %s", a.Object.ID.Kind, path.Join(a.Object.ID.Namespace, a.Object.ID.Name))
		step := plan.TraceStep{What: fmt.Sprintf("answers %d %s", a.Status, by), Action: string(answer.Answers), Value: fmt.Sprint(a.Status), File: a.At.File, Line: a.At.Line}
		if a.Share != "" {
			step.What = fmt.Sprintf("answers %d to %s %% of requests %s", a.Status, a.Share, by)
			step.Action, step.Name = string(answer.AnswersSome), a.Share
		} else {
			out.Outcome, out.Status = plan.ByStatus, a.Status
			all = true
		}
		out.Steps = append(out.Steps, step)
	}
	return all
}

// failuresOf returns the policies in force on a way, or at its backends, that make requests fail.
func failuresOf(j *effective.Join, side effective.Side, w *answer.Way) []failure {
	var out []failure
	seen := map[failure]bool{}
	for _, k := range j.Runs[side].Failing {
		for _, nodes := range w.Contexts() {
			along := j.Along(k, side, nodes)
			for _, n := range effective.Lowest(nodes) {
				p := along[n.Level]
				if p == nil {
					continue
				}
				for _, share := range p.Shares {
					f := failure{n, share.Failing}
					if f.why != "" && share.Enforcement != plan.Overridden && share.Policy.Touches(n.Level) && !seen[f] {
						seen[f], out = true, append(out, f)
					}
				}
			}
		}
	}
	return out
}

// ofAll reports whether all requests of the way fail, and not only those of a backend.
func (f failure) ofAll() bool { return f.at.Level < hierarchy.LevelBackend }

// applyTo says in an answer that requests fail: those of a backend, or all of them.
func (f failure) applyTo(out *plan.Answer) {
	if f.ofAll() {
		out.Outcome, out.Status, out.Why = plan.ByStatus, failureStatus, clauses(out.Why, f.why)
		return
	}
	backend := f.at
	if f.at.Owner != nil {
		backend = f.at.Owner
	}
	usable := false
	for i := range out.Backends {
		if b := &out.Backends[i]; b.Status == 0 && strings.HasPrefix(b.Backend+":", backend.String()+":") {
			b.Status, b.Why = failureStatus, f.why
		}
		usable = usable || out.Backends[i].Status == 0 && out.Backends[i].Weight > 0
	}
	if !usable && out.Outcome == plan.ByBackend {
		out.Outcome, out.Status = plan.ByStatus, failureStatus
	}
}
