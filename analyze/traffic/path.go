package traffic

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/plan"
)

// answerAt returns what a port does with a request whose path its data plane normalises first. answered is true if a
// rule answers, or may.
func (t *tracer) answerAt(p *answer.Port, r *answer.Request) (out plan.Answer, answered bool) {
	how, resolves := t.paths(p, r)
	normal, known := answer.Normalise(r, how, resolves)
	sent := *r
	sent.Path = normal.Path
	switch {
	case !known:
		return t.answerEitherWay(p, r)
	case normal.Status != 0:
		return t.answerPath(p, r, normal), true
	}
	a := p.Answer(&sent)
	out = t.describe(&a, &sent)
	if sent.Path != r.Path {
		out.Why = clauses("the data plane matches the path as "+sent.Path, out.Why)
	}
	return out, a.Way != nil || len(a.Doubts) > 0
}

// answerPath is the answer to a path that is not matched: a redirect to its normal form, or a refusal.
func (t *tracer) answerPath(p *answer.Port, r *answer.Request, normal answer.Normal) plan.Answer {
	out := plan.Answer{Gateway: p.Gateway.String(), Port: p.Number, Outcome: plan.ByStatus, Status: normal.Status, Why: "the data plane does not accept the path"}
	if table := p.At(r); table != nil {
		out.Listener = table.Listeners[0].String()
	}
	if normal.Status < 400 {
		out.Outcome, out.Location, out.Why = plan.ByRedirect, normal.Path, "the data plane leads escaped slashes to the path without them"
	}
	return out
}

// answerEitherWay returns the answer of a data plane whose path normalisation is not known. The answer is known only if
// the same rule answers the path as it is sent and the path with dot segments resolved and repeated slashes merged.
func (t *tracer) answerEitherWay(p *answer.Port, r *answer.Request) (plan.Answer, bool) {
	const unknown = "how the data plane normalises the path is not known"
	normal, _ := answer.Normalise(r, implementation.Paths{Style: implementation.EnvoyPaths, MergesSlashes: true}, true)
	other := *r
	other.Path = normal.Path
	literal, resolved := p.Answer(r), p.Answer(&other)
	out := t.describe(&literal, r)
	if literal.Way == nil || resolved.Way == nil || literal.Way.Rule != resolved.Way.Rule {
		out.Outcome, out.Status = plan.NotKnown, 0
		for _, way := range []*answer.Way{literal.Way, resolved.Way} {
			if way != nil {
				out.Doubts = append(out.Doubts, contender(answer.Contender{Way: way, Why: unknown}))
			}
		}
	}
	out.Why = clauses(unknown, out.Why)
	return out, literal.Way != nil || resolved.Way != nil || len(literal.Doubts) > 0
}

// paths is how the listener that takes a request normalises its path, with the policies in force there. resolves is
// false if dots stay.
func (t *tracer) paths(p *answer.Port, r *answer.Request) (how implementation.Paths, resolves bool) {
	how, resolves = p.Paths(), true
	table := p.At(r)
	if table == nil || how.Policy.Name == "" {
		return how, resolves
	}
	context := answer.Above(table.Listeners[0])
	for _, k := range t.run.Attached.Kinds {
		if k.Group != how.Policy.Group || k.Name() != how.Policy.Name {
			continue
		}
		along := t.join.Along(k, effective.Head, context)
		for level := range hierarchy.LevelOutside {
			if along[level] == nil {
				continue
			}
			setting := func(path string) string {
				if path == "" {
					return ""
				}
				return along[level].Text(path)
			}
			boolean := func(path string, is *bool, negated bool) {
				if value, err := strconv.ParseBool(setting(path)); err == nil {
					*is = value != negated
				}
			}
			boolean(how.Normalizes, &resolves, false)
			boolean(how.Merges, &how.MergesSlashes, false)
			boolean(how.Separates, &how.MergesSlashes, true)
			if action, known := implementation.SlashWords[strings.TrimSpace(setting(how.Escaped))]; known {
				how.Slashes = action
			}
		}
	}
	return how, resolves
}
