package answer

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Shadow is a way that answers no request, because others with precedence take all of its requests.
type Shadow struct {
	Way *Way
	// By is a way that takes all of them; nil if several take them together.
	By *Way
}

// Distinct returns the tables of ports without those that have the same routes with the same hostnames as
// an earlier one, where the same rules answer.
func Distinct(ports []*Port) []*Table {
	var out []*Table
	byRoute := map[*hierarchy.Node][]*Table{}
	for _, p := range ports {
		for _, t := range p.Tables {
			if len(t.edges) == 0 || slices.ContainsFunc(byRoute[t.edges[0].Child], t.like) {
				continue
			}
			byRoute[t.edges[0].Child] = append(byRoute[t.edges[0].Child], t)
			out = append(out, t)
		}
	}
	return out
}

func (t *Table) like(other *Table) bool {
	return t.port.own == other.port.own && t.port.preserves() == other.port.preserves() && slices.EqualFunc(t.edges, other.edges, func(a, b *hierarchy.Edge) bool {
		return a.Child == b.Child && a.Admitted == b.Admitted && a.Callers == b.Callers && slices.Equal(a.Hostnames, b.Hostnames)
	})
}

// Shadowed returns the ways of a hostname that answer no request, in order of precedence. whole is false
// if there are too many conditions to decide it; no way is returned then.
func (h *Host) Shadowed() (shadows []Shadow, whole bool) {
	if len(h.Ways) < 2 {
		return nil, true
	}
	// What is not certain takes nothing from others, and neither does what only some callers use.
	var ways []*Way
	for _, w := range h.Ways {
		if w.Certain && w.Callers == "" && !w.Match.open() {
			ways = append(ways, w)
		}
	}
	reached := map[*Way]bool{}
	steps := maxSteps / 10
	x := newIndex(ways, patterns{}, &steps)
	for _, a := range atoms(x) {
		w := walk{steps: &steps, patterns: x.patterns, lists: [2][]taker{x.accepting(ways, a), nil}}
		w.found = func(way, _ *Way) { reached[way] = true }
		w.run([2]int{})
		if steps <= 0 {
			return nil, false
		}
	}
	earlier := byPath{}
	for i, way := range ways {
		if !reached[way] {
			shadows = append(shadows, Shadow{Way: way, By: earlier.taker(ways, way.Match)})
		}
		earlier.add(i, way.Match)
	}
	return shadows, true
}

// byPath are the indexes of ways by the condition for their paths.
type byPath map[pathCondition][]int

type pathCondition struct{ form, path string }

func (p byPath) add(i int, m *Match) {
	at := pathCondition{m.Form, m.Path}
	p[at] = append(p[at], i)
}

// taker returns the first way that takes the request that a match represents, or nil. Only ways of the same
// path or of one above it can.
func (p byPath) taker(ways []*Way, m *Match) *Way {
	first := len(ways)
	ask := func(at pathCondition) {
		for _, i := range p[at] {
			if i >= first {
				return
			}
			if ways[i].Match.Covers(m) {
				first = i
				return
			}
		}
	}
	ask(pathCondition{m.Form, m.Path})
	ask(pathCondition{prefix, "/"})
	if m.Form != regex {
		path := m.witness()
		for i := range path {
			if path[i] == '/' && i > 0 {
				ask(pathCondition{prefix, path[:i]})
			}
		}
		ask(pathCondition{prefix, path})
	}
	if first == len(ways) {
		return nil
	}
	return ways[first]
}

// open reports whether a match holds a variable that is not resolved.
func (m *Match) open() bool {
	if loader.Placeholder(m.Path) {
		return true
	}
	for c := range m.conditions {
		if loader.Placeholder(c.Value) {
			return true
		}
	}
	return false
}
