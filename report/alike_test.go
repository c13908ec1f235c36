package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// The same edit in many files is one line of a comment, which names the places, and a line each on a terminal.
func TestAlikeInManyFiles(t *testing.T) {
	env := plan.Environment{Name: "prod"}
	for i := range 12 {
		env.Findings = append(env.Findings, plan.Finding{
			Rule: "protection-lost", Severity: plan.Error, State: "new", File: fmt.Sprintf("r%d.yaml", i), Line: 7, Target: fmt.Sprintf("HTTPRoute/shop/r%d", i),
			Message: fmt.Sprintf("HTTPRoute shop/r%d loses JWT authentication", i), Subject: fmt.Sprintf("HTTPRoute shop/r%d", i), Statement: "/jwt",
		})
	}
	p := newPlan(env)
	markdown := string(planAs(t, "markdown", p, outline.Style{}))
	if n := strings.Count(markdown, "**Error**"); n != 1 {
		t.Errorf("%d lines in Markdown:\n%s", n, markdown)
	}
	if want := "and 11 more like it: for HTTPRoute shop/r1, HTTPRoute shop/r2, HTTPRoute shop/r3, HTTPRoute shop/r4 and 7 more, at `r1.yaml:7`, `r2.yaml:7`, "; !strings.Contains(markdown, want) {
		t.Errorf("Markdown lacks %q:\n%s", want, markdown)
	}
	if text := string(planAs(t, "text", p, outline.Style{})); strings.Count(text, ": error: ") != 1 || !strings.Contains(text, "and 11 more like it: for HTTPRoute shop/r1, ") {
		t.Errorf("text:\n%s", text)
	}
}
