package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// atom is a set of paths that the same matches accept: one path, everything below a prefix that no
// longer one takes, or what a regular expression matches that cannot be decided.
type atom struct {
	// path is a path of the set. below is true for all paths below a prefix; path then ends with inner,
	// for which a witness has segment.
	path, segment string
	below         bool
	// expression is the regular expression of a set of which no path is known.
	expression string
}

// index finds the ways of a hostname by their conditions for the path.
type index struct {
	exact, prefixes map[string][]int
	// regexes are the ways with each regular expression, in order of the expressions.
	regexes     map[string][]int
	expressions []string
}

func newIndex(ways []*Way) *index {
	x := &index{exact: map[string][]int{}, prefixes: map[string][]int{}, regexes: map[string][]int{}}
	for i, w := range ways {
		if loader.Placeholder(w.Match.Path) {
			continue // its value is not known
		}
		at := x.regexes
		switch w.Match.Form {
		case exact:
			at = x.exact
		case prefix:
			at = x.prefixes
		default:
			if x.regexes[w.Match.Path] == nil {
				x.expressions = append(x.expressions, w.Match.Path)
			}
		}
		// After a way that accepts every request of the path, no other one with this path is reached.
		if list := at[w.Match.Path]; len(list) == 0 || !ways[list[len(list)-1]].Match.unconditional() {
			at[w.Match.Path] = append(list, i)
		}
	}
	slices.Sort(x.expressions)
	return x
}

// accepting returns the ways that accept the paths of an atom, in order of precedence. Those after one
// that accepts every request of these paths are left out.
func (x *index) accepting(ways []*Way, a atom) []*Way {
	var found []int
	if a.expression != "" {
		found = append(found, x.regexes[a.expression]...)
		found = append(found, x.prefixes["/"]...)
	} else {
		if !a.below {
			found = append(found, x.exact[a.path]...)
		}
		found = append(found, x.prefixes["/"]...)
		for at := len(a.path); at > 0; at = strings.LastIndexByte(a.path[:at], '/') {
			if at > 0 && a.path[:at] != "/" {
				found = append(found, x.prefixes[a.path[:at]]...)
			}
		}
		for _, expression := range x.expressions {
			if ok, _ := matches(expression, a.path, ""); ok == fact.True {
				found = append(found, x.regexes[expression]...)
			}
		}
	}
	slices.Sort(found)
	var out []*Way
	for _, i := range slices.Compact(found) {
		if len(out) > 0 && out[0].own.PathFirst && !out[0].Match.samePath(ways[i].Match) {
			continue
		}
		out = append(out, ways[i])
		if ways[i].Match.unconditional() {
			break
		}
	}
	return out
}

// samePath reports whether two matches have the same condition for the path.
func (m *Match) samePath(o *Match) bool { return m.Form == o.Form && m.Path == o.Path }

// unconditional reports whether a match has no condition beside that for the path.
func (m *Match) unconditional() bool {
	return m.Method == "" && len(m.Headers) == 0 && len(m.Params) == 0 && len(m.Cookies) == 0
}

// atoms are disjoint sets that cover all paths: each path that a match names, and what is below each
// prefix. If there are regular expressions, the latter are divided by what these match. Of expressions
// that cannot be decided, only what the same expression matches is included.
func atoms(indexes ...*index) []atom {
	points, prefixes := map[string]bool{"/": true}, map[string]bool{"/": true}
	var expressions []string
	for _, x := range indexes {
		for path := range x.exact {
			points[path] = true
		}
		for path := range x.prefixes {
			points[path], prefixes[path] = true, true
		}
		expressions = append(expressions, x.expressions...)
	}
	var out []atom
	for path := range points {
		out = append(out, atom{path: path})
	}
	if len(expressions) > 0 {
		out = append(out, matchedPaths(expressions, points, prefixes)...)
	} else {
		for path := range prefixes {
			out = append(out, openAtom(path, points))
		}
	}
	slices.SortFunc(out, func(a, b atom) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.expression, b.expression))
	})
	return out
}

// openAtom is everything below a prefix that no match names.
func openAtom(path string, points map[string]bool) atom {
	start, segment := strings.TrimSuffix(path, "/")+"/", "x"
	for points[start+segment] {
		segment += "x"
	}
	return atom{path: start + inner, segment: segment, below: true}
}

// matchedPaths returns paths below each prefix for each combination of expressions that match one.
func matchedPaths(expressions []string, points, prefixes map[string]bool) []atom {
	slices.Sort(expressions)
	expressions = slices.Compact(expressions)
	var out []atom
	decided := expressions[:0:0]
	for _, expression := range expressions {
		if _, ok := newAutomaton([]string{expression}); ok {
			decided = append(decided, expression)
		} else {
			out = append(out, atom{path: expression, expression: expression})
		}
	}
	all, _ := newAutomaton(decided)
	leads := map[string]bool{}
	for path := range points {
		for i := range path {
			leads[path[:i]] = true
		}
	}
	for path := range prefixes {
		start := strings.TrimSuffix(path, "/") + "/"
		found, whole := all.texts(region{
			start: start, known: func(text string) bool { return points[text] || path != "/" && text == path },
			leadsTo: func(text string) bool { return leads[text] },
			leaves:  func(text string, next rune) bool { return next == '/' && text != path && prefixes[text] },
		})
		for _, text := range found {
			out = append(out, atom{path: text, below: false})
		}
		if !whole {
			out = append(out, openAtom(path, points))
			for _, expression := range decided {
				out = append(out, atom{path: expression, expression: expression})
			}
		}
	}
	return out
}
