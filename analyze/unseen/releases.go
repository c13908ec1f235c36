package unseen

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader"
)

// opaque adds a gap that exists on one side only. If the gap is not made from the tree and has no
// values, its position reveals nothing about its content: another source may deploy anything.
func (s *search) opaque(pair applied.Pair, change string, g *loader.Gap, says []string) {
	placed := func(env *loader.Environment) bool {
		return env != nil && slices.ContainsFunc(env.Placed, func(p loader.Placed) bool { return p.Object == g.By })
	}
	if placed(pair.Base) && placed(pair.Head) {
		change = plan.EditChanged // where Open Cluster Management places it was known in one revision
	}
	if file := path.Join(path.Dir(g.Position.File), g.Name); g.Kind == "" && s.Base.Content(file) != "" && s.Head.Content(file) != "" {
		change = plan.EditChanged // one revision of the file that is listed could be read
	}
	outside := g.Values == nil && len(g.Roots) == 0 && g.Chart == (loader.RemoteChart{}) && g.Placing == ""
	if outside && g.Kind == loader.FluxGap && len(says) == 0 {
		says = []string{"another source"}
	}
	n := len(s.found)
	s.addWith(pair, g.String(), change, g.Position, says)
	for i := range s.found[n:] {
		s.found[n+i].Opaque = outside && len(says) == 0
	}
}

// gaps finds what could not be rendered on one side and differs from the other side.
func (s *search) gaps(pair applied.Pair) {
	type key struct{ what, namespace string }
	by := func(env *loader.Environment) (map[key]loader.Gap, []key) {
		out := map[key]loader.Gap{}
		var order []key
		if env == nil {
			return out, nil
		}
		for _, g := range env.Gaps {
			k := key{what: g.String(), namespace: g.Namespace}
			if _, twice := out[k]; twice {
				continue
			}
			out[k] = g
			order = append(order, k)
		}
		return out, order
	}
	missing := [2]func() []loader.ID{ // most environments have no release on one side only
		sync.OnceValue(func() []loader.ID { return missingBackends(pair.Base) }),
		sync.OnceValue(func() []loader.ID { return missingBackends(pair.Head) }),
	}
	deployers := sync.OnceValue(pair.Base.Deployers)
	starved := applied.Starved(pair.Name(), pair.Base, pair.Head, s.Base, s.Head)
	raised := raisedManifests(s, pair)
	before, gone := by(pair.Base)
	after, come := by(pair.Head)
	for _, k := range come {
		g := after[k]
		was, known := before[k]
		switch {
		case !known && raised[g.Name]:
		case !known && applied.Broken(s.Head.Problems, g.Position):
			continue // a finding reports it
		case !known && starved[g.By]:
			continue // it stays as it was
		case !known && pair.Base != nil && inFull(pair.Base, g):
			// It was rendered before, and the plan shows what was removed. What replaces it is
			// unknown, unless some of it was read.
			says := s.about(nil, &g)
			if len(says) == 0 && g.Rest && g.Values == nil {
				says = []string{"what depends on the cluster"} // its templates ask what nothing in the input answers
			}
			if len(says) > 0 && (g.Rest || !gives(pair.Head, g)) {
				s.add(g.String(), plan.EditChanged, pair.Name(), g.Position, says)
			}
		case !known && pair.Base != nil && gave(deployers(), g):
			// What it applied stays or becomes something else: neither is known.
			says := s.about(nil, &g)
			if len(says) == 0 {
				says = []string{"what it applied before"}
			}
			s.add(g.String(), plan.EditChanged, pair.Name(), g.Position, says)
		case !known:
			s.opaque(pair, plan.EditAdded, &g, slices.Concat(s.about(nil, &g), serving(&g, pair.Base), backing(&g, missing[0]())))
		case was.Content != g.Content || s.files.touches(g.Roots) || !slices.Equal(was.Otherwise, g.Otherwise):
			says := append(s.about(&was, &g), podLabels(pair, was.Values, g.Values)...)
			if len(says) == 0 && g.Values == nil && len(g.Roots) == 0 && g.Chart == (loader.RemoteChart{}) && g.Placing == "" {
				says = []string{"what it takes from another source"} // each of its settings decides about all of that
			}
			s.add(g.String(), plan.EditChanged, pair.Name(), g.Position, says)
		}
	}
	kept := keeps(s, pair)
	broken := pair.Head != nil && len(applied.BrokenFolders(pair.Name(), pair.Head, s.Base, s.Head)) > 0
	for _, k := range gone {
		g := before[k]
		if broken && s.Base.Content(g.Position.File) == s.Head.Content(g.Position.File) {
			continue // the build that contains it is broken: it stays as it was
		}
		if kept(&g) || raised[g.Name] {
			continue
		}
		_, stays := after[k]
		if says := s.about(&g, nil); !stays && g.Rest && len(says) > 0 && pair.Head != nil && inFull(pair.Head, g) {
			s.add(g.String(), plan.EditChanged, pair.Name(), g.Position, says) // what was not read is gone
		}
		if !stays && !(pair.Head != nil && inFull(pair.Head, g)) {
			s.opaque(pair, plan.EditRemoved, &g, slices.Concat(s.about(&g, nil), serving(&g, pair.Head), backing(&g, missing[1]())))
		}
	}
}

// keeps returns a function that reports whether a gap of base stays as it was, because the file that declares its deployer cannot
// be read in head.
func keeps(s *search, pair applied.Pair) func(*loader.Gap) bool {
	if pair.Base == nil {
		return func(*loader.Gap) bool { return false }
	}
	unread := applied.UnreadableDeployers(pair.Name(), pair.Base, pair.Head, s.Base, s.Head)
	return func(g *loader.Gap) bool {
		return slices.ContainsFunc(pair.Base.Parts, func(p loader.Part) bool {
			return p.Deployer != nil && unread[p.Deployer.ID] && loader.Within(p.Path, g.Position.File)
		})
	}
}

// raisedManifests returns the URLs of remote manifests that both sides of a pair have, of different releases of a project: a
// finding tells what the release changes.
func raisedManifests(s *search, pair applied.Pair) map[string]bool {
	out := map[string]bool{}
	if pair.Base == nil || pair.Head == nil {
		return out
	}
	was := map[string]string{}
	each := func(env *loader.Environment, visit func(name, unversioned string)) {
		for i := range env.Gaps {
			g := &env.Gaps[i]
			if p, text := upgrade.OfManifests(g); p != nil && toldRelease(s, p) {
				visit(g.Name, strings.ReplaceAll(g.Name, text, ""))
			}
		}
	}
	each(pair.Base, func(name, unversioned string) { was[unversioned] = name })
	each(pair.Head, func(name, unversioned string) {
		if before := was[unversioned]; before != "" && before != name {
			out[before], out[name] = true, true
		}
	})
	return out
}

// gave reports whether a gap covers all objects of one of the deployers.
func gave(deployers map[loader.ID]*loader.Deployer, g loader.Gap) bool {
	for _, d := range deployers {
		if g.CoversAllOf(d) {
			return true
		}
	}
	return false
}

// gives reports whether an environment has objects of the release that a gap is about.
func gives(env *loader.Environment, g loader.Gap) bool {
	return slices.ContainsFunc(slices.Concat(env.Objects, env.Workloads), func(o *loader.Object) bool {
		return o.Deployer != nil && g.IsReleaseOf(o.Deployer.ID)
	})
}

// inFull reports whether an environment has in full what is only a gap on the other side.
func inFull(env *loader.Environment, g loader.Gap) bool {
	return slices.ContainsFunc(env.Releases, func(r loader.Release) bool { return g.IsReleaseOf(r.By) }) || slices.ContainsFunc(env.Parts, func(p loader.Part) bool { return slices.Contains(g.Roots, p.Path) })
}

// about returns the words about traffic in the parts of a gap that differ.
func (s *search) about(before, after *loader.Gap) []string {
	g := cmp.Or(after, before)
	var out []string
	switch {
	case before != nil && after != nil && before.Chart == after.Chart && before.Placing == after.Placing:
		out = slices.Concat(loader.TrafficIn(before.Values, after.Values), changedOptions(before.Options, after.Options))
	case before != nil && after != nil:
		out = slices.Concat(loader.TrafficIn(nil, before.Values), loader.TrafficIn(nil, after.Values))
		if was, is := before.ChartName(), after.ChartName(); was != "" && is != "" && was != is {
			out = append(out, "another chart, "+is) // each of its templates may be another
		}
	default:
		out = loader.TrafficIn(nil, g.Values)
	}
	for _, file := range s.files.changedBelow(g.Roots) {
		out = append(out, s.files.saysUnread(file)...)
	}
	out = append(out, flowing(s, g.Roots, valuesOf(before), valuesOf(after))...)
	if g.Values == nil && len(g.Roots) == 0 {
		out = append(out, s.files.says(g.Position.File)...)
	}
	if before != nil && after != nil {
		out = append(out, configured(before, after, out)...)
	}
	out = withKinds(out, otherwise(before), otherwise(after))
	slices.Sort(out)
	return slices.Compact(out)
}

// valuesOf returns the values of a gap, which may be nil.
func valuesOf(g *loader.Gap) *loader.Value {
	if g == nil {
		return nil
	}
	return g.Values
}

// withKinds adds to words about traffic the kinds of the objects that only one of two lists has, unless a word begins with them.
func withKinds(says []string, before, after []loader.Conditional) []string {
	in := [2]map[loader.Conditional]bool{{}, {}}
	for i, list := range [][]loader.Conditional{before, after} {
		for _, o := range list {
			in[i][o] = true
		}
	}
	for _, o := range slices.Concat(before, after) {
		if kind := o.ID.Kind; in[0][o] != in[1][o] && !slices.ContainsFunc(says, func(word string) bool { first, _ := loader.PartsOfWord(word); return first == kind }) {
			says = append(says, kind)
		}
	}
	return says
}

// otherwise returns the objects that the chart of a gap gives in some clusters only. The gap may be nil.
func otherwise(g *loader.Gap) []loader.Conditional {
	if g == nil {
		return nil
	}
	return g.Otherwise
}

// changedOptions returns the options of a release that differ, without those that concern no traffic.
func changedOptions(before, after *loader.Value) []string {
	of := func(v *loader.Value, name string) [16]byte {
		list := &loader.Value{Shape: loader.List}
		if v != nil {
			for _, f := range v.Fields {
				if f.Key == name {
					list.Items = append(list.Items, f.Value)
				}
			}
		}
		return loader.Digest(loader.ID{}, list)
	}
	var out []string
	for _, v := range []*loader.Value{before, after} {
		if v == nil {
			continue
		}
		for _, f := range v.Fields {
			if f.Key != loader.OptionMetadata && f.Key != loader.OptionPatches && of(before, f.Key) != of(after, f.Key) {
				out = append(out, f.Key)
			}
		}
	}
	return out
}

// releases finds HelmReleases for which no chart is named. They are in the input only as objects.
func (s *search) releases(pair applied.Pair) {
	// A release with a named chart has a gap, which is reported already.
	told := map[loader.Position]bool{}
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		if env != nil {
			for _, g := range env.Gaps {
				told[g.Position] = true
			}
		}
	}
	before, after := helmReleases(pair.Base), helmReleases(pair.Head)
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
	each(pair.Head, func(o *loader.Object) {
		was := before[o.ID]
		switch {
		case was != nil && (was.Digest == o.Digest || rendered(pair.Base, o.ID) && rendered(pair.Head, o.ID)):
		case was != nil:
			s.add("HelmRelease "+o.ID.Name, plan.EditChanged, pair.Name(), o.First(), loader.TrafficIn(values(was), values(o)))
		case !rendered(pair.Base, o.ID):
			s.addWith(pair, "HelmRelease "+o.ID.Name, plan.EditAdded, o.First(), loader.TrafficIn(nil, values(o)))
		}
	})
	each(pair.Base, func(o *loader.Object) {
		if after[o.ID] == nil && !rendered(pair.Head, o.ID) {
			s.addWith(pair, "HelmRelease "+o.ID.Name, plan.EditRemoved, o.First(), loader.TrafficIn(nil, values(o)))
		}
	})
}

// helmReleases are the HelmReleases of an environment, which may be nil.
func helmReleases(env *loader.Environment) map[loader.ID]*loader.Object {
	out := map[loader.ID]*loader.Object{}
	if env == nil {
		return out
	}
	for _, o := range env.Objects {
		if o.ID.Kind == "HelmRelease" {
			out[o.ID] = o
		}
	}
	return out
}

// rendered reports whether an environment has objects of a release. Objects that are missing are
// reported as a problem.
func rendered(env *loader.Environment, id loader.ID) bool {
	return env != nil && slices.ContainsFunc(slices.Concat(env.Objects, env.Workloads), func(o *loader.Object) bool { return o.Deployer != nil && o.Deployer.ID == id })
}
