package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// maxOldest limits how many routes of one hostname are each taken for the oldest one.
const maxOldest = 8

// ties are the routes of one hostname of which only the age decides which one answers, where the ages are not known.
type ties struct {
	graphs [2]*hierarchy.Graph
	// preserved means that a side tries all rules in the order of the routes' ages.
	preserved [2]bool
	// groups are routes with equal matches, and group is the index of each one's.
	groups [][]loader.ID
	group  map[loader.ID]int
	// changed are those that differ between the revisions.
	changed map[loader.ID]bool
}

// tied reports whether nothing but the ages of their routes, or nothing that is known, decides which of two ways
// answers a request that both match.
func (w *Way) tied(g *hierarchy.Graph, other *Way, preserved bool) bool {
	switch {
	case w.Route == other.Route || w.Host != other.Host || w.Route.Object == nil || other.Route.Object == nil:
		return false
	case !preserved && w.rank(other) != 0:
		return false
	case w.own.TiesUnknown:
		return true
	}
	return !w.own.TiesByName && g.Order(w.Route.Object, other.Route.Object).Unsure
}

// tie says why it is not known whether a way that is tied with this one answers.
func (w *Way) tie() string {
	if w.own.TiesUnknown {
		return "which of equal matches answers is not known of this controller"
	}
	return "whether its route is older than " + w.Route.Spoken() + " is not known"
}

// pathInCommon is what two ways have in common if a request may match both although their matches have equal precedence: the path,
// but for regular expressions, which are not compared here.
func pathInCommon(w *Way, preserved bool) string {
	if w.Match.Form == regex || preserved {
		return regex
	}
	return w.Match.Path
}

// maxRivals limits with how many ways of its precedence and path a way is compared.
const maxRivals = 16

// find finds the ties of a side; changed tells of the routes that differ.
func (t *ties) find(side effective.Side, ways []*Way, changed func(*hierarchy.Node) bool) {
	g, preserved := t.graphs[side], t.preserved[side]
	rivals := map[string][]*Way{}
	for _, w := range ways {
		at := pathInCommon(w, preserved)
		for _, other := range rivals[at] {
			if other.tied(g, w, preserved) && other.Match.meets(w.Match) {
				t.add(other.Route.Object.ID, w.Route.Object.ID)
				for _, one := range []*Way{other, w} {
					if changed(one.Route) {
						t.changed[one.Route.Object.ID] = true
					}
				}
			}
		}
		rivals[at] = append(rivals[at], w)
		if len(rivals[at]) > maxRivals {
			rivals[at] = rivals[at][1:]
		}
	}
}

// add adds two routes to a group. Two that are in groups already leave these apart.
func (t *ties) add(a, b loader.ID) {
	i, hasA := t.group[a]
	j, hasB := t.group[b]
	switch {
	case hasA && hasB:
	case hasA:
		t.groups[i], t.group[b] = append(t.groups[i], b), i
	case hasB:
		t.groups[j], t.group[a] = append(t.groups[j], a), j
	default:
		t.group[a], t.group[b] = len(t.groups), len(t.groups)
		t.groups = append(t.groups, []loader.ID{a, b})
	}
}

// oldest are the routes that may each be the oldest one. Of many, those count that differ between the revisions.
func (t *ties) oldest() []loader.ID {
	out := slices.Concat(t.groups...)
	slices.SortStableFunc(out, func(a, b loader.ID) int { return cmp.Compare(isNot(t.changed[a]), isNot(t.changed[b])) })
	return out[:min(len(out), maxOldest)]
}

// with orders the ways of a side as a cluster does in which a route is as old as its manifest allows.
func (t *ties) with(oldest loader.ID, side effective.Side, ways []*Way) []*Way {
	i := slices.IndexFunc(ways, func(w *Way) bool { return w.Route.Object != nil && w.Route.Object.ID == oldest })
	if i < 0 {
		return ways
	}
	route, g := ways[i].Route, t.graphs[side]
	out := slices.Clone(ways)
	for from := 0; from < len(out); {
		to := from + 1
		for to < len(out) && out[to].Host == out[from].Host && (t.preserved[side] || out[from].rank(out[to]) == 0) {
			to++
		}
		slices.SortStableFunc(out[from:to], func(a, b *Way) int {
			if a.own.TiesUnknown || a.own.TiesByName || a.Route.Object == nil || b.Route.Object == nil {
				return cmp.Compare(isNot(a.own.TiesUnknown && a.Route == route), isNot(b.own.TiesUnknown && b.Route == route))
			}
			return g.OrderWith(route.Object, a.Route.Object, b.Route.Object)
		})
		from = to
	}
	return out
}

// isNot is 0 for true.
func isNot(b bool) int {
	if b {
		return 0
	}
	return 1
}

// doubt says what is not known of the routes that may answer in the place of two ways.
func (t *ties) doubt(ways ...*Way) string {
	for _, w := range ways {
		if w == nil || w.Route.Object == nil {
			continue
		}
		at, tied := t.group[w.Route.Object.ID]
		if !tied {
			continue
		}
		names := make([]string, 0, len(t.groups[at]))
		for _, id := range t.groups[at] {
			names = append(names, id.Spoken())
		}
		slices.Sort(names)
		switch {
		case w.own.TiesUnknown:
			return w.tie() + ": " + spelling.AtMost(maxTied, names)
		case len(names) == 2:
			return "which is older, " + strings.Join(names, " or ")
		}
		return "which is the oldest: " + spelling.AtMost(maxTied, names)
	}
	return ""
}

// maxTied limits how many tied routes a doubt names.
const maxTied = 3

// ties returns the ties of an entry, of which none is found yet.
func (e *joined) ties() *ties {
	out := ties{group: map[loader.ID]int{}, changed: map[loader.ID]bool{}}
	for side, p := range e.ports {
		if p != nil {
			out.graphs[side], out.preserved[side] = p.graph, p.preserves()
		}
	}
	return &out
}

// merge joins what happens to the requests of a hostname in several worlds, in each of which another route is the oldest one.
// What does not happen in all of them is in doubt. It happens if the same rule answers the same requests in the end, whichever
// did before, or if the rule that answers them, whichever it is, does something else.
func (t *ties) merge(c *comparison, worlds [][]Passage) []Passage {
	type end struct {
		request string
		rule    *effective.Joint
	}
	ends := make([]map[end]bool, len(worlds))
	endOf := func(p *Passage) end {
		out := end{request: p.Request.Described()}
		if !p.Kept && p.After != nil {
			out.rule = c.join.Of(effective.Head, p.After.Rule)
		}
		return out
	}
	for i, world := range worlds {
		ends[i] = map[end]bool{}
		for j := range world {
			ends[i][endOf(&world[j])] = true
		}
	}
	type pair struct{ before, after *Way }
	seen := map[pair]bool{}
	var out []Passage
	for _, world := range worlds {
		for _, p := range world {
			if seen[pair{p.Before, p.After}] {
				continue
			}
			seen[pair{p.Before, p.After}] = true
			at := endOf(&p)
			if !slices.ContainsFunc(ends, func(of map[end]bool) bool { return !of[at] }) {
				out = append(out, p)
				continue
			}
			if doubt := t.doubt(p.Before, p.After); doubt != "" {
				p.Tied = len(p.Doubts) == 0
				p.Doubts = append(p.Doubts, doubt)
			}
			out = append(out, p)
		}
	}
	return out
}
