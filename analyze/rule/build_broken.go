package rule

import (
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var buildBroken = &Rule{
	ID:       "build-broken",
	Title:    "What was applied before can no longer be built or read",
	Severity: plan.Error,
	Why: "After this change a kustomization cannot be built, the path of a deployer does not exist, a chart refuses its values, or a " +
		"manifest is not valid YAML. Deployers apply nothing of what they cannot build: the cluster stays as it was, and whatever else this " +
		"change does there does not come about.",
	Fix:     "Correct what the message names; the build can be tried with kustomize build, flux build or helm template.",
	Compare: compareBuilds,
}

func compareBuilds(p *Pair, report Report) {
	for _, problem := range applied.NewlyBroken(p.Problems[0], p.Problems[1]) {
		if applied.Stale(problem) && !installed(p.Base, problem) {
			continue
		}
		report(Hit{
			Target: problem.Position.File, Key: []string{problem.Code, problem.Message}, At: problem.Position,
			Title: problem.Message + ": " + applied.Consequence(problem.Code),
		})
	}
}

// installed reports whether an environment has the release that a problem is about.
func installed(base *Environment, problem loader.Problem) bool {
	for id, d := range base.deployers() {
		if id.Kind == "HelmRelease" && id.Name == problem.Release && d.At.File == problem.Position.File {
			return true
		}
	}
	return false
}
