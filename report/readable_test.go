package report_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// edited is a plan in which one policy changes one field of one route.
func edited(before, after any) *plan.Plan {
	return withChanges(plan.Change{
		PolicyKind: &plan.GroupKind{Group: "genius.io", Kind: "RetryPolicy"}, Kind: plan.FieldChange,
		Targets: routeTargets("oven", "bake"), Causes: parableCause(), Policies: []string{"RetryPolicy.genius.io/baker/ns-retries"},
		Fields: []plan.Field{{Path: "/x", Action: plan.FieldChanged, Before: before, After: after}},
	})
}

func withChanges(changes ...plan.Change) *plan.Plan {
	p := newPlan(plan.Environment{Name: "prod", Status: "both", Changes: changes})
	p.Summary.Changes = len(changes)
	return p
}

// shownSides are the values on the - and + lines of a text.
func shownSides(t *testing.T, text string) (before, after string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(line, "- /x: "); ok {
			before = v
		}
		if v, ok := strings.CutPrefix(line, "+ /x: "); ok {
			after = v
		}
	}
	return before, after
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLongValuesShowWhatDiffers(t *testing.T) {
	origins := `"https://a.example", "https://b.example", "https://c.example", "https://d.example.with-a-long-name.test"`
	claims := `"jwt": {"provider": "a-provider-with-a-very-long-name", "claims": ["one", "two", "three"]}`
	long := strings.Repeat("a", 100)
	tests := map[string]struct{ before, after, wantBefore, wantAfter string }{
		"short":   {`[1, 2]`, `[1, 3]`, "[1, 2]", "[1, 3]"},
		"added":   {`[` + origins + `]`, `["https://new.example", ` + origins + `]`, "[… 4 equal items]", "[… 4 equal items, https://new.example]"},
		"removed": {`[` + origins + `, "x"]`, `[` + origins + `]`, "[… 4 equal items, x]", "[… 4 equal items]"},
		"one is short": {
			`["` + long + `", "x"]`, `["x"]`, "[… 1 equal item, " + strings.Repeat("a", 62) + "…", "[… 1 equal item]",
		},
		"twice": {`["` + long + `", "x", "x"]`, `["` + long + `", "x"]`, "[… 2 equal items, x]", "[… 2 equal items]"},
		"order": {
			`["x", ` + origins + `, "y", "z"]`, `["x", ` + origins + `, "z", "y"]`, "[… 5 equal items, y, z]", "[… 5 equal items, z, y]",
		},
		"map": {
			`{"action": "Allow", "cidr": "10.0.0.0/8", ` + claims + `}`, `{"action": "Deny", ` + claims + `}`,
			"{… 1 equal key, action: Allow, cidr: 10.0.0.0/8}", "{… 1 equal key, action: Deny}",
		},
		"map of the same name in a list": {
			`[{"name": "one", "action": "Allow", ` + claims + `}, {"name": "two", "n": 1}]`,
			`[{"name": "two", "n": 2}, {"name": "one", "action": "Allow", ` + claims + `}]`,
			"[… 1 equal item, {name: two, n: 1}]", "[… 1 equal item, {name: two, n: 2}]",
		},
		"only map of a list": {`[{"a": 1, ` + claims + `}]`, `[{"a": 2, ` + claims + `}]`, "[{… 1 equal key, a: 1}]", "[{… 1 equal key, a: 2}]"},
		"end of a string": {
			`"http://keycloak.identity.svc.cluster.local:8080/realms/duynhlab/protocol/openid-connect/certs"`,
			`"http://keycloak.identity.svc.cluster.local:8080/realms/duynhlab-staff/protocol/openid-connect/certs"`,
			"…tity.svc.cluster.local:8080/realms/duynhlab/protocol/openid-connect/certs",
			"…tity.svc.cluster.local:8080/realms/duynhlab-staff/protocol/openid-connect/certs",
		},
		"start of a string": {`"x` + long + `"`, `"y` + long + `"`, "x" + long[:78] + "…", "y" + long[:78] + "…"},
		"another type":      {`"` + long + `"`, `["` + long + `"]`, long[:79] + "…", "[" + long[:78] + "…"},
		"comma in a string": {`["a, b"]`, `["a", "b"]`, `["a, b"]`, "[a, b]"},
		"equal":             {`"` + long + `"`, `"` + long + `"`, long[:79] + "…", long[:79] + "…"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := edited(parsed(t, test.before), parsed(t, test.after))
			before, after := shownSides(t, planAs(t, "text", doc, outline.Style{}))
			if before != test.wantBefore || after != test.wantAfter {
				t.Errorf("got\n- %s\n+ %s\nwant\n- %s\n+ %s", before, after, test.wantBefore, test.wantAfter)
			}
			row := "`" + test.wantBefore + "` → `" + test.wantAfter + "`\n"
			if md := planAs(t, "markdown", doc, outline.Style{}); !strings.Contains(md, row) {
				t.Errorf("no %s in %s", row, md)
			}
		})
	}
}

// FuzzSides holds that two values that differ never read the same, and never
// take more room than a cell has.
func FuzzSides(f *testing.F) {
	long := strings.Repeat("long ", 30)
	for _, seed := range []string{`"` + long + `"`, `["` + long + `", 1, [2]]`, `{"name": "x", "a": ["` + long + `"]}`, `null`, `[[["` + long + `"]], {"a": {}}]`} {
		f.Add(seed, strings.Replace(seed, "long", "lang", 1), uint8(0))
		f.Add(seed, seed, uint8(100))
	}
	f.Fuzz(func(t *testing.T, before, after string, fill uint8) {
		var b, a any
		if json.Unmarshal([]byte(before), &b) != nil || json.Unmarshal([]byte(after), &a) != nil {
			return
		}
		// Equal items around both make them too long to be shown.
		filler := strings.Repeat("f", int(fill))
		b, a = []any{filler, b}, []any{filler, a}
		text := planAs(t, "text", edited(b, a), outline.Style{})
		checkTerminal(t, text)
		gotBefore, gotAfter := shownSides(t, text)
		if max(utf8.RuneCountInString(gotBefore), utf8.RuneCountInString(gotAfter)) > 80 {
			t.Errorf("too long:\n%s\n%s", gotBefore, gotAfter)
		}
		x, _ := json.Marshal(b)
		y, _ := json.Marshal(a)
		// A hidden character is written as its escape, which may be there already.
		if string(x) != string(y) && gotBefore == gotAfter && !strings.ContainsAny(string(x)+string(y), `\`) {
			t.Errorf("%s and %s both read %s", x, y, gotBefore)
		}
	})
}

func TestKeysOfPoliciesAreShort(t *testing.T) {
	const key = "/rules[BackendTrafficPolicy.gateway.envoyproxy.io/monitoring/btp-admin/0]/limit"
	doc := edited(1, 2)
	doc.Environments[0].Changes[0].Fields[0].Path = key
	doc.Environments[0].Findings = []plan.Finding{{Rule: "r", Severity: plan.Note, State: "new", Message: key + " is new", File: "f", Line: 1}}
	for _, f := range []string{"text", "markdown"} {
		got := planAs(t, f, doc, outline.Style{})
		if strings.Count(strings.ReplaceAll(got, `\`, ""), "/rules[btp-admin/0]/limit") < 2 || strings.Contains(got, "envoyproxy") {
			t.Errorf("%s: %s", f, got)
		}
	}
	if got := planAs(t, "json", doc, outline.Style{}); !strings.Contains(got, key) {
		t.Error("json must keep the path")
	}
	// Two policies of one name stay distinct.
	fields := &doc.Environments[0].Changes[0].Fields
	*fields = append(*fields, (*fields)[0])
	(*fields)[1].Path = strings.Replace(key, "monitoring", "other", 1)
	if got := planAs(t, "text", doc, outline.Style{}); !strings.Contains(got, "/monitoring/btp-admin/0]") || !strings.Contains(got, "/other/btp-admin/0]") {
		t.Errorf("paths run together: %s", got)
	}
	for _, path := range []string{"/backendRefs[Service/shop/pay:80]/weight", "/parents[Gateway/infra/public#http]", "/jwt/providers[0]/name"} {
		(*fields)[1].Path = path
		if got := planAs(t, "text", doc, outline.Style{}); !strings.Contains(got, path) {
			t.Errorf("%s is not kept: %s", path, got)
		}
	}
}

func TestEqualVerdictsSayWhatDiffers(t *testing.T) {
	tests := map[string]struct {
		edit func(*plan.Verdict)
		want string
	}{
		"another target": {func(v *plan.Verdict) { v.Targets[0].Target = "HTTPRoute/baker/till" }, "enforced at 1 target; attached to HTTPRoute baker/till, previously to HTTPRoute baker/oven"},
		"one more": {
			func(v *plan.Verdict) {
				v.Targets = append(v.Targets, plan.TargetVerdict{Target: "HTTPRoute/baker/till"})
			},
			"enforced at 1 target; also attached to HTTPRoute baker/till",
		},
		"one less": {func(v *plan.Verdict) { v.Targets = nil }, "enforced at 1 target; no longer attached to HTTPRoute baker/oven"},
		"refused at one": {
			func(v *plan.Verdict) { v.Targets[0].Accepted, v.Targets[0].Reason = "false", "Conflicted" },
			"enforced at 1 target; at HTTPRoute baker/oven: enforced → not accepted (Conflicted)",
		},
		"contexts":  {func(v *plan.Verdict) { v.Contexts = 3 }, "enforced at 1 target; 1 context → 3"},
		"reason":    {func(v *plan.Verdict) { v.Reason = "" }, "enforced at 1 target; reason Accepted → none"},
		"decidedBy": {func(v *plan.Verdict) { v.DecidedBy = "name" }, "enforced at 1 target; decided by none → name"},
		"other words": {
			func(v *plan.Verdict) { v.EffectiveTargets = 2 }, "enforced at 1 target → enforced at 2 targets",
		},
		"nothing": {func(*plan.Verdict) {}, ""},
	}
	for name, test := range tests {
		doc := withChanges()
		after := enforcedAt(1, "HTTPRoute/baker/oven")
		test.edit(after)
		doc.Environments[0].PolicyChanges = []plan.PolicyChange{{
			Policy: "RetryPolicy.genius.io/baker/own", Before: enforcedAt(1, "HTTPRoute/baker/oven"), After: after, Causes: parableCause(),
		}}
		got := planAs(t, "text", doc, outline.Style{})
		if test.want == "" {
			if strings.Contains(got, "baker/own") || strings.Contains(got, "1. ") {
				t.Errorf("%s: nothing to say, got %s", name, got)
			}
			continue
		}
		if want := "~ policy RetryPolicy baker/own: " + test.want + " [prod]\n"; !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %s", name, want, got)
		}
		if got := planAs(t, "markdown", doc, outline.Style{}); !strings.Contains(got, "policy `RetryPolicy baker/own`: enforced at 1 target") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// One edit is one block, whichever other policies are in force beside it.
func TestOneEditIsOneBlock(t *testing.T) {
	var changes []plan.Change
	var findings []plan.Finding
	for i := range 17 {
		c := edited(1, 2).Environments[0].Changes[0]
		c.Targets = routeTargets(fmt.Sprintf("route-%02d", i), "rule[0]")
		c.Policies = append(c.Policies, fmt.Sprintf("RetryPolicy.genius.io/baker/own-%02d", i))
		for k := range 12 {
			c.Kept = append(c.Kept, plan.TargetRef{Kind: "HTTPRoute", Namespace: "baker", Name: fmt.Sprintf("kept-%02d", k), Section: "rule[0]"})
		}
		changes = append(changes, c)
		findings = append(findings, plan.Finding{
			Rule: "protection-lost", Severity: plan.Error, State: "new", File: "a.yaml", Line: 1,
			Message: fmt.Sprintf("RetryPolicy protects HTTPRoute baker/route-%02d less", i), Subject: fmt.Sprintf("HTTPRoute baker/route-%02d", i), Statement: "RetryPolicy: less",
		})
	}
	doc := withChanges(changes...)
	doc.Environments[0].Findings = findings
	text := planAs(t, "text", doc, outline.Style{})
	for want, n := range map[string]int{
		"- /x: 1": 1, "by baker/ns-retries and 17 more at some targets": 1, "~ HTTPRoute": 8, "and 9 more\n": 1, "= HTTPRoute": 8, "and 4 more\n": 1,
		"protection-lost": 1, "and 16 more like it: for HTTPRoute baker/route-01, HTTPRoute baker/route-02, HTTPRoute baker/route-03, HTTPRoute baker/route-04 and 12 more": 1,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("text has %d of %q, want %d:\n%s", got, want, n, text)
		}
	}
	md := planAs(t, "markdown", doc, outline.Style{})
	for want, n := range map[string]int{"`/x`": 1, "Unchanged, because another policy decides there: `HTTPRoute baker/kept-00#rule[0]`": 1, "<summary>and 9 more targets</summary>": 1, "<summary>and 4 more targets</summary>": 1, "; and 16 more like it: for HTTPRoute baker/route-01": 1} {
		if got := strings.Count(md, want); got != n {
			t.Errorf("markdown has %d of %q, want %d:\n%s", got, want, n, md)
		}
	}
	verbose := planAs(t, "text", doc, outline.Style{Detail: outline.Verbose})
	if strings.Count(verbose, "= HTTPRoute") != 12 || strings.Count(verbose, "protection-lost") != 17 {
		t.Errorf("verbose opens everything:\n%s", verbose)
	}
}

// What an error on one side hides looks as if it had gone. The error comes
// first, and the rest does not bury what is certain.
func TestErrorsOfOneSideComeFirst(t *testing.T) {
	doc := parable()
	for i := range doc.Environments[0].Changes[0].Targets {
		doc.Environments[0].Changes[0].Targets[i].Certain = false
	}
	if got := planAs(t, "text", doc, outline.Style{}); !strings.Contains(got, "/retries/codes: [500") {
		t.Errorf("without such an error nothing is folded: %s", got)
	}
	doc.Environments[0].Changes = append(doc.Environments[0].Changes, edited(1, 2).Environments[0].Changes[0])
	doc.Environments[0].Changes[1].Causes = []plan.Cause{{File: "other.yaml", Line: 1, Object: "RetryPolicy.genius.io/baker/other"}}
	doc.Incomplete = true
	doc.Problems = []plan.Problem{
		{Severity: "warning", Code: "remote", Side: "both", File: "a.yaml", Message: "is remote"},
		{Severity: "error", Code: "yaml-syntax", Side: "head", Environments: []string{"prod"}, File: retryFile, Line: 3, Message: "is broken"},
	}
	lines := strings.Split(planAs(t, "text", doc, outline.Style{}), "\n")
	if want := "  " + retryFile + ":3: error: is broken [yaml-syntax] (head, prod)"; lines[1] != want {
		t.Errorf("got %q below the headline, want %q", lines[1], want)
	}
	text := strings.Join(lines, "\n")
	for want, n := range map[string]int{
		"is broken": 1, "1. RetryPolicy baker/other": 1, "2. RetryPolicy baker/ns-retries": 1,
		"- policy RetryPolicy baker/ns-retries: enforced at 7 targets → absent · uncertain [prod]\n": 1,
		"   - RetryPolicy detached: 4 targets, 2 fields · uncertain [prod]\n":                        1, "/retries/codes: [500": 0,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("text has %d of %q, want %d:\n%s", got, want, n, text)
		}
	}
	if got := planAs(t, "text", doc, outline.Style{Detail: outline.Verbose}); !strings.Contains(got, "/retries/codes: [500") {
		t.Errorf("verbose opens it: %s", got)
	}
	md := planAs(t, "markdown", doc, outline.Style{})
	warning, caution := strings.Index(md, "is broken"), strings.Index(md, "#### 1.")
	if warning < 0 || warning > caution || strings.Count(md, "is broken") != 1 {
		t.Errorf("markdown must begin with the error:\n%s", md)
	}
}

func BenchmarkLongLists(b *testing.B) {
	var before, after []any
	for i := range 100_000 {
		before = append(before, map[string]any{"name": fmt.Sprint(i), "n": 1})
		after = append(after, map[string]any{"name": fmt.Sprint(i), "n": 2})
	}
	doc := edited(before, after)
	w, _ := report.Plan.As("text")
	for b.Loop() {
		if err := w.Write(io.Discard, doc, outline.Style{}); err != nil {
			b.Fatal(err)
		}
	}
}
