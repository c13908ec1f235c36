package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// search finds changes between two snapshots that the analysis does not see.
type search struct {
	base, head *loader.Snapshot
	files      *fileEdits
	// readers caches what of an environment reads the Secrets and ConfigMaps that something makes.
	readers map[*loader.Environment]map[loader.ID][]string
	found   []plan.Unseen
	// policy reports whether a kind is a policy kind; objects of policy kinds are compared.
	policy func(group, kind string) bool
}

func (o Options) unseen(p *plan.Plan, base, head *loader.Snapshot, pairs []environmentPair, t *catalogue.Table) []plan.Unseen {
	s := &search{base: base, head: head, files: &fileEdits{base: base, head: head, hunks: o.Hunks, changed: o.Changed, known: map[string][]string{}}}
	s.policy = func(group, kind string) bool { return t.Kind(group, kind) != nil }
	for _, pair := range pairs {
		s.gaps(pair)
		s.releases(pair)
		s.controls(pair)
		s.secrets(pair)
		s.makers(pair)
		s.annotations(pair)
		s.versions(pair, t)
	}
	s.leftOut()
	s.submodules()
	s.unread()
	s.unused(p, pairs)
	s.services(p, pairs)
	s.workloads(p, pairs)
	s.found = slices.DeleteFunc(s.found, func(u plan.Unseen) bool { return !o.Filter.path(u.File) })
	slices.SortStableFunc(s.found, func(a, b plan.Unseen) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What), cmp.Compare(a.Change, b.Change))
	})
	return joined(s.found)
}

// joined merges the entries that several environments have in common.
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

func (s *search) add(what, change, environment string, at loader.Position, says []string) *plan.Unseen {
	u := plan.Unseen{What: what, Change: change, Environments: []string{}, File: at.File, Line: at.Line, Column: at.Column, Says: append([]string{}, says...)}
	if environment != "" {
		u.Environments = []string{environment}
	}
	if change == "removed" {
		u.Side = "base"
	}
	s.found = append(s.found, u)
	return &s.found[len(s.found)-1]
}

// addWith adds something that is added or removed. If its whole environment is added or removed,
// too, it is added only if it is about traffic.
func (s *search) addWith(pair environmentPair, what, change string, at loader.Position, says []string) {
	if pair.base != nil && pair.head != nil || len(says) > 0 {
		s.add(what, change, pair.name(), at, says)
	}
}
