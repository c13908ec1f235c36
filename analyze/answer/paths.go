package answer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// atom is a set of paths that the same matches accept: a single path, or the paths below a prefix that belong to no
// longer prefix and match the same regular expressions.
type atom struct {
	// path is a path of the set. below is true for all paths below a prefix; path then ends with inner,
	// for which a witness has segment. point is true if path is the only one.
	path, segment string
	below, point  bool
	// start is the text with which the paths of a set of several begin.
	start string
	// unsure are the expressions for which it is not known whether they match the paths of the set.
	unsure map[string]bool
}

// index finds the ways of a hostname by their conditions for the path.
type index struct {
	exact, prefixes map[string][]int
	// regexes are the ways with each regular expression, in order of the expressions.
	regexes     map[string][]int
	expressions []string
	// open are the ways whose path holds a variable that is not resolved.
	open     []int
	patterns patterns
	steps    *int
}

func newIndex(ways []*Way, all patterns, steps *int) *index {
	x := &index{exact: map[string][]int{}, prefixes: map[string][]int{}, regexes: map[string][]int{}, patterns: all, steps: steps}
	for i, w := range ways {
		if loader.Placeholder(w.Match.Path) {
			x.open = append(x.open, i)
			continue
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

// taker is a way that accepts the paths of an atom. If unsure is true, that is not known.
type taker struct {
	*Way
	unsure bool
}

// accepting returns the ways that accept the paths of an atom, in order of precedence. Those after one
// that accepts every request of these paths are left out.
func (x *index) accepting(ways []*Way, a atom) []taker {
	found := slices.Clone(x.prefixes["/"])
	if !a.below {
		found = append(found, x.exact[a.path]...)
	}
	for at := len(a.path); at > 0; at = strings.LastIndexByte(a.path[:at], '/') {
		if at > 0 && a.path[:at] != "/" {
			found = append(found, x.prefixes[a.path[:at]]...)
		}
	}
	*x.steps -= len(x.expressions) / 16
	unsure := map[int]bool{}
	for _, expression := range x.expressions {
		ok := fact.Unknown
		if !a.unsure[expression] {
			ok = x.patterns.of(expression).matches(a.path)
		}
		if ok == fact.False {
			continue
		}
		for _, i := range x.regexes[expression] {
			found, unsure[i] = append(found, i), ok == fact.Unknown
		}
	}
	for _, i := range x.open {
		found, unsure[i] = append(found, i), true
	}
	slices.Sort(found)
	var out []taker
	for _, i := range slices.Compact(found) {
		if len(out) > 0 && !out[0].unsure && out[0].own.PathFirst && !out[0].Match.samePath(ways[i].Match) {
			continue
		}
		out = append(out, taker{ways[i], unsure[i]})
		if !unsure[i] && ways[i].Match.unconditional() {
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

// paths is what the paths of a hostname are divided by.
type paths struct {
	// points are the paths that matches name, prefixes those below which a set begins.
	points, prefixes map[string]bool
	// leads are the texts on the way to a point.
	leads       map[string]bool
	expressions []string
	patterns    patterns
	steps       *int
}

// atoms are disjoint sets that cover all paths: each path that a match names, and what is below each
// prefix. If there are regular expressions, the latter are divided by what these match.
func atoms(indexes ...*index) []atom {
	p := &paths{points: map[string]bool{"/": true}, prefixes: map[string]bool{"/": true}, patterns: indexes[0].patterns, steps: indexes[0].steps}
	for _, x := range indexes {
		for path := range x.exact {
			p.points[path] = true
		}
		for path := range x.prefixes {
			p.points[path], p.prefixes[path] = true, true
		}
		p.expressions = append(p.expressions, x.expressions...)
	}
	slices.Sort(p.expressions)
	p.expressions = slices.Compact(p.expressions)
	p.divide()
	var out []atom
	for path := range p.points {
		out = append(out, atom{path: path, start: path, point: true})
	}
	begins := p.beginnings()
	for _, path := range slices.Sorted(maps.Keys(p.prefixes)) {
		out = append(out, p.below(path, begins[path])...)
	}
	slices.SortFunc(out, func(a, b atom) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(len(a.start), len(b.start)))
	})
	return out
}

// divide adds the folder with which everything begins that an expression matches, so that few expressions
// have to be looked at below each prefix.
func (p *paths) divide() {
	for _, expression := range p.expressions {
		begins := p.patterns.of(expression).begins
		if i := strings.LastIndexByte(begins, '/'); i > 0 {
			p.prefixes[begins[:i]] = true
		}
	}
	if len(p.expressions) == 0 {
		return
	}
	p.leads = map[string]bool{}
	for path := range p.points {
		for i := range path {
			p.leads[path[:i]] = true
		}
	}
}

// beginnings returns for each prefix the expressions that may match something below it, and below no longer
// prefix alone.
func (p *paths) beginnings() map[string][]string {
	if len(p.expressions) == 0 {
		return nil
	}
	out := map[string][]string{}
	var wide []string
	for _, expression := range p.expressions {
		begins := p.patterns.of(expression).begins
		folder := strings.LastIndexByte(begins, '/')
		if folder <= 0 {
			wide = append(wide, expression) // it may match something below each prefix that begins like it
			continue
		}
		// What it matches is below its folder, or below prefixes in that.
		for path := range p.prefixes {
			if path == begins[:folder] || strings.HasPrefix(path+"/", begins) {
				out[path] = append(out[path], expression)
			}
		}
		*p.steps -= len(p.prefixes)
	}
	for path := range p.prefixes {
		start := strings.TrimSuffix(path, "/") + "/"
		for _, expression := range wide {
			if begins := p.patterns.of(expression).begins; path == "/" || strings.HasPrefix(start, begins) {
				out[path] = append(out[path], expression)
			}
		}
	}
	return out
}

// below divides what is below a prefix, and below no longer one, by the expressions that may match there.
func (p *paths) below(path string, expressions []string) []atom {
	whole := p.openAtom(path)
	if len(expressions) == 0 {
		return []atom{whole}
	}
	unsure := map[string]bool{}
	var run []*pattern
	for _, expression := range expressions {
		if one := p.patterns.of(expression); one.program != nil {
			run = append(run, one)
		} else {
			unsure[expression] = true
		}
	}
	found, complete := []string(nil), false
	if len(run) > 0 {
		found, complete = newAutomaton(run, pathPart, p.steps).texts(region{
			start: whole.start, known: func(text string) bool { return p.points[text] },
			leadsTo: func(text string) bool { return p.leads[text] },
			leaves:  func(text string, next rune) bool { return next == '/' && text != path && p.prefixes[text] },
		})
	}
	if !complete {
		for _, expression := range expressions {
			unsure[expression] = true
		}
		whole.unsure = unsure
		return []atom{whole}
	}
	var out []atom
	for _, text := range found {
		out = append(out, atom{path: text, start: whole.start, unsure: unsure})
	}
	return out
}

// openAtom is everything below a prefix that no match names.
func (p *paths) openAtom(path string) atom {
	start, segment := strings.TrimSuffix(path, "/")+"/", "x"
	for p.points[start+segment] {
		segment += "x"
	}
	return atom{path: start + inner, start: start, segment: segment, below: true}
}
