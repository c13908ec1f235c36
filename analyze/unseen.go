package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// search looks for what changes between two snapshots and is not seen.
type search struct {
	base, head *loader.Snapshot
	hunks      func(file string) []loader.Hunk
	// changed are the files that are not the same on both sides.
	changed []string
	found   []plan.Unseen
	// policy says whether a kind is one of policies, whose objects are compared.
	policy func(group, kind string) bool
	// says remembers what a file says about traffic where it changes.
	says map[string][]string
}

func (o Options) unseen(p *plan.Plan, base, head *loader.Snapshot, pairs []environmentPair, t *policy.Table) []plan.Unseen {
	s := &search{base: base, head: head, hunks: o.Hunks, changed: o.Changed, says: map[string][]string{}}
	s.policy = func(group, kind string) bool { return t.Kind(group, kind) != nil }
	for _, pair := range pairs {
		s.gaps(pair)
		s.releases(pair)
	}
	s.leftOut()
	s.unread()
	s.unused(p, pairs)
	s.found = slices.DeleteFunc(s.found, func(u plan.Unseen) bool { return !o.Filter.path(u.File) })
	slices.SortStableFunc(s.found, func(a, b plan.Unseen) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What), cmp.Compare(a.Change, b.Change))
	})
	return joined(s.found)
}

// joined says once what several environments have.
func joined(list []plan.Unseen) []plan.Unseen {
	out := []plan.Unseen{}
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
	u := plan.Unseen{What: what, Change: change, Environments: []string{}, File: at.File, Line: at.Line, Column: at.Column, Says: append([]string{}, says...)}
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
