package report_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// At every size of a comment each error is shown, or counted where others stand; and the same holds for warnings.
func TestNoFindingVanishes(t *testing.T) {
	doc := many()
	env := &doc.Environments[0]
	env.Findings = nil
	for i := range doc.Environments {
		doc.Environments[i].Findings = nil
	}
	const errors, warnings = 30, 12
	add := func(severity plan.Severity, n int) {
		for i := range n {
			env.Findings = append(env.Findings, plan.Finding{
				Rule: "backend-not-found", Severity: severity, State: "new", Message: fmt.Sprintf("%s number %d: %s", severity, i, strings.Repeat("long ", 20)),
				Target: "HTTPRoute/baker/oven", File: fmt.Sprintf("apps/%d.yaml", i), Line: 1,
			})
		}
	}
	add(plan.Error, errors)
	add(plan.Warning, warnings)
	for limit := 3_000; limit < 40_000; limit += 250 {
		text := planAs(t, "markdown", doc, outline.Style{MaxBytes: limit})
		if len(text) > limit {
			t.Errorf("%d bytes, %d allowed", len(text), limit)
		}
		for _, severity := range []struct {
			word string
			all  int
		}{{"error", errors}, {"warning", warnings}} {
			shown := strings.Count(text, severity.word+" number ")
			if n := shown + counted(text, severity.word); n != severity.all {
				t.Errorf("with %d bytes, %d %ss are shown or counted, want %d", limit, n, severity.word, severity.all)
			}
		}
	}
}

// counted is how many findings of a severity a text counts as not shown.
func counted(text, severity string) int {
	noun := map[string]string{"error": "error", "warning": "finding"}[severity]
	n := 0
	for _, m := range regexp.MustCompile(`and (\d+) more `+noun).FindAllStringSubmatch(text, -1) {
		one, _ := strconv.Atoi(m[1])
		n += one
	}
	return n
}
