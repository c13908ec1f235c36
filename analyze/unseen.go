package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Unseen is something that a change touches and of which nobody here knows what it becomes:
// a chart that is not at hand, a build that fails, a file that nothing deploys.
type Unseen struct {
	// What names it: "HelmRelease cart".
	What string `json:"what"`
	// Change is added, removed or changed.
	Change       string   `json:"change"`
	Environments []string `json:"environments"`
	File         string   `json:"file"`
	Line         int      `json:"line"`
	Column       int      `json:"column"`
	// Side is base for what is gone.
	Side string `json:"side,omitempty"`
	// LeftOut says that nothing deploys it: it has no effect now.
	LeftOut bool `json:"leftOut,omitempty"`
	// Unused says that it was read, and that nothing in the input refers to it.
	Unused bool `json:"unused,omitempty"`
	// Opaque says that nothing at all is known of what it holds: it is not in the tree.
	Opaque bool `json:"opaque,omitempty"`
	// Says are the keys about traffic in what changes, such as hostnames and parentRefs; none
	// where nothing of it is about routes.
	Says []string `json:"says"`
}

// MayMatter says whether what is not seen may change routes.
func (u Unseen) MayMatter() bool { return len(u.Says) > 0 && !u.LeftOut }

// search looks for what changes between two snapshots and is not seen.
type search struct {
	base, head *loader.Snapshot
	hunks      func(file string) []loader.Hunk
	// changed are the files that are not the same on both sides.
	changed []string
	found   []Unseen
	// policy says whether a kind is one of policies, whose objects are compared.
	policy func(group, kind string) bool
	// says remembers what a file says about traffic where it changes.
	says map[string][]string
}

func (o Options) unseen(p *Plan, base, head *loader.Snapshot, pairs []environmentPair, t *policy.Table) []Unseen {
	s := &search{base: base, head: head, hunks: o.Hunks, changed: o.Changed, says: map[string][]string{}}
	s.policy = func(group, kind string) bool { return t.Kind(group, kind) != nil }
	for _, pair := range pairs {
		s.gaps(pair)
		s.releases(pair)
	}
	s.leftOut()
	s.unread()
	s.unused(p, pairs)
	s.found = slices.DeleteFunc(s.found, func(u Unseen) bool { return !o.Filter.path(u.File) })
	slices.SortStableFunc(s.found, func(a, b Unseen) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What), cmp.Compare(a.Change, b.Change))
	})
	return joined(s.found)
}

// joined says once what several environments have.
func joined(list []Unseen) []Unseen {
	out := []Unseen{}
	for _, u := range list {
		if last := len(out) - 1; last >= 0 && out[last].What == u.What && out[last].File == u.File && out[last].Line == u.Line && out[last].Change == u.Change {
			out[last].Environments = append(out[last].Environments, u.Environments...)
			continue
		}
		out = append(out, u)
	}
	for i := range out {
		slices.Sort(out[i].Environments)
		out[i].Environments = slices.Compact(out[i].Environments)
	}
	return out
}

func (s *search) add(what, change, environment string, at loader.Position, says []string) {
	u := Unseen{What: what, Change: change, Environments: []string{}, File: at.File, Line: at.Line, Column: at.Column, Says: append([]string{}, says...)}
	if environment != "" {
		u.Environments = []string{environment}
	}
	if change == "removed" {
		u.Side = "base"
	}
	s.found = append(s.found, u)
}

// addWith adds what comes or goes, with its environment only where it is about traffic.
func (s *search) addWith(pair environmentPair, what, change string, at loader.Position, says []string) {
	if pair.base != nil && pair.head != nil || len(says) > 0 {
		s.add(what, change, pair.name(), at, says)
	}
}
