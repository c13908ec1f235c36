package applied

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Starved returns the deployers that head shows without what a failed build still gives them in the cluster: the ConfigMap that
// their variables or values come from, or the source of their chart. They stay as they are in base. There are none if head breaks
// no build.
func Starved(name string, base, head *loader.Environment, before, after *loader.Snapshot) map[loader.ID]bool {
	if base == nil || head == nil || len(BrokenFolders(name, head, before, after))+len(brokenDeployers(name, head, before, after)) == 0 {
		return nil
	}
	return starved(base, head, before, after)
}

func starved(base, head *loader.Environment, before, after *loader.Snapshot) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	had := map[loader.ID][]loader.Setting{}
	for _, c := range base.Controls {
		had[c.ID] = c.Settings
	}
	same := func(file string) bool { return before.Content(file) == after.Content(file) }
	for _, c := range head.Controls {
		was, known := had[c.ID]
		without := func(s loader.Setting) bool {
			return slices.Contains(drawn, s.Field) && !slices.ContainsFunc(was, sameSetting(s))
		}
		if known && same(c.At.File) && slices.ContainsFunc(c.Settings, without) && appliesTheSame(c.ID, base, head, same) {
			out[c.ID] = true
		}
	}
	for _, g := range head.Gaps {
		was := func(r loader.Release) bool { return g.IsReleaseOf(r.By) }
		if g.Sourceless && same(g.Position.File) && slices.ContainsFunc(base.Releases, was) {
			out[g.By] = true
		}
	}
	return out
}

// appliesTheSame reports whether a deployer has the same objects in both environments, from files that do not differ. What it has
// otherwise is applied with what the cluster still gives it.
func appliesTheSame(id loader.ID, base, head *loader.Environment, same func(file string) bool) bool {
	has := [2]map[loader.ID]bool{{}, {}}
	for side, env := range []*loader.Environment{base, head} {
		for _, o := range slices.Concat(env.Objects, env.Workloads) {
			if o.Deployer == nil || o.Deployer.ID != id {
				continue
			}
			files := o.Files
			if env == base {
				files = files[:min(len(files), 1)] // the others may be what it no longer draws from
			}
			for _, at := range o.Listed {
				files = append(files[:len(files):len(files)], at.File)
			}
			if slices.ContainsFunc(files, func(file string) bool { return !same(file) }) {
				return false
			}
			has[side][o.ID] = true
		}
	}
	return maps.Equal(has[0], has[1])
}

// drawn are the settings that stand for what a deployer draws from and that is not read.
var drawn = []string{"postBuild.substitute", "postBuild.substituteFrom", "valuesFrom"}

func sameSetting(s loader.Setting) func(loader.Setting) bool {
	return func(other loader.Setting) bool { return other.Words == s.Words && other.Content == s.Content }
}
