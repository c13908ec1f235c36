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
		for _, parts := range []int{1, 2, 4} {
			text := joined(t, doc, limit, parts)
			countEach(t, fmt.Sprintf("%d bytes, %d parts", limit, parts), text, map[string]int{"error": errors, "warning": warnings})
		}
	}
}

// joined is all parts of a report, each of which is checked on its own.
func joined(t *testing.T, doc *plan.Plan, limit, of int) string {
	t.Helper()
	var all strings.Builder
	for n := 1; n <= of; n++ {
		text := planAs(t, "markdown", doc, outline.Style{MaxBytes: limit, Part: outline.Part{Number: n, Of: of}})
		if len(text) > limit {
			t.Errorf("part %d of %d: %d bytes, %d allowed", n, of, len(text), limit)
		}
		if text != "" && n > 1 && !strings.HasPrefix(text, fmt.Sprintf("<!-- gwplan:default:%d -->\n### gwplan, part %d of ", n, n)) {
			t.Errorf("part %d begins with %q", n, text[:min(60, len(text))])
		}
		if text != "" {
			checkMarkdown(t, text, "")
		}
		all.WriteString(text)
	}
	return all.String()
}

// countEach checks that all findings of each severity are shown or counted.
func countEach(t *testing.T, what, text string, all map[string]int) {
	t.Helper()
	for severity, want := range all {
		if n := strings.Count(text, severity+" number ") + counted(text, severity); n != want {
			t.Errorf("%s: %d %ss are shown or counted, want %d", what, n, severity, want)
		}
	}
}

// Each cause of a report that is divided is in one of its parts, whole and once; what does not fit is counted.
func TestPartsHoldEverything(t *testing.T) {
	doc, all := many(), 0
	for i := range 40 {
		cause := []plan.Cause{{File: fmt.Sprintf("apps/%d.yaml", i), Line: 7, Column: 5, Side: "head", Object: fmt.Sprintf("BackendTrafficPolicy.genius.io/baker/r%d", i)}}
		doc.Environments[0].Changes = append(doc.Environments[0].Changes, plan.Change{Kind: plan.Attached, Targets: routeTargets(fmt.Sprint("r", i), ""), Causes: cause})
	}
	whole := planAs(t, "markdown", doc, outline.Style{MaxBytes: 1 << 20})
	for all = 0; strings.Contains(whole, fmt.Sprintf("\n#### %d. ", all+1)); all++ {
	}
	cut, complete := false, false
	for _, limit := range []int{3_000, 5_000, 8_000, 60_000} {
		for _, of := range []int{2, 3, 5, 9} {
			text, shown := joined(t, doc, limit, of), 0
			for i := range all {
				n := strings.Count(text, fmt.Sprintf("\n#### %d. ", i+1))
				if n > 1 {
					t.Errorf("%d bytes, %d parts: cause %d is shown %d times", limit, of, i+1, n)
				}
				shown += n
			}
			said := regexp.MustCompile(`\*(\d+) of (\d+) causes shown`).FindStringSubmatch(text)
			switch {
			case said == nil:
				said = []string{"", strconv.Itoa(all), strconv.Itoa(all)}
				complete = true
			default:
				cut = true
			}
			if want := strconv.Itoa(shown); said[1] != want || said[2] != strconv.Itoa(all) {
				t.Errorf("%d bytes, %d parts: it says that %s of %s causes are shown, which are %d of %d", limit, of, said[1], said[2], shown, all)
			}
		}
	}
	if !cut || !complete {
		t.Errorf("cut: %v, complete: %v; want both among these sizes", cut, complete)
	}
	if joined(t, doc, 1<<20, 9) != whole {
		t.Error("a report that fits is divided")
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
