package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// BuildBroken is the id of the rule that tells of builds that fail.
const BuildBroken = "build-broken"

var buildBroken = &Rule{
	ID:       BuildBroken,
	Title:    "What was applied before can no longer be built or read",
	Severity: plan.Error,
	Why: "After this change a kustomization cannot be built, the path of a deployer does not exist, a chart refuses its values, or a " +
		"manifest is not valid YAML. Deployers apply nothing of what they cannot build: the cluster stays as it was, and nothing else of this " +
		"change takes effect there.",
	Fix:     "Correct what the message names; the build can be tried with kustomize build, flux build or helm template.",
	Compare: compareBuilds,
}

func compareBuilds(p *Pair, report Report) {
	type place struct{ file, code string }
	var order []place
	found := map[place][]loader.Problem{}
	for _, problem := range p.Broken {
		if applied.Stale(problem) && !installed(p.Base, problem) {
			continue
		}
		at := place{problem.Position.File, problem.Code}
		if found[at] == nil {
			order = append(order, at)
		}
		found[at] = append(found[at], problem)
	}
	for _, at := range order {
		first, detail := found[at][0], ""
		if more := len(found[at]) - 1; more > 0 {
			detail = fmt.Sprintf("as in %s of the file", spelling.Count(more, "more line"))
		}
		report(Hit{
			Target: at.file, Key: []string{at.code, first.Message}, At: first.Position,
			Title: first.Message + ": " + applied.Consequence(at.code), Detail: detail,
		})
	}
}

// installed reports whether an environment has the release that a problem is about.
func installed(base *Environment, problem loader.Problem) bool {
	for id, d := range base.deployers() {
		if applied.IsRelease(id) && id.Name == problem.Release && d.At.File == problem.Position.File {
			return true
		}
	}
	return false
}
