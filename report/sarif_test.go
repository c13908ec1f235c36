package report_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// Embedded, because a fuzzer that is a program of its own has no files at hand.
//
//go:embed testdata/sarif-written.schema.json
var sarifSchemaText string

var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const name = "sarif-written.schema.json"
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(sarifSchemaText))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, text); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
})

// sarifRun is what the tests look at.
type sarifRun struct {
	Tool struct {
		Driver struct {
			Rules []struct {
				ID, HelpURI string
				Help        struct{ Markdown string }
			}
		}
	}
	Invocations []struct {
		ToolExecutionNotifications []struct{ Message struct{ Text string } }
	}
	Results []struct {
		RuleID    string
		RuleIndex int
		Level     string
		Message   struct{ Text string }
		Locations []struct {
			PhysicalLocation struct {
				ArtifactLocation struct{ URI string }
				Region           *struct{ StartLine, StartColumn int }
			}
		}
		RelatedLocations []struct {
			PhysicalLocation *struct {
				ArtifactLocation struct{ URI string }
				Region           *struct{ StartLine int }
			}
			Message struct{ Text string }
		}
		PartialFingerprints map[string]string
		Properties          map[string]any
	}
	Properties map[string]any
}

// checkSarif validates a document and what the schema cannot say.
func checkSarif(t *testing.T, out string) sarifRun {
	t.Helper()
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Fatal(err)
	}
	var log struct{ Runs []sarifRun }
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("ruleIndex %d is not %s", r.RuleIndex, r.RuleID)
		}
		uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI
		if u, err := url.Parse(uri); err != nil || u.IsAbs() || strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "../") || strings.Contains(u.Path, "/../") {
			t.Errorf("URI %q", uri)
		}
	}
	return run
}

func TestSarifIsValid(t *testing.T) {
	for name, doc := range plans() {
		run := checkSarif(t, planAs(t, "sarif", doc, linked()))
		if want := len(outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew)); len(run.Results) != want {
			t.Errorf("%s: %d results, want the %d new findings", name, len(run.Results), want)
		}
		checkSarif(t, planAs(t, "sarif", hostilePlan(doc, hostile), linked()))
	}
	checkSarif(t, render(t, in(t, report.Check, "sarif"), newCheck(), outline.Style{}))
	if got := planAs(t, "sarif", empty(), outline.Style{}); !strings.Contains(got, `"results": []`) || !strings.Contains(got, `"rules": []`) {
		t.Error("results and rules are required arrays")
	}
}

// one is a plan with one new finding.
func one(f plan.Finding) *plan.Plan {
	f.State = "new"
	if f.Rule == "" {
		f.Rule, f.Severity = "r", plan.Error
	}
	return newPlan(plan.Environment{Name: "prod", Findings: []plan.Finding{f}})
}

func TestSarifURIs(t *testing.T) {
	for file, want := range map[string]string{
		"a/b.yaml":               "a/b.yaml",
		"a b/100%#1?.yaml":       "a%20b/100%25%231%3F.yaml",
		"a\nb.yaml":              "a%0Ab.yaml",
		"käse:1.yaml":            "k%C3%A4se%3A1.yaml",
		"../a.yaml":              ".",
		"a/../../b.yaml":         ".",
		"/etc/passwd":            ".",
		"https://evil.example/a": ".",
		`C:\a.yaml`:              "C%3A%5Ca.yaml",
		"":                       ".",
	} {
		run := checkSarif(t, planAs(t, "sarif", one(plan.Finding{File: file, Line: 3}), outline.Style{}))
		place := run.Results[0].Locations[0].PhysicalLocation
		if place.ArtifactLocation.URI != want {
			t.Errorf("%q: got %q, want %q", file, place.ArtifactLocation.URI, want)
		}
		if (want == ".") != (place.Region == nil) {
			t.Errorf("%q: region %v", file, place.Region)
		}
	}
}

func TestSarifPlaces(t *testing.T) {
	// A place in base has no region in head: its line is in the text.
	gone := plan.Finding{Message: "lost", Side: "base", File: "gone.yaml", Line: 7, Column: 2}
	r := checkSarif(t, planAs(t, "sarif", one(gone), outline.Style{})).Results[0]
	if r.Locations[0].PhysicalLocation.Region != nil || r.Message.Text != "lost (base: gone.yaml:7) (in prod)" {
		t.Errorf("got %+v", r)
	}
	if places := fmt.Sprint(r.Properties["basePlaces"]); places != "[gone.yaml:7]" {
		t.Errorf("base places: %s", places)
	}
	// A related place in head is better than one that is gone.
	gone.Related = []plan.Related{{Side: "base", File: "old.yaml", Line: 1, Message: "old"}, {Side: "head", File: "route.yaml", Line: 4, Message: "route"}}
	r = checkSarif(t, planAs(t, "sarif", one(gone), outline.Style{})).Results[0]
	if place := r.Locations[0].PhysicalLocation; place.ArtifactLocation.URI != "route.yaml" || place.Region.StartLine != 4 {
		t.Errorf("got %+v", place)
	}
	// GitHub wants a place in each location: one that is gone is in the text.
	if len(r.RelatedLocations) != 1 || r.RelatedLocations[0].PhysicalLocation == nil || r.Message.Text != "lost (base: gone.yaml:7) (old: old.yaml:1) (in prod)" {
		t.Errorf("old place: %+v, %s", r.RelatedLocations, r.Message.Text)
	}
}

func TestSarifText(t *testing.T) {
	f := plan.Finding{Message: "see [this](https://evil.example)\n\x1b[31m " + strings.Repeat("x", 3_000), File: "a.yaml", Fingerprint: "sha256:1"}
	for i := range 150 {
		f.Related = append(f.Related, plan.Related{Message: fmt.Sprint(i), Side: "head", File: "a.yaml", Line: i})
	}
	r := checkSarif(t, planAs(t, "sarif", one(f), outline.Style{})).Results[0]
	if n := len([]rune(r.Message.Text)); n != 1_000 {
		t.Errorf("message has %d characters", n)
	}
	if !strings.HasPrefix(r.Message.Text, `see [this] (https://evil.example) \x1b[31m x`) {
		t.Errorf("message: %.60s", r.Message.Text)
	}
	if len(r.RelatedLocations) != 100 {
		t.Errorf("%d related locations", len(r.RelatedLocations))
	}
	if r.PartialFingerprints["gwplanFinding/v1"] != "sha256:1" || fmt.Sprint(r.Properties["environments"]) != "[prod]" {
		t.Errorf("got %+v", r)
	}
}

// Of too many findings the errors are kept, and the rest is counted.
func TestSarifOfThousands(t *testing.T) {
	doc := newPlan(plan.Environment{Name: "prod"})
	for i := range 30_000 {
		f := plan.Finding{Rule: "r", Severity: plan.Note, State: "new", Message: fmt.Sprint(i), File: "a.yaml", Line: i + 1}
		if i >= 27_000 {
			f.Severity = plan.Error
		}
		doc.Environments[0].Findings = append(doc.Environments[0].Findings, f)
	}
	run := checkSarif(t, planAs(t, "sarif", doc, outline.Style{}))
	levels := map[string]int{}
	for _, r := range run.Results {
		levels[r.Level]++
	}
	if levels["error"] != 3_000 || levels["note"] != 2_000 {
		t.Errorf("kept %v", levels)
	}
	if run.Properties["resultsOmitted"] != 25_000.0 {
		t.Errorf("omitted %v", run.Properties["resultsOmitted"])
	}
	if text := run.Invocations[0].ToolExecutionNotifications[0].Message.Text; !strings.Contains(text, "25000 findings left out of 30000") {
		t.Errorf("notification: %s", text)
	}
}

// Whoever can write many broken files must not fill the document.
func TestSarifNotificationsAreBounded(t *testing.T) {
	doc := newPlan(plan.Environment{Name: "prod"})
	for i := range 700 {
		doc.Problems = append(doc.Problems, plan.Problem{Severity: "error", Code: "yaml-syntax", File: fmt.Sprintf("%d.yaml", i), Message: "broken"})
		doc.Notes = append(doc.Notes, fmt.Sprintf("note %d", i))
	}
	run := checkSarif(t, planAs(t, "sarif", doc, outline.Style{}))
	broken, notes, rest := 0, 0, 0
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		switch {
		case n.Message.Text == "broken":
			broken++
		case strings.HasPrefix(n.Message.Text, "note "):
			notes++
		case n.Message.Text == "and 200 problems more":
			rest++
		}
	}
	if broken != 500 || notes != 500 || rest != 1 {
		t.Errorf("%d problems, %d notes, %d counts of the rest", broken, notes, rest)
	}
}

func TestSarifTellsProblems(t *testing.T) {
	run := checkSarif(t, planAs(t, "sarif", incomplete(), outline.Style{}))
	if n := len(run.Invocations[0].ToolExecutionNotifications); n != 3 || run.Properties["incomplete"] != true {
		t.Errorf("%d notifications, %v", n, run.Properties)
	}
}

// What several environments find is one result, which names them.
func TestSarifMergesEnvironments(t *testing.T) {
	f := plan.Finding{Rule: "protection-lost", Severity: plan.Error, State: "new", Message: "less", File: "a.yaml", Line: 3, Fingerprint: "f"}
	doc := newPlan(plan.Environment{Name: "prod", Findings: []plan.Finding{f}}, plan.Environment{Name: "staging", Findings: []plan.Finding{f}})
	doc.Rules = []plan.RuleDoc{{ID: "protection-lost", Title: "t", Severity: "error", Why: "why [x](https://evil.example)", Fix: "fix"}}
	run := checkSarif(t, planAs(t, "sarif", doc, outline.Style{}))
	if len(run.Results) != 1 || run.Results[0].Message.Text != "less (in prod, staging)" || fmt.Sprint(run.Results[0].Properties["environments"]) != "[prod staging]" {
		t.Errorf("got %+v", run.Results)
	}
	rule := run.Tool.Driver.Rules[0]
	if rule.HelpURI != "https://github.com/gwplan/gwplan/blob/main/docs/rules/protection-lost.md" || !strings.Contains(rule.Help.Markdown, "**Fix:** fix") {
		t.Errorf("help: %+v", rule)
	}
	if strings.Contains(rule.Help.Markdown, "[x](https://evil.example)") {
		t.Errorf("a link from input: %s", rule.Help.Markdown)
	}
	doc.Rules[0].ID, doc.Environments = "../evil", nil
	if rule := checkSarif(t, planAs(t, "sarif", doc, outline.Style{})).Tool.Driver.Rules[0]; rule.HelpURI != "" {
		t.Errorf("an address from input: %s", rule.HelpURI)
	}
}
