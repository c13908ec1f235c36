package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
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
	reportStaying(p, report)
	deployers := p.Head.deployers()
	found := map[keeper][]*loader.Object{}
	eachEdited(p, func(before, after *loader.Object) {
		if after != nil || before.Deployer == nil {
			return
		}
		if by := before.Deployer.KeptBy(deployers); by != nil {
			key := keeper{by.ID, before.Deployer.ID, deployers[by.ID] != nil || before.Deployer.Asked}
			found[key] = append(found[key], before)
		}
	})
	for key, kept := range found {
		first, n := kept[0], len(kept)
		hit := Hit{Target: first.ID.String(), At: first.First(), InBase: true}
		if n == 1 {
			hit.Object = first
		}
		what, are, them := say("%s", first.ID), "is", "it"
		if n > 1 {
			what, are, them = say("%s and %d more", first.ID, n-1), "are", "them"
		}
		stays := map[bool]string{false: "stays", true: "stay"}[n > 1]
		switch {
		case key.by != key.own:
			hit.Title = say("%s %s in the cluster, as %s does: it is no longer in Git, and %s does not remove it", what, stays, key.own, key.by)
		case key.still:
			hit.Title = say("%s %s removed from Git, and %s does not remove %s from the cluster", what, are, key.by, them)
		default:
			hit.Title = say("%s %s in the cluster: %s no longer applies %s there, and does not remove %s", what, stays, key.by, them, them)
		}
		report(hit)
	}
}

// keeper is why objects stay in the cluster.
type keeper struct {
	// by keeps them, and own is what applied them: the same, or one that by applies.
	by, own loader.ID
	// still is true if the environment has by, or the objects ask to be kept.
	still bool
}

// reportStaying reports the deployers that Git no longer has, and that go on in the cluster.
func reportStaying(p *Pair, report Report) {
	base, head := p.Base.deployers(), p.Head.deployers()
	for id, d := range head {
		was := base[id]
		unread := was != nil && slices.ContainsFunc(p.Broken, func(problem loader.Problem) bool { return problem.Position.File == was.At.File })
		if was == nil || !d.Stays || was.Stays || d.Parent == nil || unread {
			continue
		}
		what := "it stays in the cluster and goes on with its manifests"
		if n := applies(p.Head, d); n > 0 {
			what = say("it stays in the cluster and goes on applying its %s", spelling.Count(n, "object"))
		}
		report(Hit{
			Target: id.String(), At: was.At, InBase: true, Key: []string{"stays"},
			Title: say("%s is no longer in Git, and %s does not remove it: %s", id, d.Parent.ID, what),
		})
	}
}
