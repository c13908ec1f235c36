package applied

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// What a deployer does because of a problem: it applies nothing of what has the problem.
const (
	notBuilt = "nothing of this kustomization is applied"
	unread   = "nothing of what this file is part of is applied"
	ofIt     = "nothing of it is applied"
	ofSet    = "nothing of its Applications changes"
	// These concern one release or Application only.
	releaseStays     = "the release stays as it was"
	applicationStays = "the Application stays as it was"
)

// consequences maps the codes of problems for which a deployer applies nothing to the consequence
// (kustomize-controller and helm-controller stop at a failed build; Argo CD shows a
// ComparisonError).
var consequences = map[string]string{
	loader.YAMLSyntax: unread, loader.DuplicateKey: unread, loader.Encoding: unread, loader.AliasCycle: unread,

	loader.KustomizeBuild: notBuilt, loader.KustomizeCycle: notBuilt, loader.KustomizeMissing: notBuilt, loader.KustomizeOutside: notBuilt,
	loader.KustomizeField: notBuilt, loader.KustomizeInline: notBuilt, loader.KustomizeFiles: notBuilt,
	loader.KustomizePlugin: notBuilt + ", unless its deployer runs plugins",

	loader.FluxPathMissing: ofIt, loader.FluxVariables: ofIt, loader.FluxPatches: "Flux stays as it was",
	loader.NoNamespace: "nothing of its Kustomization is applied",

	loader.ArgoPathMissing: ofIt, loader.ArgoTypes: applicationStays, loader.ArgoValuesMissing: applicationStays,
	loader.ArgoNameTwice: "the Application of this name stays as it was", loader.ArgoGeneratorFails: ofSet, loader.ArgoTemplate: ofSet,

	loader.HelmChart: releaseStays, loader.HelmRender: releaseStays, loader.AppTemplate: releaseStays, loader.FluxChartMissing: releaseStays,
	loader.HelmValuesMissing: releaseStays, loader.HelmValuesAbsent: releaseStays,
}

// Consequence says what a deployer does because of problems of a code, if it then applies nothing; else it is empty.
func Consequence(code string) string { return consequences[code] }

// BreaksRelease reports whether a problem affects one release or Application only, so that only its objects stay
// unchanged.
func BreaksRelease(code string) bool {
	return consequences[code] == releaseStays || consequences[code] == applicationStays
}

// NewlyBroken returns the problems of an environment in head for which a deployer applies nothing and that base does
// not have.
func NewlyBroken(environment string, base, head *loader.Snapshot) []loader.Problem {
	type place struct{ code, file, release string }
	of := func(problem *loader.Problem) place {
		at := place{code: problem.Code, file: problem.Position.File}
		if BreaksRelease(problem.Code) {
			// One ApplicationSet makes many releases at the same place.
			at.release = problem.Release
		}
		return at
	}
	had := map[place]bool{}
	for _, problem := range problemsOf(base, environment) {
		had[of(&problem)] = true
	}
	return slices.DeleteFunc(problemsOf(head, environment), func(problem loader.Problem) bool {
		switch {
		case Consequence(problem.Code) == "" || had[of(&problem)]:
			return true
		case problem.Code == loader.HelmValuesAbsent:
			// The release takes its values from the same place as before, where base has them.
			return !sameFile(base, head, problem.Position.File)
		}
		return problem.Severity == loader.Note && !Stale(problem)
	})
}

func sameFile(base, head *loader.Snapshot, file string) bool {
	return base.Content != nil && head.Content != nil && base.Content(file) == head.Content(file)
}

// Stale reports whether a problem means that head renders a release as it does not become: without values that it lacks.
func Stale(p loader.Problem) bool {
	return p.Code == loader.HelmValuesMissing || p.Code == loader.HelmValuesAbsent
}

// Broken reports whether one of the problems is a failed build at a place.
func Broken(problems []loader.Problem, at loader.Position) bool {
	return slices.ContainsFunc(problems, func(p loader.Problem) bool { return Consequence(p.Code) != "" && p.Position == at })
}

// problemsOf returns the problems of a snapshot that make an environment incomplete.
func problemsOf(s *loader.Snapshot, environment string) []loader.Problem {
	return slices.DeleteFunc(slices.Clone(s.Problems), func(p loader.Problem) bool {
		return len(p.Environments) > 0 && !slices.Contains(p.Environments, environment)
	})
}
