// Package unseen finds changes between two revisions that the analysis does not see and that may matter: charts and builds
// that are not in the tree, files that nothing deploys, Secrets that something reads, workloads behind Services.
package unseen

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Edit is what differs between two revisions.
type Edit struct {
	Base, Head *loader.Snapshot
	Pairs      []applied.Pair
	// Plan is what the plan says of each pair.
	Plan []plan.Environment
	// Changed are the files that differ, and Hunks returns the lines of a file that do; it may be nil.
	Changed []string
	Hunks   func(file string) []loader.Hunk
	Table   *catalogue.Table
	// Shown reports whether the report is about a file.
	Shown func(file string) bool
}

// Changes returns what changes and is not seen, by file and line.
func (e *Edit) Changes() []plan.Unseen {
	s := &search{Edit: e, files: &fileEdits{base: e.Base, head: e.Head, hunks: e.Hunks, changed: e.Changed, known: map[string][]string{}}}
	for i, pair := range e.Pairs {
		s.gaps(pair)
		s.releases(pair)
		s.controls(pair)
		s.secrets(pair)
		s.makers(pair)
		s.annotations(pair)
		s.versions(pair)
		told := mentioned(&e.Plan[i])
		global(s, pair, told)
		routed(s, pair, told)
		parameters(s, pair, told)
		selectors(s, pair, told)
		undeclared(s, pair)
	}
	s.leftOut()
	s.submodules()
	s.unread()
	s.unused()
	s.services()
	s.workloads()
	for _, pair := range e.Pairs {
		meshed(s, pair)
		reidentified(s, pair)
	}
	s.found = slices.DeleteFunc(s.found, func(u plan.Unseen) bool { return !e.Shown(u.File) })
	slices.SortStableFunc(s.found, func(a, b plan.Unseen) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What), cmp.Compare(a.Change, b.Change))
	})
	return joined(s.found)
}

// search collects the changes of an edit.
type search struct {
	*Edit
	files *fileEdits
	// readers caches what of an environment reads the Secrets and ConfigMaps that something makes.
	readers map[*loader.Environment]map[loader.ID][]string
	found   []plan.Unseen
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
func (s *search) addWith(pair applied.Pair, what, change string, at loader.Position, says []string) {
	if pair.Base != nil && pair.Head != nil || len(says) > 0 {
		s.add(what, change, pair.Name(), at, says)
	}
}
