package rule

import (
	"cmp"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// reportHeld reports what deployers do not apply although they are not suspended: fields that an Application ignores,
// templates of an ApplicationSet that only creates Applications, and charts whose version did not change.
func reportHeld(p *Pair, report Report) {
	told, base, head := map[loader.ID]bool{}, p.Base.deployers(), p.Head.deployers()
	eachEdited(p, func(before, after *loader.Object) {
		o := cmp.Or(after, before)
		if o.Deployer == nil {
			return
		}
		was, is := base[o.Deployer.ID], head[o.Deployer.ID]
		if was == nil || is == nil {
			return
		}
		if before != nil && after != nil && slices.ContainsFunc(is.Left, func(l loader.LeftFields) bool { return l.Of(o.ID) && l.Differ(before, after) }) {
			report(Hit{
				Target: o.ID.String(), At: o.First(), Object: o, Key: []string{"left"},
				Title: say("%s does not update some fields of %s (ignoreDifferences), so their change is not rolled out", is.ID, o.ID),
			})
		}
		switch {
		case told[is.ID]:
		case is.Parent != nil && is.Parent.CreatesOnly && was.Content != is.Content:
			told[is.ID] = true
			report(Hit{
				Target: is.ID.String(), At: is.Parent.At, Key: []string{"creates"},
				Title: say("%s creates Applications but does not update them: the edit of %s is not rolled out (%s differs)", is.Parent.ID, is.ID, o.ID),
			})
		case is.Manual && !was.Manual:
			told[is.ID] = true
			report(Hit{
				Target: is.ID.String(), At: is.At, Key: []string{"manual"},
				Title: say("%s no longer syncs by itself (syncPolicy.automated), so this change is not rolled out until somebody syncs it (%s differs)", is.ID, o.ID),
			})
		case is.Chart.StaysAs(was.Chart):
			told[is.ID] = true
			report(Hit{
				Target: is.ID.String(), At: is.At, Key: []string{"chart"},
				Title: say("the chart of %s is packaged again only with another version, and %s stays %s: what the edit of the chart changes is not rolled out (%s differs)",
					is.ID, path.Join(is.Chart.Dir, "Chart.yaml"), is.Chart.Version, o.ID),
			})
		}
	})
}
