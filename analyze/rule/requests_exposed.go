package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

var requestsExposed = &Rule{
	ID:       "requests-exposed",
	Title:    "Requests that another rule answers now are protected less",
	Severity: plan.Error,
	Why: "Before the change another rule answered these requests, or the same one on another listener, and something protected " +
		"them there that does not protect them now: authentication, authorisation, TLS or a limit (errors), or it is weaker " +
		"(warnings). Where it is not known which requests a match takes, because its regular expression is not one of RE2 or " +
		"holds a variable, or what a program did that no longer runs for them, this is a warning that says so.",
	Fix:      "Protect the rule that answers now, or let the other one have precedence again: by its hostname, path or conditions.",
	Security: true,
	Compare:  compareExposed,
}

func compareExposed(p *Pair, report Report) {
	if p.Base != nil && p.Head != nil {
		reportWays(p, report)
		reportExchanged(p, report)
		reportDoubtful(p, report)
		reportPrograms(p, report)
	}
}

// reportPrograms reports requests that another rule answers now, on whose way a program that may have refused some of
// them is another one, or gone.
func reportPrograms(p *Pair, report Report) {
	type turn struct{ before, after, words string }
	var turns groups[turn, answer.Passage]
	for _, passage := range p.Requests().passages() {
		if passage.Kept || passage.Before == nil || passage.After == nil || p.Requests().Protection(&passage).Loses() {
			continue
		}
		changes, _ := effective.ProgramChanges(p.Requests().Programs(&passage))
		var words []string
		for _, c := range changes {
			switch {
			case c.Was == nil || c.Rewrites():
			case c.Is == nil:
				words = append(words, c.Was.Is+" no longer runs")
			default:
				words = append(words, c.Is.Is+" differs")
			}
		}
		if len(words) == 0 {
			continue
		}
		turns.add(turn{passage.Before.Rule.String(), passage.After.Rule.String(), strings.Join(words, ", ")}, passage)
	}
	for _, at := range turns.keys {
		first, taken := turns.of[at][0], classes(turns.of[at])
		line, related := p.handOver(first)
		report(Hit{
			Target: at.after, Key: []string{"programs", at.before, at.words}, At: line,
			Object: first.After.Route.Object, Severity: plan.Warning, Related: related,
			Title: fmt.Sprintf("Requests to %s perhaps lose protection", taken), Requests: taken,
			Detail: fmt.Sprintf("%s answers them now, %s did before: %s, and what it does is not computed", loader.Spoken(at.after), loader.Spoken(at.before), at.words),
		})
	}
}

// reportDoubtful reports requests that lose protection if a match takes them, which is not known.
func reportDoubtful(p *Pair, report Report) {
	for _, passage := range p.Requests().Answered() {
		if passage.Kept || len(passage.Doubts) == 0 || passage.Before == nil || passage.After == nil {
			continue
		}
		protection := p.Requests().Protection(&passage)
		if !protection.Loses() {
			continue
		}
		lost := slices.Concat(protection.Lost, protection.Other)
		line, related := p.handOver(passage)
		report(Hit{
			Target: passage.After.Rule.String(), Key: []string{"perhaps", passage.Before.Rule.String(), strings.Join(lost, ", ")}, At: line,
			Object: passage.After.Route.Object, Severity: plan.Warning, Related: related,
			Title: fmt.Sprintf("Requests to %s perhaps lose protection", classes([]answer.Passage{passage})), Requests: classes([]answer.Passage{passage}),
			Detail: say("%s perhaps answers them now, %s did before: %s; %s", passage.After.Rule, passage.Before.Rule, strings.Join(lost, ", "), passage.Doubts[0]),
		})
	}
}

// wayLosses are the forms of weaker protection for requests that another rule now answers.
var wayLosses = []lossForm{
	{key: "lost", severity: plan.Error, of: func(s protection.Shift) []protection.Field { return slices.Concat(s.Lost, s.Lowered) }, title: "%s lose %s", perhaps: "%s perhaps lose %s", detail: "%s of %s is gone"},
	{key: "weakened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return slices.Concat(s.Weakened, s.LetIn) }, title: "%s are less protected: %s is weaker", perhaps: "%s are perhaps less protected: %s is weaker", detail: "%s of %s is weaker"},
	{key: "loosened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return slices.Concat(s.Replaced, s.Edited) }, title: "%s are protected in another way: %s", perhaps: "%s are perhaps protected in another way: %s", detail: "%s of %s is not the same"},
}

// toHTTPS is the field of a rule that redirects browsers to https.
const toHTTPS = "/filters/RequestRedirect/https"

// reportWays reports the requests that lose protection because another rule now answers them. That
// rule was moved, added, or removed.
func reportWays(p *Pair, report Report) {
	losses := lostOnWays(p)
	for _, loss := range losses.keys {
		report(loss.hit(p, losses.of[loss]))
	}
}

// wayLoss is protection that the requests of one route lose where another one answers.
type wayLoss struct {
	before, after *effective.Joint
	kind          *catalogue.Kind
	key, fields   string
	// plain is true if only a redirect to https is lost.
	plain bool
	// words are the fields in the words of the title.
	words string
}

// lostOnWays returns the losses in the order of their requests, and the requests of each.
func lostOnWays(p *Pair) groups[wayLoss, answer.Passage] {
	var losses groups[wayLoss, answer.Passage]
	gone := detached(p)
	passages, moved := bothSided(p)
	for i, passage := range append(passages, moved...) {
		shifts := p.Requests().shiftBetween(&passage)
		var above map[*catalogue.Kind]protection.Shift
		if i >= len(passages) {
			above = p.Requests().shiftOfListeners(&passage)
		}
		for _, k := range append(p.Requests().protecting(), nil) {
			shift, differs := shifts[k]
			if above != nil && !gone[lostKind{k, passage.Before.Route.Target.ID}] && !gone[lostKind{k, passage.After.Route.Target.ID}] {
				shift, differs = above[k] // changes of the route and its rules tell the rest
			}
			if !differs || k == nil && movesAlone(p, &passage) {
				continue
			}
			shift = replaced(p, shift, k, &passage)
			for _, form := range wayLosses {
				fields := form.of(shift)
				if len(fields) == 0 {
					continue
				}
				what := listed(fields)
				losses.add(wayLoss{
					before: p.Difference.Join.Of(effective.Base, passage.Before.Route), after: p.Difference.Join.Of(effective.Head, passage.After.Route),
					kind: k, key: form.key, fields: what.words, plain: k == nil && len(fields) == 1 && fields[0].Path == toHTTPS, words: p.words(k, what.paths),
				}, passage)
			}
		}
	}
	return losses
}

// movesAlone reports whether the same rule answers at the same listener, which has another port. What the listener loses is a
// finding about the listener.
func movesAlone(p *Pair, passage *answer.Passage) bool {
	join := p.Difference.Join
	return join.Of(effective.Base, passage.Before.Rule) == join.Of(effective.Head, passage.After.Rule) &&
		join.Of(effective.Base, passage.Before.Listener) == join.Of(effective.Head, passage.After.Listener)
}

// hit is the finding about a loss, at the first of its requests.
func (l wayLoss) hit(p *Pair, passages []answer.Passage) Hit {
	form := wayLosses[slices.IndexFunc(wayLosses, func(form lossForm) bool { return form.key == l.key })]
	first := passages[0]
	lost := classes(passages)
	by, source := first.Before.Rule.String(), first.Before.Rule.Spoken()
	if l.kind != nil {
		by, source = l.kind.Name(), l.kind.Name()
	}
	turn := say("%s answers them now, %s did before", first.After.Rule, first.Before.Rule)
	if first.After.Rule.String() == first.Before.Rule.String() {
		turn = say("it is at %s now, it was at %s before", first.After.Listener, first.Before.Listener)
	}
	severity := form.severity
	title, detail := form.title, fmt.Sprintf(form.detail, l.fields, source)
	if l.plain && catchAll(first.Before) {
		if at, what := guardedOverTLS(p, first.After); at != nil {
			title, l.words = "%s over plain HTTP are answered without %s", what
			detail += say("; %s asks for %s", at, what)
		} else {
			severity = plan.Warning // the new route has its own hostname, over plain HTTP too
		}
	}
	if outside(first.After.Listener) && !outside(first.Before.Listener) { // what protects there is not in the input, either
		title, severity = form.perhaps, plan.Warning
	}
	line, related := p.handOver(first)
	return Hit{
		Target: first.After.Rule.String(), Key: []string{"way", l.key, by, l.fields, first.Before.Rule.String()}, At: line,
		Object: first.After.Route.Object, Severity: severity, Related: related,
		Title: fmt.Sprintf(title, "Requests to "+lost, l.words), Requests: lost,
		Detail: turn + "; " + detail,
	}
}

// guardedOverTLS returns a listener with TLS where the rule of a way asks for authentication or authorisation that is not asked
// for on this way, or nil.
func guardedOverTLS(p *Pair, w *answer.Way) (at *hierarchy.Node, what string) {
	asked := map[string]bool{}
	for _, g := range p.Requests().guards(effective.Head, w) {
		asked[g.What] = true
	}
	for _, e := range w.Route.Up {
		if !e.Open() || e.Parent.Value == nil || !hierarchy.HasTLS(e.Parent) {
			continue
		}
		other := *w
		other.Listener = e.Parent
		for _, g := range p.Requests().guards(effective.Head, &other) {
			if g.Admits() && !asked[g.What] {
				return e.Parent, g.What
			}
		}
	}
	return nil, ""
}

// outside reports whether a listener is not in the input.
func outside(listener *hierarchy.Node) bool { return listener.Object == nil }

// handOver returns the line of an edit by which another rule answers a request: in the route of that
// rule, or else in the route that no longer takes the request, or what makes it. If the same rule answers at another listener, it is the
// reference to that.
func (p *Pair) handOver(passage answer.Passage) (loader.Position, []plan.Related) {
	now := passage.After.Rule.Position()
	if rule := p.Difference.Join.Of(effective.Base, passage.Before.Rule); rule == p.Difference.Join.Of(effective.Head, passage.After.Rule) {
		for _, e := range passage.After.Route.Up {
			if e.Parent == passage.After.Listener && e.Ref != nil {
				return e.Position(), nil // the same rule at another listener
			}
		}
	}
	was := p.Difference.Join.Of(effective.Head, passage.After.Route).Nodes[effective.Base]
	if p.Lines.Hunks == nil || was == nil || was.Object == nil || was.Object.Digest != passage.After.Route.Object.Digest {
		return now, nil
	}
	at, edited := p.positions().within(passage.Before.Route.Object.ID.String())
	if !edited {
		at, edited = shownCause(p, passage.Before.Route.Target.String(), passage.Before.Listener.Target.ID.String())
	}
	if !edited {
		return now, nil
	}
	return at, []plan.Related{{
		Message: say("%s answers now", passage.After.Rule), Side: plan.InHead, File: now.File, Line: now.Line, Column: now.Column,
	}}
}

// shownCause returns the first line of the diff with an edit that changed one of some nodes, such as a patch in a kustomization.
func shownCause(p *Pair, nodes ...string) (loader.Position, bool) {
	for _, node := range nodes {
		for _, cause := range p.causes(node) {
			if at, ok := p.positions().shown(cause); ok {
				return at, true
			}
		}
	}
	return loader.Position{}, false
}

// bothSided returns the requests that a rule answers before and after. moved are those that the
// same rule answers on another Gateway than before.
func bothSided(p *Pair) (passages, moved []answer.Passage) {
	type request struct {
		rule *effective.Joint
		text string
	}
	left := map[request]*answer.Way{}
	for _, passage := range p.Requests().passages() {
		switch {
		case passage.Before != nil && passage.After != nil:
			passages = append(passages, passage)
		case passage.Before != nil:
			at := request{rule: p.Difference.Join.Of(effective.Base, passage.Before.Rule), text: passage.Before.String()}
			if left[at] == nil {
				left[at] = passage.Before
			}
		}
	}
	for _, passage := range p.Requests().passages() {
		if passage.Before != nil || passage.After == nil {
			continue
		}
		if before := left[request{rule: p.Difference.Join.Of(effective.Head, passage.After.Rule), text: passage.After.String()}]; before != nil {
			moved = append(moved, answer.Passage{Request: passage.Request, Before: before, After: passage.After})
		}
	}
	return passages, moved
}

// lostKind is a policy kind that a route no longer has.
type lostKind struct {
	kind  *catalogue.Kind
	route loader.ID
}

// detached returns the policy kinds that a route or one of its rules no longer has. A kind that a
// target has on both sides is compared by its contexts instead.
func detached(p *Pair) map[lostKind]bool {
	out := map[lostKind]bool{}
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		if c.Kind != plan.Detached {
			continue
		}
		k, _, _ := c.Effective()
		for _, t := range c.Targets {
			out[lostKind{kind: k, route: t.Target.ID()}] = k != nil
		}
	}
	return out
}

// replaced moves lost protection to Replaced if another policy kind, or an object itself, now gives
// it to the requests. What protected them before, too, replaces nothing.
func replaced(p *Pair, s protection.Shift, k *catalogue.Kind, passage *answer.Passage) protection.Shift {
	if len(s.Lost) == 0 {
		return s
	}
	guards, before := p.Requests().guards(effective.Head, passage.After), p.Requests().guards(effective.Base, passage.Before)
	elsewhere := func(f protection.Field) bool {
		return slices.ContainsFunc(guards, func(g guard) bool {
			return g.What == f.What && (k == nil || g.by != k.Name()) &&
				!slices.ContainsFunc(before, func(b guard) bool { return b.What == g.What && b.by == g.by })
		})
	}
	lost := s.Lost
	s.Lost = nil
	for _, f := range lost {
		if elsewhere(f) {
			s.Replaced = append(s.Replaced, f)
		} else {
			s.Lost = append(s.Lost, f)
		}
	}
	return s
}
