// Package unseen finds changes between two revisions that the analysis does not see and that may matter: charts and builds
// that are not in the tree, files that nothing deploys, Secrets that something reads, workloads behind Services.
package unseen

import (
	"cmp"
	"reflect"
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
	// Uncompared are the environments whose network policies are not compared.
	Uncompared map[string]bool
}

// Changes returns what changes and is not seen, by file and line.
func (e *Edit) Changes() []plan.Unseen {
	s := newSearch(e)
	for i, pair := range s.Pairs {
		s.gaps(pair)
		s.releases(pair)
		s.controls(pair)
		takeovers(s, pair)
		waited(s, pair)
		s.secrets(pair)
		s.makers(pair)
		s.annotations(pair)
		s.versions(pair)
		told := mentioned(&e.Plan[i])
		global(s, pair, told)
		meshWide(s, pair, told)
		denyAll(s, pair)
		routed(s, pair, told)
		entrances(s, pair, told)
		naming(s, pair, told)
		parameters(s, pair, told)
		configMaps(s, pair, told)
		selectors(s, pair, told)
		undeclared(s, pair)
		uncompared(s, pair)
		forNodes(s, pair)
		meshPorts(s, pair)
		dnsRules(s, pair)
	}
	s.leftOut()
	charts(s)
	languages(s)
	images(s)
	s.submodules()
	s.unread()
	s.unused()
	s.services()
	s.workloads()
	for _, pair := range s.Pairs {
		meshed(s, pair)
		joins(s, pair)
		reidentified(s, pair)
		gatewayAccounts(s, pair)
		lifespans(s, pair)
		servers(s, pair)
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
	// flows caches what changes of charts reach, by their folders.
	flows map[string]*chartFlow
	edits edits
	found []plan.Unseen
}

func newSearch(e *Edit) *search {
	own := *e
	own.Pairs = slices.Clone(e.Pairs)
	for i, pair := range own.Pairs {
		if pair.Head == nil { // an environment whose deployers cannot be read in head stays as it was
			pair, _ = pair.Applied(e.Base, e.Head)
			own.Pairs[i].Head = pair.Head
		}
	}
	return &search{
		Edit:  &own,
		edits: edits{base: e.Base, head: e.Head, known: map[applied.Pair][]applied.Edit{}},
		files: &fileEdits{
			base: e.Base, head: e.Head, hunks: e.Hunks, changed: e.Changed, known: map[string][]string{}, unread: map[string][]string{},
			bearing: func(group, kind string) loader.Bearing { return bearing(e.Table, group, kind) },
			beyond:  beyondLimits(e.Base, e.Head),
		},
		flows: map[string]*chartFlow{},
	}
}

// edits are the objects that differ between the sides of pairs, with head as the cluster will have it; each pair is compared
// once.
type edits struct {
	base, head *loader.Snapshot
	known      map[applied.Pair][]applied.Edit
}

func (e edits) of(pair applied.Pair) []applied.Edit {
	list, known := e.known[pair]
	if !known {
		after, _ := pair.Applied(e.base, e.head)
		list = after.Edits()
		e.known[pair] = list
	}
	return list
}

// joined merges the entries that say the same of one object, of several environments or by several fields.
func joined(list []plan.Unseen) []plan.Unseen {
	out := []plan.Unseen{}
	first := 0 // of the entries for the object of the last one
	for _, u := range list {
		if len(out) == 0 || out[first].What != u.What || out[first].File != u.File || out[first].Line != u.Line {
			first = len(out)
		}
		at := slices.IndexFunc(out[first:], func(other plan.Unseen) bool { return sameFact(other, u) })
		if at < 0 {
			out = append(out, u)
			continue
		}
		into := &out[first+at]
		into.Environments = append(into.Environments, u.Environments...)
		into.Says = merged(into.Says, u.Says)
		into.Behind = merged(into.Behind, u.Behind)
	}
	for i := range out {
		slices.Sort(out[i].Environments)
		out[i].Environments = slices.Compact(out[i].Environments)
	}
	return out
}

// merged appends what a list lacks of another.
func merged(list, more []string) []string {
	for _, text := range more {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// sameFact reports whether two entries differ at most in their environments and in what they name.
func sameFact(a, b plan.Unseen) bool {
	for _, u := range []*plan.Unseen{&a, &b} {
		u.Environments, u.Says, u.Behind, u.Column = nil, nil, nil, 0
	}
	return reflect.DeepEqual(a, b)
}

func (s *search) add(what, change, environment string, at loader.Position, says []string) *plan.Unseen {
	u := plan.Unseen{What: what, Change: change, Environments: []string{}, File: at.File, Line: at.Line, Column: at.Column, Says: append([]string{}, says...)}
	if environment != "" {
		u.Environments = []string{environment}
	}
	if change == plan.EditRemoved {
		u.Side = plan.InBase
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
