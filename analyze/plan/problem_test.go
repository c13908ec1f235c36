package plan_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

func TestProblemsThatHideFiles(t *testing.T) {
	for file, want := range map[string]bool{
		"": true, "apps/kustomization.yaml": true, "apps/Kustomization": true, "kustomization.yml": true,
		"apps/kustomization-notes.yaml": false, "kustomizations/route.yaml": false, "apps/route.yaml": false,
	} {
		if got := (plan.Problem{File: file}).HidesFiles(); got != want {
			t.Errorf("a problem in %q hides files: %v", file, got)
		}
	}
}
