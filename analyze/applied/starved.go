package applied

import (
	"slices"
	"strings"

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
	for _, c := range head.Controls {
		was, known := had[c.ID]
		if known && slices.ContainsFunc(c.Settings, func(s loader.Setting) bool { return drawn(s.Field) && !slices.ContainsFunc(was, sameSetting(s)) }) {
			out[c.ID] = true
		}
	}
	for _, g := range head.Gaps {
		was := func(r loader.Release) bool { return g.Of(r.By) }
		if g.By.Kind == "HelmRelease" && slices.ContainsFunc(base.Releases, was) && before.Content(g.Position.File) == after.Content(g.Position.File) {
			out[g.By] = true
		}
	}
	return out
}

// drawn reports whether a setting says that what a deployer draws from is not read.
func drawn(field string) bool {
	return strings.HasPrefix(field, "postBuild.substituteFrom (") || strings.HasPrefix(field, "valuesFrom (")
}

func sameSetting(s loader.Setting) func(loader.Setting) bool {
	return func(other loader.Setting) bool { return other.Field == s.Field && other.Content == s.Content }
}
