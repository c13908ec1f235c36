package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var removedButKept = &Rule{
	ID:       "removed-but-kept",
	Title:    "An object is removed from Git and stays in the cluster",
	Severity: plan.Warning,
	Why: "Nothing removes it there: the Kustomization of Flux has prune: false, the Application of Argo CD does not prune by " +
		"itself, or the object asks to be kept (kustomize.toolkit.fluxcd.io/prune: disabled, sync-options: Prune=false, helm.sh/resource-policy: keep). A policy " +
		"that the plan shows as removed stays in force until it is deleted by hand.",
	Fix:       "Delete it in the cluster, too, or let its deployer prune.",
	HoldsBack: true,
	Compare:   compareKept,
}

func compareKept(p *Pair, report Report) {
	deployers := p.Head.deployers()
	eachEdited(p, func(before, after *loader.Object) {
		if after != nil || before.Deployer == nil {
			return
		}
		by := before.Deployer.KeptBy(deployers)
		if by == nil {
			return
		}
		report(Hit{
			Target: before.ID.String(), At: before.First(), InBase: true, Object: before,
			Title: say("%s is removed from Git, and %s does not remove it from the cluster", before.ID, by.ID),
		})
	})
}
