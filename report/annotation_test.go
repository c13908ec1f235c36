package report_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// annotationLine is a command of ours: no property can end early, and none can name another one.
var annotationLine = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]*,)?(line=\d+,)?(col=\d+,)?title=[^:,]*::[^\r\n]*\n$`)

// checkAnnotations fails if a line is neither a command of ours nor one of the two lines of text.
func checkAnnotations(t *testing.T, out string) (commands int) {
	t.Helper()
	levels := map[string]int{}
	for line := range strings.Lines(out) {
		switch m := annotationLine.FindStringSubmatch(line); {
		case m != nil:
			commands++
			levels[m[1]]++
		case strings.HasPrefix(line, "gwplan: "), strings.HasPrefix(line, "and "):
		default:
			t.Errorf("a line from input: %q", line)
		}
	}
	for level, n := range levels {
		if n > 10 {
			t.Errorf("%d commands of level %s; GitHub shows ten", n, level)
		}
	}
	return commands
}

func TestAnnotations(t *testing.T) {
	doc := withChanges()
	for i := range 12 {
		doc.Environments[0].Findings = append(doc.Environments[0].Findings, plan.Finding{
			Rule: "r", Severity: plan.Error, State: "new", Title: fmt.Sprintf("Route %d, at 100%%", i), Message: fmt.Sprintf("message %d: 100%%\nof it", i), File: "a,b:c.yaml", Line: 3, Column: 5,
		})
	}
	doc.Environments[0].Findings = append(
		doc.Environments[0].Findings,
		plan.Finding{Rule: "r", Severity: plan.Warning, State: "new", Message: "gone", File: "old.yaml", Line: 9, Side: "base"},
		plan.Finding{
			Rule: "r", Severity: plan.Warning, State: "new", Message: "moved", File: "old.yaml", Line: 9, Side: "base",
			Related: []plan.Related{{Side: "head", File: "new.yaml", Line: 4}},
		},
		plan.Finding{Rule: "r", Severity: plan.Error, State: "unchanged", Message: "as before", File: "a.yaml", Line: 1},
	)
	doc.Problems = []plan.Problem{{Severity: "error", Code: "yaml-syntax", Side: "head", File: "b.yaml", Line: 2, Message: "is broken", Hint: "mend it"}}
	out := planAs(t, "github", doc, outline.Style{})
	if n := checkAnnotations(t, out); n != 12 {
		t.Errorf("%d commands, want 12:\n%s", n, out)
	}
	for _, want := range []string{
		"::error file=a%2Cb%3Ac.yaml,line=3,col=5,title=Route 0%2C at 100%25::message 0: 100%25\\x0aof it [r] in prod\n",
		"::warning title=gone::gone [r] in prod\n",
		"::warning file=new.yaml,line=4,title=moved::moved [r] in prod\n",
		"and 3 more errors that GitHub would not show\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "as before") {
		t.Error("what base has is not an annotation")
	}
}

func TestAnnotationsHoldNoCommandFromInput(t *testing.T) {
	for name, doc := range plans() {
		want := checkAnnotations(t, planAs(t, "github", doc, outline.Style{}))
		for _, p := range append(payloads, "::error::evil", "a\n::error::evil", "%0A::error::evil", ",title=evil::", "##[error]evil") {
			bad := hostilePlan(doc, func(s string) string { return p + s })
			if got := checkAnnotations(t, planAs(t, "github", bad, outline.Style{})); got != want {
				t.Errorf("%s with %q: %d commands, want %d", name, p, got, want)
			}
		}
	}
}

func TestCodeQuality(t *testing.T) {
	type issue struct {
		Description, Fingerprint, Severity string
		CheckName                          string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	f := plan.Finding{Rule: "protection-lost", Severity: plan.Error, State: "new", Message: "less", File: "a.yaml", Line: 3, Fingerprint: "f"}
	other := f
	other.Message = "even less"
	note := plan.Finding{Rule: "n", Severity: plan.Note, State: "new", Message: "fyi"}
	doc := withChanges()
	doc.Environments[0].Findings = []plan.Finding{f, other, note}
	doc.Problems = []plan.Problem{{Severity: "warning", Code: "remote", File: "b.yaml", Line: 2, Message: "is remote"}}
	var got []issue
	if err := json.Unmarshal([]byte(planAs(t, "gitlab", doc, outline.Style{})), &got); err != nil {
		t.Fatal(err)
	}
	var lines []string
	prints := map[string]bool{}
	for _, i := range got {
		prints[i.Fingerprint] = true
		lines = append(lines, fmt.Sprintf("%s %s %s %s:%d", i.Severity, i.CheckName, i.Description, i.Location.Path, i.Location.Lines.Begin))
	}
	want := "critical protection-lost less (prod) a.yaml:3\ncritical protection-lost even less (prod) a.yaml:3\ninfo n fyi (prod) .:1\nmajor remote is remote b.yaml:2"
	if strings.Join(lines, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), want)
	}
	if len(prints) != 4 {
		t.Errorf("%d fingerprints for 4 issues: GitLab drops equal ones", len(prints))
	}
	for _, d := range []string{planAs(t, "gitlab", empty(), outline.Style{}), render(t, in(t, report.Check, "gitlab"), &plan.Check{}, outline.Style{})} {
		if d != "[]\n" {
			t.Errorf("no findings give %q, want an empty list", d)
		}
	}
}
