package answer

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// walk follows two lists of ways, of base and head, through all requests of one path atom. It decides
// one condition after the other, first true, then false, until both lists have answered, so every
// combination that is told apart is met exactly once. A condition that cannot be compared with others (an
// expression that RE2 does not have, a variable that is not resolved) is decided both ways, and what
// follows from that is in doubt.
type walk struct {
	lists [2][]taker
	// found receives the answers of both lists, nil if none.
	found func(before, after *Way)
	// steps counts the conditions looked at; the walk ends when none are left.
	steps    *int
	patterns patterns

	decided []decision
	// parts are the decisions so far by part of the request.
	parts map[partName]*partState
	// chosen keeps the texts of values.
	chosen map[condition][]value
}

// decision is what is known of a part of a request: that it has a value, or that a condition for it does
// not hold. The value is an example if others are taken for it: they match the same expressions. doubt says
// why the condition could not be compared with others, if it could not.
type decision struct {
	condition
	holds, example bool
	doubt          string
}

// condition is a condition with the part of a request that it is for.
type condition struct {
	part part
	Condition
}

// part is a part of a request.
type part uint8

const (
	methodPart part = iota
	headerPart
	paramPart
	cookiePart
	// pathPart is the path, as far as its atom does not decide it.
	pathPart
)

type partName struct {
	part part
	name string
}

// partState is what is decided for a part: its text or an example, if one is known, the conditions that hold,
// and those that do not.
type partState struct {
	text          *string
	example       bool
	with, without map[Condition]bool
}

// doubts are why some decisions could not be compared with others.
func (w *walk) doubts() []string {
	var out []string
	for _, d := range w.decided {
		if d.doubt != "" && !slices.Contains(out, d.doubt) {
			out = append(out, d.doubt)
		}
	}
	return out
}

func (w *walk) run(at [2]int) {
	var answers [2]*Way
	for side := range w.lists {
		way, i, open := w.next(side, at[side])
		at[side] = i
		if open != nil {
			w.branch(at, *open)
			return
		}
		answers[side] = way
	}
	w.found(answers[0], answers[1])
}

// next returns the first way of a list, from i on, that takes the request. If it depends on something
// that is not decided yet, it returns that condition.
func (w *walk) next(side, i int) (*Way, int, *condition) {
ways:
	for ; i < len(w.lists[side]); i++ {
		way := w.lists[side][i]
		*w.steps--
		var open *condition
		for c := range way.conditions {
			*w.steps--
			switch w.evaluate(c) {
			case fact.False:
				continue ways
			case fact.Unknown:
				if open == nil {
					open = &c
				}
			case fact.True:
			}
		}
		return way.Way, i, open
	}
	return nil, i, nil
}

// conditions visits the conditions of a way: that for the path if its atom does not decide it, and those of
// its match for other parts.
func (t taker) conditions(visit func(condition) bool) {
	if t.unsure && !visit(condition{pathPart, Condition{Form: t.Match.Form, Value: t.Match.Path}}) {
		return
	}
	t.Match.conditions(visit)
}

// decide follows the walk with one more decision.
func (w *walk) decide(at [2]int, d decision) {
	key := partName{d.part, d.Name}
	if w.parts == nil {
		w.parts = map[partName]*partState{}
	}
	state := w.parts[key]
	if state == nil {
		state = &partState{with: map[Condition]bool{}, without: map[Condition]bool{}}
		w.parts[key] = state
	}
	before, into := *state, state.without
	if d.holds {
		into = state.with
		if d.Form == exact && d.doubt == "" {
			state.text, state.example = &d.Value, d.example
		}
	}
	into[d.Condition] = true
	w.decided = append(w.decided, d)
	w.run(at)
	w.decided = w.decided[:len(w.decided)-1]
	delete(into, d.Condition)
	state.text, state.example = before.text, before.example
}

// conditions visits the conditions of a match beside that for the path.
func (m *Match) conditions(visit func(condition) bool) {
	if m.Method != "" && !visit(condition{methodPart, Condition{Form: exact, Value: m.Method}}) {
		return
	}
	for _, c := range m.Headers {
		if !visit(condition{headerPart, c}) {
			return
		}
	}
	for _, c := range m.Params {
		if !visit(condition{paramPart, c}) {
			return
		}
	}
	for _, c := range m.Cookies {
		if !visit(condition{cookiePart, c}) {
			return
		}
	}
}

// evaluate reports whether a condition holds, as far as it follows from the decisions.
func (w *walk) evaluate(c condition) fact.Fact {
	state := w.parts[partName{c.part, c.Name}]
	switch {
	case state == nil:
		return fact.Unknown
	case state.with[c.Condition]:
		return fact.True
	case state.without[c.Condition]:
		return fact.False
	case state.text == nil || loader.Placeholder(c.Value):
		return fact.Unknown
	case c.Form == regex:
		if p := w.patterns.of(c.Value); p.program != nil || !state.example {
			return p.matches(*state.text)
		}
		return fact.Unknown // other texts of the example may differ
	}
	return fact.Of(*state.text == c.Value)
}

// branch decides a condition in each way that is possible.
func (w *walk) branch(at [2]int, c condition) {
	if *w.steps <= 0 {
		return
	}
	doubt := w.doubt(c)
	if doubt == "" && c.Form == regex {
		values, whole := w.values(c)
		for _, v := range values {
			chosen := c
			chosen.Form, chosen.Value = exact, v.text
			w.choose(at, chosen, v.example)
		}
		if whole {
			w.decide(at, decision{condition: c})
			return
		}
		doubt = fmt.Sprintf("too many regular expressions for %s %s", c.part, c.Name)
	}
	if doubt == "" {
		w.choose(at, c, false)
		w.decide(at, decision{condition: c})
		return
	}
	w.decide(at, decision{condition: c, holds: true, doubt: doubt})
	w.decide(at, decision{condition: c, doubt: doubt})
}

// doubt says why a condition cannot be compared with others for the same part, or is empty.
func (w *walk) doubt(c condition) string {
	state := w.parts[partName{c.part, c.Name}]
	switch {
	case loader.Placeholder(c.Value):
		return fmt.Sprintf("%s holds a variable that is not resolved", c)
	case c.part == pathPart && w.patterns.of(c.Value).compiled != nil:
		return fmt.Sprintf("what %s matches is not decided here", c)
	case c.Form != regex:
	case w.patterns.of(c.Value).compiled == nil:
		return "it is not known what " + c.String() + " matches: RE2 has no such syntax"
	case w.patterns.of(c.Value).program == nil && (state == nil || state.text == nil || state.example):
		return fmt.Sprintf("what %s matches is not decided here", c)
	}
	return ""
}

func (p part) String() string {
	return [...]string{"method", "header", "query parameter", "cookie", "path"}[p]
}

// String describes a condition with its part: "header x-canary=1".
func (c condition) String() string {
	if c.Name == "" {
		return c.part.String() + " " + c.Value
	}
	return c.part.String() + " " + c.Condition.String()
}

// choose decides that a part has a text, unless that contradicts another decision.
func (w *walk) choose(at [2]int, c condition, example bool) {
	d := decision{condition: c, holds: true, example: example}
	if state := w.parts[partName{c.part, c.Name}]; state != nil {
		for _, set := range []map[Condition]bool{state.with, state.without} {
			for other := range set {
				holds := fact.Unknown
				switch {
				case loader.Placeholder(other.Value):
				case other.Form == regex:
					holds = w.patterns.of(other.Value).matches(c.Value)
				default:
					holds = fact.Of(other.Value == c.Value)
				}
				if holds != fact.Unknown && (holds == fact.True) != state.with[other] {
					return
				}
			}
		}
	}
	w.decide(at, d)
}

// value is a text of a part; as an example it stands for others that match the same expressions.
type value struct {
	text    string
	example bool
}

// values are texts that a regular expression matches: those that other conditions for the same part ask
// for, and one for each combination of its expressions. They are not whole if that cannot be decided.
func (w *walk) values(c condition) (out []value, whole bool) {
	if found, known := w.chosen[c]; known {
		return found, found != nil
	}
	known := map[string]bool{}
	own := w.patterns.of(c.Value)
	run, seen := []*pattern{own}, map[string]bool{c.Value: true}
	for _, list := range w.lists {
		for _, way := range list {
			for other := range way.Match.conditions {
				switch {
				case other.part != c.part || other.Name != c.Name || loader.Placeholder(other.Value):
				case other.Form == exact:
					known[other.Value] = true
				case !seen[other.Value]:
					seen[other.Value] = true
					if one := w.patterns.of(other.Value); one.program != nil {
						run = append(run, one)
					}
				}
			}
		}
	}
	leads := map[string]bool{}
	for text := range known {
		for i := range text {
			leads[text[:i]] = true
		}
	}
	found, whole := newAutomaton(run, c.part, w.steps).texts(region{
		known: func(text string) bool { return known[text] }, leadsTo: func(text string) bool { return leads[text] },
		leaves: func(string, rune) bool { return false },
	})
	if w.chosen == nil {
		w.chosen = map[condition][]value{}
	}
	if !whole {
		w.chosen[c] = nil
		return nil, false
	}
	out = []value{}
	for _, text := range slices.Sorted(maps.Keys(known)) {
		out = append(out, value{text: text})
	}
	for _, text := range found {
		out = append(out, value{text: text, example: true})
	}
	w.chosen[c] = slices.DeleteFunc(out, func(v value) bool { return own.matches(v.text) != fact.True })
	return w.chosen[c], true
}
