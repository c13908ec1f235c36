package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var deployerResumed = &Rule{
	ID:       "deployer-resumed",
	Title:    "A deployer that applied nothing is resumed",
	Severity: plan.Note,
	Why: "While spec.suspend was set, Flux applied nothing of the Kustomization or HelmRelease; without syncPolicy.automated, Argo CD " +
		"syncs an Application only when a person says so. With this change it applies " +
		"everything that was merged in the meantime. gwplan compares what Git says before and after, so it does not show that.",
	Fix:     "Compare with the revision that was last applied: gwplan diff REVISION...",
	Compare: compareResumed,
}

func compareResumed(p *Pair, report Report) {
	before, after := p.Base.deployers(), p.Head.deployers()
	for _, id := range slices.SortedFunc(maps.Keys(after), loader.ID.Compare) {
		was, is := before[id], after[id]
		if was == nil {
			continue
		}
		if was.Manual && !is.Manual {
			report(Hit{
				Target: id.String(), At: is.At, Key: []string{"automated"},
				Title: say("%s syncs by itself now: what was merged and that nobody synced is rolled out, too, and is not part of this comparison", id),
			})
		}
		if !was.Suspended || is.Suspended {
			continue
		}
		report(Hit{
			Target: id.String(), At: is.At,
			Title: say("%s is resumed: what was merged while it was suspended is rolled out, too, and is not part of this comparison", id),
		})
	}
}
