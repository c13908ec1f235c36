package report_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// in is the writer of a document in a format that it has.
func in[D any](t *testing.T, d report.Document[D], format string) func(io.Writer, *D, outline.Style) error {
	t.Helper()
	w, ok := d.As(format)
	if !ok {
		t.Fatalf("no format %s of %s", format, d.Name)
	}
	return w.Write
}

// planAs renders a plan.
func planAs(t *testing.T, name string, doc *plan.Plan, style outline.Style) string {
	t.Helper()
	return render(t, in(t, report.Plan, name), doc, style)
}

func render[T any](t *testing.T, write func(io.Writer, *T, outline.Style) error, doc *T, style outline.Style) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, doc, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if strings.HasSuffix(name, ".html") { // the style and the script have files of their own
		got = inlined.ReplaceAllString(got, "<$1></$1>")
		got = hashes.ReplaceAllString(got, "'sha256-'")
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs, -want +got (rewrite with -update):\n%s", name, diff)
	}
}

// suffix is that of a format's golden files.
func suffix(format string) string {
	if short := map[string]string{"text": "txt", "markdown": "md"}[format]; short != "" {
		return short
	}
	return format
}

func plans() map[string]*plan.Plan {
	return map[string]*plan.Plan{"parable": parable(), "empty": empty(), "incomplete": incomplete(), "many": many(), "objects": objects()}
}

func TestPlans(t *testing.T) {
	for name, doc := range plans() {
		for _, f := range report.Plan.Formats() {
			t.Run(name+"/"+f, func(t *testing.T) {
				golden(t, name+"."+suffix(f), planAs(t, f, doc, linked()))
			})
		}
	}
}

func TestListings(t *testing.T) {
	listed(t, report.Check, newCheck(), linked())
	listed(t, report.Effective, effectives(), outline.Style{})
	listed(t, report.Policies, policies(), outline.Style{})
	listed(t, report.Tree, tree(), outline.Style{})
	golden(t, "policies_80.txt", render(t, in(t, report.Policies, "text"), policies(), outline.Style{Width: 80}))
}

// listed compares a document in each of its formats with its golden file.
func listed[D any](t *testing.T, d report.Document[D], doc *D, style outline.Style) {
	t.Helper()
	for _, w := range d.Writers {
		t.Run(d.Name+"/"+w.Format, func(t *testing.T) {
			golden(t, d.Name+"."+suffix(w.Format), render(t, w.Write, doc, style))
		})
	}
}

func TestStyles(t *testing.T) {
	tests := []struct {
		file, format string
		style        outline.Style
	}{
		{"many_verbose.txt", "text", outline.Style{Detail: outline.Verbose}},
		{"many_ignored.txt", "text", outline.Style{Ignored: true}},
		{"many_ignored.sarif", "sarif", outline.Style{Ignored: true}},
		{"many_80.txt", "text", outline.Style{Width: 80}},
		{"many_quiet.txt", "text", outline.Style{Detail: outline.Quiet}},
		{"many_gitlab.md", "markdown", outline.Style{Flavor: outline.GitLab, Links: outline.Links{Repository: "https://gitlab.example/group/cupcakes.git"}}},
		{"many_plain.md", "markdown", outline.Style{Flavor: outline.PlainMarkdown, CommentID: "prod"}},
		{"many_8000.md", "markdown", outline.Style{MaxBytes: 8_000}},
		{"many_3000.md", "markdown", outline.Style{MaxBytes: 3_000}},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			golden(t, test.file, planAs(t, test.format, many(), test.style))
		})
	}
}

// Every document is offered as text first and as JSON, and each format once.
func TestFormats(t *testing.T) {
	for _, o := range report.Offers() {
		sorted := slices.Sorted(slices.Values(o.Formats))
		if o.Formats[0] != "text" || !slices.Contains(o.Formats, "json") || len(slices.Compact(sorted)) != len(o.Formats) {
			t.Errorf("%s is offered as %q", o.Document, o.Formats)
		}
	}
	if _, ok := report.Plan.As("xml"); ok || report.FormatsOf("none") != nil {
		t.Error("xml is no format, none no document")
	}
}

// What json wrote, read back, is the same plan in every format.
func TestReadBack(t *testing.T) {
	all := plans()
	all["hostile"] = hostilePlan(many(), hostile)
	for name, doc := range all {
		back, err := report.ReadPlan(strings.NewReader(planAs(t, "json", doc, outline.Style{})))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Plan.Formats() {
			for _, style := range []outline.Style{{}, {Detail: outline.Verbose, Color: true}, linked(), {MaxBytes: 4_000}} {
				if diff := cmp.Diff(planAs(t, f, doc, style), planAs(t, f, back, style)); diff != "" {
					t.Errorf("%s as %s, read back (-direct +read):\n%s", name, f, diff)
				}
			}
		}
	}
}

func TestReadPlanRefuses(t *testing.T) {
	check := render(t, in(t, report.Check, "json"), newCheck(), outline.Style{})
	for name, test := range map[string]struct{ in, want string }{
		"no JSON":        {"# gwplan", "not JSON"},
		"two documents":  {planAs(t, "json", empty(), outline.Style{}) + "{}", "not JSON"},
		"no version":     {`{"base":{},"head":{},"summary":{}}`, "no schemaVersion"},
		"other version":  {`{"schemaVersion":"gwplan.dev/v2","base":{},"head":{},"summary":{}}`, `"gwplan.dev/v2"`},
		"a check":        {check, "not a plan"},
		"another shape":  {`{"schemaVersion":"gwplan.dev/v1","base":{},"head":{},"summary":[]}`, "shape"},
		"nothing at all": {"", "not JSON"},
		"an odd class":   {`{"schemaVersion":"gwplan.dev/v1","base":{},"head":{},"summary":{},"environments":[{"requests":[{"class":"** <img>\n"}]}]}`, `"** <img>\n" where a word is expected`},
		"an odd kind":    {`{"schemaVersion":"gwplan.dev/v1","base":{},"head":{},"summary":{},"environments":[{"changes":[{"kind":"\u001b[1m"}]}]}`, `where a word is expected`},
	} {
		_, err := report.ReadPlan(strings.NewReader(test.in))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "gwplan diff -o json") {
			t.Errorf("%s: got %v, want %q and what to do", name, err, test.want)
		}
	}
}

func TestReadPlanIgnoresNewerFields(t *testing.T) {
	in := `{"schemaVersion":"gwplan.dev/v1","base":{},"head":{},"summary":{"later":1},"later":true}`
	if _, err := report.ReadPlan(strings.NewReader(in)); err != nil {
		t.Error(err)
	}
}

// "no change" from a partial analysis reads as success.
func TestNoChangeIsNeverSaidAlone(t *testing.T) {
	for _, f := range []string{"text", "markdown"} {
		for _, detail := range []outline.Detail{outline.Quiet, outline.Normal, outline.Verbose} {
			got := planAs(t, f, incomplete(), outline.Style{Detail: detail})
			for line := range strings.Lines(got) {
				if strings.Contains(line, "no effective change") && !strings.Contains(line, "incomplete: 2 problems (yaml-syntax, kustomize-remote)") {
					t.Errorf("%s: %q stands alone", f, line)
				}
			}
			if !strings.Contains(got, "no effective change") {
				t.Errorf("%s: verdict is missing", f)
			}
		}
	}
	p := incomplete()
	p.Problems = nil
	if got := planAs(t, "text", p, outline.Style{}); !strings.Contains(got, "incomplete: environment .") {
		t.Errorf("without problems the environment is the reason, got %s", got)
	}
}

func TestVerdictWithoutHeadline(t *testing.T) {
	p := parable()
	p.Summary.Headline = " \t"
	if got := planAs(t, "text", p, outline.Style{}); !strings.HasPrefix(got, "2 effective changes\n") {
		t.Errorf("got %.40q", got)
	}
}

func TestEmptyPlanIsShort(t *testing.T) {
	want := "no effective change\nsame effective configuration for 11 routes and 3 policies in 1 environment\n"
	if got := planAs(t, "text", empty(), outline.Style{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestJSONHasNoNullArrays(t *testing.T) {
	got := planAs(t, "json", &plan.Plan{}, outline.Style{})
	if strings.Contains(got, "null") {
		t.Errorf("null in %s", got)
	}
	// A value of null means something, and stays.
	if got := planAs(t, "json", many(), outline.Style{}); !strings.Contains(got, `"before": null`) {
		t.Error("a value of null was lost")
	}
	if doc := empty(); doc.Problems != nil {
		t.Error("writing must not touch the plan")
	}
}
