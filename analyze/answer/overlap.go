package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Before returns the rules that take some requests of a way of a hostname, because a match of theirs has
// precedence and accepts them, too; of variables, and of expressions that take too long to compare, as far as it cannot be excluded.
// reached tells of the ways that get requests at all.
func (h *Host) Before(i int, all Patterns, reached func(*Way) bool) []*hierarchy.Node {
	var out []*hierarchy.Node
	way := h.Ways[i]
	for _, other := range h.Ways[:i] {
		if other.Rule != way.Rule && reached(other) && other.Callers == way.Callers && !slices.Contains(out, other.Rule) && all.meet(other.Match, way.Match) {
			out = append(out, other.Rule)
		}
	}
	return out
}

// Patterns keeps the regular expressions of matches that are compared, and what comparing them may still cost.
type Patterns struct {
	compiled patterns
	steps    *int
}

// NewPatterns returns an empty one.
func NewPatterns() Patterns {
	steps := maxSteps
	return Patterns{patterns{}, &steps}
}

// meet reports whether there may be a request that both matches accept.
func (all Patterns) meet(m, o *Match) bool {
	if m.Method != "" && o.Method != "" && m.Method != o.Method || !all.pathsMeet(m, o) {
		return false
	}
	return all.conditionsMeet(headerPart, m.Headers, o.Headers) && all.conditionsMeet(paramPart, m.Params, o.Params) &&
		all.conditionsMeet(cookiePart, m.Cookies, o.Cookies)
}

func (all Patterns) conditionsMeet(text part, list, others []Condition) bool {
	for _, c := range list {
		for _, d := range others {
			if c.Name == d.Name && !all.valuesMeet(text, c.Form, c.Value, d.Form, d.Value) {
				return false
			}
		}
	}
	return true
}

func (all Patterns) pathsMeet(m, o *Match) bool {
	switch {
	case loader.Placeholder(m.Path) || loader.Placeholder(o.Path):
		return true
	case m.Form == prefix && o.Form == prefix:
		return m.covers(o.Path) || o.covers(m.Path)
	case m.Form == prefix && o.Form == exact:
		return m.covers(o.Path)
	case m.Form == exact && o.Form == prefix:
		return o.covers(m.Path)
	case m.Form == prefix:
		return all.prefixMeets(m.Path, o.Path)
	case o.Form == prefix:
		return all.prefixMeets(o.Path, m.Path)
	}
	return all.valuesMeet(pathPart, m.Form, m.Path, o.Form, o.Path)
}

// prefixMeets reports whether a path below a prefix may match an expression.
func (all Patterns) prefixMeets(prefix, expression string) bool {
	start, of := strings.TrimSuffix(prefix, "/"), all.compiled.of(expression)
	leaves := func(text string, next rune) bool { return text == start && start != "" && next != '/' }
	return begin(of.begins, start) && all.some(pathPart, region{start: start, leaves: leaves}, of)
}

// some reports whether some text of a region may match all of some expressions.
func (all Patterns) some(text part, in region, expressions ...*pattern) bool {
	if *all.steps <= 0 || slices.ContainsFunc(expressions, func(p *pattern) bool { return p.program == nil || p.compiled == nil }) {
		return true
	}
	none := func(string) bool { return false }
	in.known, in.leadsTo = none, none
	found, whole := newAutomaton(expressions, text, all.steps).texts(in)
	return !whole || slices.ContainsFunc(found, func(text string) bool {
		return !slices.ContainsFunc(expressions, func(p *pattern) bool { return p.matches(text) == fact.False })
	})
}

// covers reports whether a prefix covers a path.
func (m *Match) covers(path string) bool { return m.Path == "/" || under(path, m.Path) }

// valuesMeet reports whether a text may satisfy two conditions.
func (all Patterns) valuesMeet(text part, form, value, otherForm, other string) bool {
	switch {
	case loader.Placeholder(value) || loader.Placeholder(other):
		return true
	case form != regex && otherForm != regex:
		return value == other
	case form != regex:
		return all.compiled.of(other).matches(value) != fact.False
	case otherForm != regex:
		return all.compiled.of(value).matches(other) != fact.False
	}
	a, b := all.compiled.of(value), all.compiled.of(other)
	anywhere := func(string, rune) bool { return false }
	return begin(a.begins, b.begins) && all.some(text, region{leaves: anywhere}, a, b)
}

// begin reports whether a text may begin with both.
func begin(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }
