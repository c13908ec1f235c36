package analyze

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
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

// opaque adds a gap that comes or goes. Of one that is not made of the tree, and has no values,
// its place says nothing: what another source deploys may be anything.
func (s *search) opaque(pair environmentPair, change string, g *loader.Gap, says []string) {
	outside := g.Values == nil && len(g.Roots) == 0 && g.Chart == ""
	if outside && strings.HasPrefix(g.What, "Flux Kustomization ") && len(says) == 0 {
		says = []string{"another source"}
	}
	n := len(s.found)
	s.addWith(pair, g.What, change, g.Position, says)
	for i := range s.found[n:] {
		s.found[n+i].Opaque = outside && len(says) == 0
	}
}

// gaps finds what could not be rendered on a side and is not the same on the other one.
func (s *search) gaps(pair environmentPair) {
	type key struct{ what, namespace string }
	by := func(env *loader.Environment) (map[key]loader.Gap, []key) {
		out := map[key]loader.Gap{}
		var order []key
		if env == nil {
			return out, nil
		}
		for _, g := range env.Gaps {
			k := key{g.What, g.Namespace}
			if _, twice := out[k]; twice {
				continue
			}
			out[k] = g
			order = append(order, k)
		}
		return out, order
	}
	before, gone := by(pair.base)
	after, come := by(pair.head)
	for _, k := range come {
		g := after[k]
		was, known := before[k]
		switch {
		case !known && rule.Broken(s.head.Problems, g.Position):
			continue // a finding says it
		case !known && pair.base != nil && s.read(pair.base, g):
			// It was seen before, and the plan shows what went. Of what it gives instead nothing
			// is known, unless some of it was read.
			if says := s.about(nil, &g); len(says) > 0 && !gives(pair.head, g) {
				s.add(g.What, "changed", pair.name(), g.Position, says)
			}
		case !known:
			s.opaque(pair, "added", &g, append(s.about(nil, &g), serving(&g, pair.base)...))
		case was.Content != g.Content || s.touches(g.Roots):
			s.add(g.What, "changed", pair.name(), g.Position, s.about(&was, &g))
		}
	}
	broken := pair.head != nil && len(brokenFolders(pair.name(), pair.head, s.base, s.head)) > 0
	for _, k := range gone {
		g := before[k]
		if broken && s.base.Content(g.Position.File) == s.head.Content(g.Position.File) {
			continue // what brought it in cannot be built: it stays as it was
		}
		if _, stays := after[k]; !stays && !(pair.head != nil && s.read(pair.head, g)) {
			s.opaque(pair, "removed", &g, append(s.about(&g, nil), serving(&g, pair.head)...))
		}
	}
}

// gives says whether an environment has objects of the release that a gap stands for.
func gives(env *loader.Environment, g loader.Gap) bool {
	return slices.ContainsFunc(env.Objects, func(o *loader.Object) bool {
		return o.Deployer != nil && o.Deployer.ID.Kind == "HelmRelease" && o.Deployer.ID.Namespace == g.Namespace && strings.HasSuffix(g.What, " "+o.Deployer.ID.Name)
	})
}

// read says whether an environment has in full what a gap stands for on the other side.
func (s *search) read(env *loader.Environment, g loader.Gap) bool {
	return slices.ContainsFunc(env.Releases, func(id loader.ID) bool {
		return g.Namespace == id.Namespace && strings.HasSuffix(g.What, " "+id.Name)
	}) || slices.ContainsFunc(env.Parts, func(p loader.Part) bool { return slices.Contains(g.Roots, p.Path) })
}

// about gives the words about traffic in what differs of a gap.
func (s *search) about(before, after *loader.Gap) []string {
	g := cmp.Or(after, before)
	var out []string
	switch {
	case before != nil && after != nil && before.Chart == after.Chart:
		out = loader.TrafficIn(before.Values, after.Values)
	case before != nil && after != nil:
		out = slices.Concat(loader.TrafficIn(nil, before.Values), loader.TrafficIn(nil, after.Values))
	default:
		out = loader.TrafficIn(nil, g.Values)
	}
	for _, file := range s.changedBelow(g.Roots) {
		out = append(out, s.fileSays(file)...)
	}
	if g.Values == nil && len(g.Roots) == 0 {
		out = append(out, s.fileSays(g.Position.File)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *search) touches(roots []string) bool { return len(s.changedBelow(roots)) > 0 }

// changedBelow are the files below some folders that are not the same on both sides.
func (s *search) changedBelow(roots []string) []string {
	var out []string
	if len(roots) == 0 {
		return nil
	}
	for _, file := range s.changed {
		if slices.ContainsFunc(roots, func(root string) bool { return root == "." || file == root || strings.HasPrefix(file, root+"/") }) && s.differs(file) {
			out = append(out, file)
		}
	}
	return out
}

// differs says whether the text of a file that counts as changed differs, too: of files that
// are no manifests the time alone may.
func (s *search) differs(file string) bool {
	return s.hunks == nil || s.base.Content(file) == "" || s.head.Content(file) == "" || len(s.hunks(file)) > 0
}

// fileSays are the words about traffic where a file differs.
func (s *search) fileSays(file string) []string {
	if known, ok := s.says[file]; ok {
		return known
	}
	var hunks []loader.Hunk
	if s.hunks != nil {
		hunks = s.hunks(file)
	}
	marked := [2]map[int]bool{{}, {}}
	for _, h := range hunks {
		for line := range h.BaseLines {
			marked[0][h.Base+line] = true
		}
		for line := range h.HeadLines {
			marked[1][h.Head+line] = true
		}
	}
	var out []string
	for i, side := range []*loader.Snapshot{s.base, s.head} {
		if side.Text != nil && len(marked[i]) > 0 {
			out = append(out, loader.TrafficAt(side.Text(file), func(line int) bool { return marked[i][line] })...)
		}
	}
	slices.Sort(out)
	s.says[file] = slices.Compact(out)
	return s.says[file]
}

// releases finds those whose chart nothing names: they are objects alone.
func (s *search) releases(pair environmentPair) {
	// Of a release whose chart is named there is a gap, which says it all.
	told := map[loader.Position]bool{}
	for _, env := range []*loader.Environment{pair.base, pair.head} {
		if env != nil {
			for _, g := range env.Gaps {
				told[g.Position] = true
			}
		}
	}
	before, after := byID(pair.base), byID(pair.head)
	each := func(env *loader.Environment, visit func(*loader.Object)) {
		if env == nil {
			return
		}
		for _, o := range env.Objects {
			if o.ID.Kind == "HelmRelease" && !o.Context && !told[o.First()] {
				visit(o)
			}
		}
	}
	values := func(o *loader.Object) *loader.Value {
		if o == nil {
			return nil
		}
		return o.Spec().Get("values")
	}
	each(pair.head, func(o *loader.Object) {
		was := before[o.ID]
		switch {
		case was != nil && (was.Digest == o.Digest || rendered(pair.base, o.ID) && rendered(pair.head, o.ID)):
		case was != nil:
			s.add("HelmRelease "+o.ID.Name, "changed", pair.name(), o.First(), loader.TrafficIn(values(was), values(o)))
		case !rendered(pair.base, o.ID):
			s.addWith(pair, "HelmRelease "+o.ID.Name, "added", o.First(), loader.TrafficIn(nil, values(o)))
		}
	})
	each(pair.base, func(o *loader.Object) {
		if after[o.ID] == nil && !rendered(pair.head, o.ID) {
			s.addWith(pair, "HelmRelease "+o.ID.Name, "removed", o.First(), loader.TrafficIn(nil, values(o)))
		}
	})
}

// rendered says whether an environment has objects of a release: what is missing of them is
// told as a problem.
func rendered(env *loader.Environment, id loader.ID) bool {
	return env != nil && slices.ContainsFunc(env.Objects, func(o *loader.Object) bool { return o.Deployer != nil && o.Deployer.ID == id })
}

// leftOut finds the files that change and that nothing deploys, as far as they are about
// traffic.
func (s *search) leftOut() {
	for _, file := range s.changed {
		if !s.beside(file) || s.below(file) {
			continue
		}
		if says := s.fileSays(file); len(says) > 0 {
			u := s.file(file, says)
			u.LeftOut = true
			if by := doubtful(file, s.head, s.base); by != nil {
				u.What, u.LeftOut = fmt.Sprintf("%s of %s, which nothing in the tree applies,", file, by.What), false
			}
			s.found = append(s.found, u)
		}
	}
}

// beside says whether a file is left out: nothing deploys it.
func (s *search) beside(file string) bool {
	own := func(left string) bool { return left == file || path.Dir(left) == path.Dir(file) }
	if slices.ContainsFunc(s.base.LeftOut, own) || slices.ContainsFunc(s.head.LeftOut, own) {
		return true
	}
	return (within(s.base.LeftOut, file) || within(s.head.LeftOut, file)) && !applied(s.base, file) && !applied(s.head, file)
}

// below says whether a file is part of something that could not be rendered, and is told with
// it.
func (s *search) below(file string) bool {
	for _, side := range []*loader.Snapshot{s.base, s.head} {
		for _, env := range side.Environments {
			for _, g := range env.Gaps {
				if slices.ContainsFunc(g.Roots, func(root string) bool { return file == root || strings.HasPrefix(file, root+"/") }) {
					return true
				}
			}
		}
	}
	return false
}

// unread finds the files that speak of routes where they change and from which no object of
// either side came that is about them: kinds that nobody here knows make routes, too.
func (s *search) unread() {
	told, failed := map[string]bool{}, map[string]bool{}
	kinds, policies := map[string]map[string]bool{}, map[string]bool{}
	for _, u := range s.found {
		told[u.File] = true
	}
	for _, side := range []*loader.Snapshot{s.base, s.head} {
		for _, p := range side.Problems {
			told[p.Position.File] = true
			failed[p.Position.File] = failed[p.Position.File] || p.Severity == loader.Error
		}
		for _, env := range side.Environments {
			for _, g := range env.Gaps {
				told[g.Position.File] = true
				for _, file := range s.changedBelow(g.Roots) {
					told[file] = true
				}
			}
			for _, o := range env.Objects {
				known := s.policy(o.ID.Group, o.ID.Kind)
				if !known && !hierarchy.Needs(o.ID.Group, o.ID.Kind) && o.ID.Kind != "HelmRelease" {
					continue // it was kept in case that it is a policy
				}
				policies[o.ID.Kind] = policies[o.ID.Kind] || known
				for _, file := range o.Files {
					if kinds[file] == nil {
						kinds[file] = map[string]bool{}
					}
					kinds[file][o.ID.Kind] = true
				}
				for _, at := range slices.Concat(o.Inputs, o.Listed) {
					told[at.File] = true
				}
			}
		}
	}
	deployed := func(file string) bool { return applied(s.base, file) || applied(s.head, file) }
	moved := s.moved()
	for _, file := range s.changed {
		if failed[file] && isManifest(file, deployed) && (len(s.fileSays(file)) > 0 || s.unreadable(file)) {
			s.found = append(s.found, s.file(file, []string{"cannot be read"}))
			continue
		}
		if told[file] || moved[file] || !isManifest(file, deployed) || s.beside(file) {
			continue
		}
		says := slices.DeleteFunc(slices.Clone(s.fileSays(file)), func(word string) bool {
			kind, _, attaches := strings.Cut(word, " ")
			switch {
			case attaches:
				return kinds[file][kind] && policies[kind]
			case word == gatewayConfiguration:
				return false
			}
			return !decides(word) || accounts(kinds[file], word)
		})
		if len(says) > 0 {
			s.found = append(s.found, s.file(file, says))
		}
	}
}

// decides says whether a word about traffic is that of a Gateway or a route, whatever kind of
// object has it.
func decides(word string) bool {
	return word == "parentRefs" || word == "gatewayClassName" || word == "Gateway" || strings.HasSuffix(word, "Route")
}

// accounts says whether kinds that were read from a file are those that have such a word.
func accounts(kinds map[string]bool, word string) bool {
	switch word {
	case "parentRefs":
		for kind := range kinds {
			if strings.HasSuffix(kind, "Route") || kind == "ListenerSet" || kind == "XListenerSet" {
				return true
			}
		}
	case "gatewayClassName":
		word = "Gateway"
	}
	return kinds[word] || kinds["HelmRelease"]
}

// gatewayConfiguration is the key by which ConfigMaps hold how Envoy Gateway itself is set up:
// which extensions it asks, and what it takes.
const gatewayConfiguration = "envoy-gateway.yaml"

// moved are the files that went, or came, with the same text under another name, where both
// are deployed alike.
func (s *search) moved() map[string]bool {
	gone := map[string][]string{}
	for _, file := range s.changed {
		if text := s.base.Content(file); text != "" && s.head.Content(file) == "" {
			gone[text] = append(gone[text], file)
		}
	}
	out := map[string]bool{}
	for _, file := range s.changed {
		if s.base.Content(file) != "" {
			continue
		}
		for _, was := range gone[s.head.Content(file)] {
			if applied(s.base, was) == applied(s.head, file) {
				out[was], out[file] = true, true
			}
		}
	}
	return out
}

// unreadable says whether the text of a file is not at hand.
func (s *search) unreadable(name string) bool {
	for _, side := range []*loader.Snapshot{s.base, s.head} {
		if side.Text != nil && side.Content(name) != "" && side.Text(name) == nil {
			return true
		}
	}
	return false
}

// file is a file that changes and is not seen.
func (s *search) file(name string, says []string) Unseen {
	u := Unseen{What: name, Change: "changed", Environments: []string{}, File: name, Line: 1, Column: 1, Says: says}
	switch {
	case s.base.Content(name) == "":
		u.Change = "added"
	case s.head.Content(name) == "":
		u.Change, u.Side = "removed", "base"
	}
	return u
}

// isManifest leaves out what no deployer applies as it stands: parts of charts, schemas, and
// tests where nothing says that they are deployed.
func isManifest(file string, deployed func(file string) bool) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		switch segment {
		case "templates", "charts", "crds", "vendor", "node_modules":
			return false
		case "testdata", "test", "tests", "e2e":
			if !deployed(file) {
				return false
			}
		}
		if strings.HasPrefix(segment, ".") && segment != "." {
			return false
		}
	}
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(file)) && !strings.HasPrefix(path.Base(file), "values")
}

func applied(s *loader.Snapshot, file string) bool { return s.Applied != nil && s.Applied(file) }

// doubtful is the deployer of which nobody knows whether it is applied and that would apply a
// file, or nil.
func doubtful(file string, snapshots ...*loader.Snapshot) *loader.Gap {
	var best *loader.Gap
	for _, s := range snapshots {
		for i := range s.Doubtful {
			if g := &s.Doubtful[i]; strings.HasPrefix(file, g.Roots[0]+"/") && (best == nil || len(g.Roots[0]) > len(best.Roots[0])) {
				best = g
			}
		}
	}
	return best
}

// within says whether a file is one of some, or lies beside or below a kustomization among
// them.
func within(list []string, file string) bool {
	return slices.ContainsFunc(list, func(left string) bool {
		dir := path.Dir(left)
		return left == file || strings.HasPrefix(strings.ToLower(path.Base(left)), "kustomization") && (dir == "." || strings.HasPrefix(file, dir+"/"))
	})
}
