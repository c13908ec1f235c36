package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Before returns the rules that take some requests of a way of a hostname, because a match of theirs has
// precedence and accepts them, too; of expressions and variables as far as it cannot be excluded.
func (h *Host) Before(i int, all Patterns) []*hierarchy.Node {
	var out []*hierarchy.Node
	way := h.Ways[i]
	for _, other := range h.Ways[:i] {
		if other.Rule != way.Rule && other.Callers == way.Callers && !slices.Contains(out, other.Rule) && all.meet(other.Match, way.Match) {
			out = append(out, other.Rule)
		}
	}
	return out
}

// Patterns keeps the regular expressions of matches that are compared.
type Patterns struct{ compiled patterns }

// NewPatterns returns an empty one.
func NewPatterns() Patterns { return Patterns{patterns{}} }

// meet reports whether there may be a request that both matches accept.
func (all Patterns) meet(m, o *Match) bool {
	if m.Method != "" && o.Method != "" && m.Method != o.Method || !all.pathsMeet(m, o) {
		return false
	}
	for _, pair := range [][2][]Condition{{m.Headers, o.Headers}, {m.Params, o.Params}, {m.Cookies, o.Cookies}} {
		for _, c := range pair[0] {
			for _, d := range pair[1] {
				if c.Name == d.Name && !all.valuesMeet(c.Form, c.Value, d.Form, d.Value) {
					return false
				}
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
		return begin(all.compiled.of(o.Path).begins, strings.TrimSuffix(m.Path, "/"))
	case o.Form == prefix:
		return begin(all.compiled.of(m.Path).begins, strings.TrimSuffix(o.Path, "/"))
	}
	return all.valuesMeet(m.Form, m.Path, o.Form, o.Path)
}

// covers reports whether a prefix covers a path.
func (m *Match) covers(path string) bool { return m.Path == "/" || under(path, m.Path) }

// valuesMeet reports whether a text may satisfy two conditions.
func (all Patterns) valuesMeet(form, value, otherForm, other string) bool {
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
	return begin(all.compiled.of(value).begins, all.compiled.of(other).begins)
}

// begin reports whether a text may begin with both.
func begin(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }
