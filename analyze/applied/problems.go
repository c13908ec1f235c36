package applied

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// consequences maps the codes of problems for which a deployer applies nothing to the consequence
// (kustomize-controller and helm-controller stop at a failed build; Argo CD shows a
// ComparisonError).
var consequences = map[string]string{
	"kustomize-build": "nothing of this kustomization is applied", "kustomize-cycle": "nothing of this kustomization is applied",
	"kustomize-missing": "nothing of this kustomization is applied", "kustomize-outside": "nothing of this kustomization is applied",
	"kustomize-field": "nothing of this kustomization is applied", "kustomize-inline": "nothing of this kustomization is applied",
	"flux-patches": "Flux stays as it was", "flux-path-missing": "nothing of it is applied", "argocd-path-missing": "nothing of it is applied",
	"helm-render": "the release stays as it was", "app-template": "the release stays as it was",
	"yaml-syntax": "nothing of what this file is part of is applied", "duplicate-key": "nothing of what this file is part of is applied",
	"encoding": "nothing of what this file is part of is applied", "alias-cycle": "nothing of what this file is part of is applied",
	"kustomize-plugin": "nothing of this kustomization is applied, unless its deployer runs plugins",
	"kustomize-files":  "nothing of this kustomization is applied", "flux-variables": "nothing of it is applied",
	nameTwice:                "the Application of this name stays as it was",
	"argocd-generator-fails": "nothing of its Applications changes", "argocd-template": "nothing of its Applications changes", "helm-chart": "the release stays as it was", "flux-chart-missing": "the release stays as it was",
	valuesMissing: "the release stays as it was", loader.NoNamespace: "nothing of its Kustomization is applied",
}

// nameTwice is the code of the problem that an ApplicationSet makes several Applications of one name.
const nameTwice = "argocd-name-twice"

// valuesMissing is the code of the problem that a release takes values from a ConfigMap that has none there, or none that can
// be read. Its objects are rendered without them.
const valuesMissing = "helm-values-missing"

// Consequence says what a deployer does because of problems of a code, if it then applies nothing; else it is empty.
func Consequence(code string) string { return consequences[code] }

// BreaksRelease reports whether a problem affects one release only, so that only its objects stay
// unchanged.
func BreaksRelease(code string) bool {
	return code == "helm-render" || code == "app-template" || code == "helm-chart" || code == "flux-chart-missing" || code == valuesMissing
}

// NewlyBroken returns the problems of head for which a deployer applies nothing and that base does
// not have.
func NewlyBroken(base, head []loader.Problem) []loader.Problem {
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
	for i := range base {
		had[of(&base[i])] = true
	}
	return slices.DeleteFunc(slices.Clone(head), func(problem loader.Problem) bool {
		return consequences[problem.Code] == "" || problem.Severity == loader.Note && problem.Code != valuesMissing || had[of(&problem)]
	})
}

// Stale reports whether a problem means that head renders a release as it does not become: without values that it lacks.
func Stale(p loader.Problem) bool { return p.Code == valuesMissing }

// Broken reports whether one of the problems is a failed build at a place.
func Broken(problems []loader.Problem, at loader.Position) bool {
	return slices.ContainsFunc(problems, func(p loader.Problem) bool { return consequences[p.Code] != "" && p.Position == at })
}

// ProblemsOf returns the problems of a snapshot that make an environment incomplete.
func ProblemsOf(s *loader.Snapshot, environment string) []loader.Problem {
	return slices.DeleteFunc(slices.Clone(s.Problems), func(p loader.Problem) bool {
		return len(p.Environments) > 0 && !slices.Contains(p.Environments, environment)
	})
}
