package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var policyChangesDeployer = &Rule{
	ID:       "policy-changes-deployer",
	Title:    "A policy of a kind that can protect moves from one deployer to another",
	Severity: plan.Warning,
	Security: true,
	Why: "The tree has the policy before and after, but its former deployer removes it from the cluster as soon as it sees that it no longer " +
		"holds it, whether or not the other one has applied it. Flux and Argo CD apply and prune by themselves, in no order " +
		"(kustomize-controller internal/controller/kustomization_controller.go, prune; gitops-engine pkg/sync). If the other one fails for " +
		"any reason, such as one of its objects that the API server refuses, a hook, or values that are missing, the policy stays away.",
	Fix: "Set kustomize.toolkit.fluxcd.io/prune: disabled or argocd.argoproj.io/sync-options: Prune=false on the policy in one change, and move " +
		"it in the next; or see to it that the other deployer is ready after the merge.",
	Compare: compareHandovers,
}

// handover are the policies that move from one deployer to another.
type handover struct {
	from, to *loader.Deployer
	policies []*loader.Object
}

func compareHandovers(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	deployers := p.Head.deployers()
	removes := func(d *loader.Deployer) bool { return d.KeptBy(deployers) == nil && deployers[d.ID].StoppedBy() == nil }
	protective := map[loader.ID]*loader.Object{}
	p.Base.policies(func(known *policy.Policy) {
		if len(known.Kind.Protects) > 0 {
			protective[known.ID()] = known.Object
		}
	})
	found := map[[2]loader.ID]*handover{}
	p.Head.policies(func(known *policy.Policy) {
		o, was := known.Object, protective[known.ID()]
		if was == nil || was.Deployer == nil || o.Deployer == nil || o.Deployer.IsBelow(was.Deployer) || !removes(was.Deployer) {
			return
		}
		key := [2]loader.ID{was.Deployer.ID, o.Deployer.ID}
		if found[key] == nil {
			found[key] = &handover{from: was.Deployer, to: o.Deployer}
		}
		found[key].policies = append(found[key].policies, o)
	})
	for _, h := range found {
		slices.SortFunc(h.policies, func(a, b *loader.Object) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
		first := h.policies[0]
		report(Hit{
			Target: first.ID.String(), Key: []string{h.from.ID.String(), h.to.ID.String()}, At: first.First(), Object: first,
			Title: say("%s%s moves from %s to %s: the first one removes it even if the second one fails to apply it",
				first.ID, spelling.More(len(h.policies)-1), h.from.ID.Spoken(), h.to.ID.Spoken()),
		})
	}
}
