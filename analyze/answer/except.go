package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
)

// excepting returns a function that lists the matches which take requests out of a set, in either revision, because
// they have precedence; of nested ones only the widest. The set is what both ways of a passage accept; nil is no way.
func excepting(lists [2][]*Way, before, after *Way, set *Match) func() []*Match {
	return func() []*Match {
		var taken []*Match
		for side, way := range []*Way{before, after} {
			for _, earlier := range lists[side] {
				if earlier == way || earlier.own.PathFirst && slices.ContainsFunc(lists[side], (*Way).conditional) {
					break // with conditions, a match may be tried there and another one answer
				}
				m := earlier.Match
				if earlier.Certain && m.meets(set) && !m.Covers(set) {
					taken = append(taken, m)
				}
			}
		}
		var out []*Match
		for i, m := range taken {
			within := func(other *Match) bool {
				return other != m && other.Covers(m) && !(m.Covers(other) && slices.Index(taken, other) > i)
			}
			if !slices.ContainsFunc(taken, within) {
				out = append(out, m)
			}
		}
		return out
	}
}

// maxExceptions limits how many exceptions a description of requests names.
const maxExceptions = 2

// LeavingOut returns the description of some requests without those of other matches: "shop.example/* except /cart/*".
func LeavingOut(words string, except []*Match) string {
	var list []string
	for _, e := range except {
		list = append(list, e.String())
	}
	switch n := len(list); {
	case n == 0:
		return words
	case n > maxExceptions:
		return words + " except " + spelling.AtMost(maxExceptions, list)
	}
	return words + " except " + spelling.And(list)
}

// conditional reports whether more than the path decides whether a way takes a request, or an expression for it.
func (w *Way) conditional() bool {
	m := w.Match
	return m.Method != "" || m.Form == regex || len(m.Headers)+len(m.Params)+len(m.Cookies) > 0
}

// meets reports whether a request may match both. A path that is a regular expression counts as possible.
func (m *Match) meets(o *Match) bool {
	if m.Method != "" && o.Method != "" && m.Method != o.Method {
		return false
	}
	for _, lists := range [][2][]Condition{{m.Headers, o.Headers}, {m.Params, o.Params}, {m.Cookies, o.Cookies}} {
		for _, c := range lists[0] {
			if slices.ContainsFunc(lists[1], func(d Condition) bool {
				return c.Name == d.Name && c.Form == exact && d.Form == exact && c.Value != d.Value
			}) {
				return false
			}
		}
	}
	if m.Form == regex || o.Form == regex {
		return true
	}
	return m.Form == prefix && covering(m.Path, o.Path) || o.Form == prefix && covering(o.Path, m.Path) || m.Path == o.Path
}

// covering reports whether a path is a prefix, or below it.
func covering(prefix, path string) bool {
	return prefix == "/" || under(strings.TrimSuffix(path, "/"), strings.TrimSuffix(prefix, "/"))
}
