package answer

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
)

// walk follows two lists of ways, of base and head, through all requests of one path atom. It decides
// one condition after the other, first true, then false, until both lists have answered, so every
// combination that is told apart is met exactly once.
type walk struct {
	lists [2][]*Way
	// found receives the answers of both lists, nil if none.
	found func(before, after *Way)
	// steps counts the conditions looked at; the walk ends when none are left.
	steps *int

	decided []decision
	// parts are the decisions so far by part of the request.
	parts map[partName]*partState
}

// decision is what is known of a part of a request: that it has a value, or that a condition for it does
// not hold.
type decision struct {
	condition
	holds bool
}

// condition is a condition with the part of a request that it is for.
type condition struct {
	part part
	Condition
}

// part is a part of a request beside the path.
type part uint8

const (
	methodPart part = iota
	headerPart
	paramPart
	cookiePart
)

type partName struct {
	part part
	name string
}

// partState is what is decided for a part: the condition that holds, nil if none, and those that do not.
type partState struct {
	holds   *Condition
	without map[Condition]bool
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
		for c := range way.Match.conditions {
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
		return way, i, open
	}
	return nil, i, nil
}

// decide follows the walk with one more decision.
func (w *walk) decide(at [2]int, c condition, holds bool) {
	key := partName{c.part, c.Name}
	if w.parts == nil {
		w.parts = map[partName]*partState{}
	}
	state := w.parts[key]
	if state == nil {
		state = &partState{without: map[Condition]bool{}}
		w.parts[key] = state
	}
	before := state.holds
	if holds {
		state.holds = &c.Condition
	} else {
		state.without[c.Condition] = true
	}
	w.decided = append(w.decided, decision{c, holds})
	w.run(at)
	w.decided = w.decided[:len(w.decided)-1]
	state.holds = before
	if !holds {
		delete(state.without, c.Condition)
	}
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
	case state.holds == nil:
		if state.without[c.Condition] {
			return fact.False
		}
		return fact.Unknown
	case state.holds.Form == regex: // no text of it is known
		return fact.Of(*state.holds == c.Condition)
	case c.Form == regex:
		ok, _ := matches(c.Value, state.holds.Value, "")
		return ok
	}
	return fact.Of(state.holds.Value == c.Value)
}

// branch decides a condition in each way that is possible.
func (w *walk) branch(at [2]int, c condition) {
	if *w.steps <= 0 {
		return
	}
	if c.Form != regex {
		w.decide(at, c, true)
	} else {
		values := w.values(c)
		for _, value := range values {
			chosen := c
			chosen.Form, chosen.Value = exact, value
			if w.possible(chosen) {
				w.decide(at, chosen, true)
			}
		}
		if len(values) == 0 {
			w.decide(at, c, true)
		}
	}
	w.decide(at, c, false)
}

// values are texts that a regular expression matches: those that other conditions for the same part ask
// for, and one for each combination of its expressions. There are none if that cannot be decided.
func (w *walk) values(c condition) []string {
	known := map[string]bool{}
	expressions := []string{c.Value}
	for _, list := range w.lists {
		for _, way := range list {
			for other := range way.Match.conditions {
				switch {
				case other.part != c.part || other.Name != c.Name:
				case other.Form == exact:
					known[other.Value] = true
				case !slices.Contains(expressions, other.Value):
					expressions = append(expressions, other.Value)
				}
			}
		}
	}
	all, ok := newAutomaton(expressions)
	if !ok {
		return nil
	}
	leads := map[string]bool{}
	for text := range known {
		for i := range text {
			leads[text[:i]] = true
		}
	}
	found, _ := all.texts(region{
		known: func(text string) bool { return known[text] }, leadsTo: func(text string) bool { return leads[text] },
		leaves: func(string, rune) bool { return false },
	})
	found = append(slices.Sorted(maps.Keys(known)), found...)
	return slices.DeleteFunc(found, func(text string) bool {
		matched, _ := matches(c.Value, text, "")
		return matched != fact.True
	})
}

// possible reports whether a text contradicts no condition that does not hold.
func (w *walk) possible(chosen condition) bool {
	state := w.parts[partName{chosen.part, chosen.Name}]
	if state == nil {
		return true
	}
	for c := range state.without {
		if c.Form == regex {
			if ok, _ := matches(c.Value, chosen.Value, ""); ok == fact.True {
				return false
			}
		} else if c.Value == chosen.Value {
			return false
		}
	}
	return true
}
