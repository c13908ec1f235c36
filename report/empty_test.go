package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// A plan over a repository that has nothing for gwplan says so.
func TestNothingToCompareIsSaid(t *testing.T) {
	doc := empty()
	doc.Summary = plan.Summary{Environments: 1}
	doc.Notes = []string{"2 HelmReleases are not rendered"}
	for _, f := range []string{"text", "markdown"} {
		got := planAs(t, f, doc, outline.Style{})
		if !strings.Contains(got, "no routes or policies found in 1 environment") || strings.Contains(got, "0 routes") ||
			!strings.Contains(got, doc.Notes[0]) {
			t.Errorf("%s: %s", f, got)
		}
	}
}

func TestEmptyListingsSayWhatWasLookedAt(t *testing.T) {
	notes := []string{"2 HelmReleases are not rendered"}
	for want, got := range map[string]string{
		"no effective policy to show in environment dev": render(t, in(t, report.Effective, "text"), &plan.EffectiveList{
			Environments: []plan.EffectiveEnvironment{{Name: "dev"}, {Name: "prod"}}, Notes: notes,
		}, outline.Style{}),
		"# no effective policy to show in environment dev": render(t, in(t, report.Effective, "yaml"), &plan.EffectiveList{
			Environments: []plan.EffectiveEnvironment{{Name: "dev"}}, Notes: notes,
		}, outline.Style{}),
		"no policies to show in environment dev": render(t, in(t, report.Policies, "text"), &plan.PolicyList{
			Environments: []plan.PolicyEnvironment{{Name: "dev"}}, Notes: notes,
		}, outline.Style{}),
		"no Gateway API objects or policies to show in environment dev": render(t, in(t, report.Tree, "text"), &plan.Tree{
			Environments: []plan.TreeEnvironment{{Name: "dev"}}, Notes: notes,
		}, outline.Style{}),
		"nothing to show: no environment was found or chosen": render(t, in(t, report.Tree, "text"), &plan.Tree{Notes: notes}, outline.Style{}),
	} {
		if !strings.Contains(got, want+"\n") || !strings.Contains(got, notes[0]) {
			t.Errorf("no %q with notes in %s", want, got)
		}
	}
}

func TestPlurals(t *testing.T) {
	doc := parable()
	doc.Summary.TargetsByKind = map[string]int{"Gateway": 4, "GatewayClass": 2, "BackendTLSPolicy": 3, "XMesh": 2, "HTTPRoute": 1}
	want := "(3 BackendTLSPolicies, 4 Gateways, 2 GatewayClasses, 1 HTTPRoute, 2 XMeshes)"
	if got := planAs(t, "text", doc, outline.Style{}); !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
}

// objects is a plan in which routes come and one goes.
func objects() *plan.Plan {
	gone := attached("gone", 1)
	gone.Kind = plan.Removed
	gone.Fields[0].Action, gone.Fields[0].Before, gone.Fields[0].After = plan.FieldRemoved, "Accepted", nil
	gone.Fields[0].BeforeSource, gone.Fields[0].AfterSource = gone.Fields[0].AfterSource, nil
	changes := []plan.Change{gone}
	for i := range 10 {
		changes = append(changes, attached(fmt.Sprintf("new-%02d", i), i))
	}
	return withChanges(changes...)
}

// attached is a route that is new, with what it brings along.
func attached(name string, fields int) plan.Change {
	c := plan.Change{
		Kind: plan.Added, Targets: routeTargets(name, ""),
		Causes: []plan.Cause{{File: "new.yaml", Line: 1, Side: "head", Object: "HTTPRoute/baker/" + name}},
	}
	for i := range fields {
		c.Fields = append(c.Fields, plan.Field{
			Path: fmt.Sprintf("/backendRefs[Service/baker/%s-%d]", name, i), Action: plan.FieldAdded, After: "Accepted",
			AfterSource: &plan.Source{Object: "HTTPRoute/baker/" + name, File: "new.yaml", Line: 9 + i, Column: 1, Role: "object"},
		})
	}
	return c
}

func TestAttachmentsAreCompact(t *testing.T) {
	text := planAs(t, "text", withChanges(attached("oven", 12)), outline.Style{})
	if !strings.Contains(text, "     + /backendRefs[Service/baker/oven-0]: Accepted   new.yaml:9\n") {
		t.Errorf("a field is a line with its place:\n%s", text)
	}
	if strings.Count(text, "/backendRefs") != 8 || !strings.Contains(text, "     and 4 more\n") {
		t.Errorf("eight are shown:\n%s", text)
	}
	if got := planAs(t, "text", withChanges(attached("oven", 12)), outline.Style{Detail: outline.Verbose}); strings.Count(got, "/backendRefs") != 12 {
		t.Errorf("verbose shows all:\n%s", got)
	}
}

// The worst comes first, also where only a part fits.
func TestWorstFirst(t *testing.T) {
	removed := attached("gone", 1)
	removed.Kind = plan.Removed
	var changes []plan.Change
	for i := range 60 {
		changes = append(changes, attached(fmt.Sprintf("new-%02d", i), 4))
	}
	changes = append(changes, removed, edited(1, 2).Environments[0].Changes[0], parableChange())
	changes[len(changes)-2].Causes = []plan.Cause{{File: "x.yaml", Line: 1, Object: "RetryPolicy.genius.io/baker/x"}}
	doc := withChanges(changes...)
	for _, f := range []string{"text", "markdown"} {
		at := -1
		got := planAs(t, f, doc, outline.Style{MaxBytes: 10_000})
		for _, want := range []string{"RetryPolicy detached", "HTTPRoute baker/gone", "/x", "HTTPRoute baker/new-00"} {
			i := strings.Index(got, want)
			if i <= at {
				t.Errorf("%s: %q is missing or too early:\n%s", f, want, got)
			}
			at = i
		}
	}
	// Objects that come together are one list, the first to go where not all fits.
	got := planAs(t, "markdown", doc, outline.Style{})
	if !strings.Contains(got, "#### 4. 60 objects added\n") || !strings.Contains(got, "<summary>52 more objects</summary>") ||
		!strings.Contains(got, "- `HTTPRoute baker/new-59` at `new.yaml:1` · `/backendRefs[Service/baker/new-59-0]: Accepted` · ") {
		t.Errorf("objects that come together are a list:\n%s", got)
	}
	got = planAs(t, "markdown", doc, outline.Style{MaxBytes: 2_000})
	if !strings.Contains(got, "*3 of 4 causes shown;") || strings.Contains(got, "new-00") || len(got) > 2_000 {
		t.Errorf("got %d bytes:\n%s", len(got), got)
	}
	checkMarkdown(t, got, "")
}
