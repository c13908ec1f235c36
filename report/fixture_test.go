package report_test

import (
	"fmt"
	"strconv"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

const (
	baseCommit = "1111111111111111111111111111111111111111"
	headCommit = "9f2c1ab0c0ffee00000000000000000000000000"
	retryFile  = "clusters/prod/baker/retry.yaml"
	cupcakes   = "https://github.com/evil-genius/cupcakes"
)

func linked() outline.Style { return outline.Style{Links: outline.Links{Repository: cupcakes}} }

// plan is a plan between two commits, without anything in it.
func newPlan(environments ...plan.Environment) *plan.Plan {
	return &plan.Plan{
		SchemaVersion: plan.SchemaVersion,
		Tool:          plan.Tool{Version: "0.1.0"},
		Base:          plan.Revision{Revision: "main", Commit: baseCommit},
		Head:          plan.Revision{Revision: "feature", Commit: headCommit},
		Environments:  environments,
		Summary:       plan.Summary{Policies: 3, Routes: 11, Environments: len(environments)},
	}
}

// routeTargets are the rules of an HTTPRoute in namespace baker, behind
// Gateway infra/public.
func routeTargets(name string, rules ...string) []plan.Target {
	var targets []plan.Target
	for _, r := range rules {
		route := "HTTPRoute/baker/" + name
		targets = append(targets, plan.Target{
			Target: plan.TargetRef{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute", Namespace: "baker", Name: name, Section: r},
			Contexts: [][]string{{
				"GatewayClass/genius", "Gateway/infra/public", "Gateway/infra/public#http", route, route + "#" + r,
			}},
			ContextCount: 1,
			Certain:      true,
		})
	}
	return targets
}

func retrySource(line int) *plan.Source {
	return &plan.Source{Object: "RetryPolicy.genius.io/baker/ns-retries", File: retryFile, Line: line, Column: 5, Role: "default"}
}

func parableCause() []plan.Cause {
	return []plan.Cause{{File: retryFile, Line: 1, Column: 1, Side: "base", Object: "RetryPolicy.genius.io/baker/ns-retries"}}
}

func parableChange() plan.Change {
	var targets []plan.Target
	targets = append(targets, routeTargets("icing", "rule[0]")...)
	targets = append(targets, routeTargets("oven", "bake", "cool")...)
	targets = append(targets, routeTargets("sprinkles", "rule[0]", "rule[1]")...)
	targets = append(targets, routeTargets("till", "rule[0]", "rule[1]")...)
	return plan.Change{
		PolicyKind: &plan.GroupKind{Group: "genius.io", Kind: "RetryPolicy"},
		Kind:       plan.Detached,
		Targets:    targets,
		Fields: []plan.Field{
			{Path: "/retries/codes", Action: plan.FieldRemoved, Before: []any{500, 503}, BeforeSource: retrySource(13)},
			{Path: "/retries/maxAttempts", Action: plan.FieldRemoved, Before: 5, BeforeSource: retrySource(12)},
		},
		Policies:    []string{"RetryPolicy.genius.io/baker/ns-retries"},
		Causes:      parableCause(),
		Fingerprint: "sha256:aaaa",
	}
}

func enforcedAt(targets int, declared string) *plan.Verdict {
	return &plan.Verdict{
		Accepted: "true", Reason: "Accepted", Enforcement: plan.Enforced,
		Targets:          []plan.TargetVerdict{{Target: declared, Accepted: "true", Reason: "Accepted", Enforcement: plan.Enforced}},
		EffectiveTargets: targets, Contexts: targets,
	}
}

// parable is the GEP's parable: Charlie deletes the RetryPolicy of namespace
// baker; four routes lose their retries, delivery has its own.
func parable() *plan.Plan {
	p := newPlan(plan.Environment{
		Name: "prod", Path: "clusters/prod", Status: "both",
		Changes: []plan.Change{parableChange()},
		PolicyChanges: []plan.PolicyChange{{
			Policy: "RetryPolicy.genius.io/baker/ns-retries", Before: enforcedAt(7, "Namespace/baker"),
			Causes: parableCause(), Fingerprint: "sha256:bbbb",
		}},
		Findings: []plan.Finding{
			{
				Rule: "effective-setting-lost", Severity: plan.Error, State: "new",
				Message: "4 HTTPRoutes in namespace baker lose /retries", Target: "HTTPRoute/baker/oven",
				File: "clusters/prod/baker/kustomization.yaml", Line: 6, Column: 1, Fingerprint: "sha256:cccc",
				Related: []plan.Related{
					{Message: "RetryPolicy baker/ns-retries", Side: "base", File: retryFile, Line: 1, Column: 1},
					{Message: "HTTPRoute baker/oven", Side: "head", File: "clusters/prod/baker/oven.yaml", Line: 11, Column: 3},
				},
			},
			{
				Rule: "override-without-effect", Severity: plan.Warning, State: "new",
				Message: "keeps a RetryPolicy that overrode the deleted default", Target: "HTTPRoute/baker/delivery",
				File: "clusters/prod/baker/delivery.yaml", Line: 9, Column: 3, Fingerprint: "sha256:dddd",
			},
			{Rule: "unattached-policy", Severity: plan.Warning, State: "unchanged", Message: "long known", File: "clusters/prod/old.yaml", Line: 1},
		},
	})
	p.Summary = plan.Summary{
		Changes: 1, PolicyChanges: 1, Targets: 4, TargetsByKind: map[string]int{"HTTPRoute": 4}, Contexts: 7,
		Policies: 2, Routes: 5, Environments: 1, Findings: plan.Counts{Error: 1, Warning: 1}, Unchanged: 1,
		Headline: "4 HTTPRoutes lose retries",
	}
	p.Notes = []string{"RetryPolicy.genius.io is assumed to be Inherited: no CRD says so"}
	p.Rules = []plan.RuleDoc{
		{ID: "effective-setting-lost", Title: "A target loses a setting", Severity: "error", Why: "No policy sets it any more.", Fix: "Attach another policy, or accept the loss in the config.", Security: true},
		{ID: "override-without-effect", Title: "An override overrides nothing", Severity: "warning", Why: "What it overrode is gone.", Fix: "Remove it."},
	}
	return p
}

// empty is a plan in which nothing changed.
func empty() *plan.Plan {
	return newPlan(plan.Environment{Name: ".", Path: ".", Status: "both"})
}

// incomplete is a plan in which nothing changed as far as could be read.
func incomplete() *plan.Plan {
	p := newPlan(plan.Environment{Name: ".", Path: ".", Status: "both", Incomplete: plan.Sides{Head: true}})
	p.Incomplete = true
	p.Head = plan.Revision{Revision: "work tree"}
	p.Problems = []plan.Problem{
		{Severity: "error", Code: "yaml-syntax", Side: "head", Environments: []string{"."}, File: "infra/gateway.yaml", Line: 14, Column: 3, Message: "did not find expected key", Hint: "check the indentation"},
		{Severity: "warning", Code: "kustomize-remote", Side: "both", File: "clusters/prod/kustomization.yaml", Line: 4, Column: 5, Message: "remote resource is refused", Hint: "vendor it, or list its objects under external"},
		{Severity: "note", Code: "unread", Message: "2 files hold no manifest"},
	}
	p.Summary.Problems = 3
	return p
}

// many is a plan of three environments with every kind of change, verdicts and
// findings of all severities.
func many() *plan.Plan {
	p := newPlan(manyEnvironment("dev", "added"), manyEnvironment("prod", "both"), manyEnvironment("staging", "renamed"))
	p.Environments[1].Changes = append(p.Environments[1].Changes, wideChange())
	p.Summary = plan.Summary{
		Changes: 8, PolicyChanges: 6, Targets: 52, TargetsByKind: map[string]int{"HTTPRoute": 49, "Gateway": 3}, Contexts: 80,
		Policies: 12, Routes: 60, Environments: 3, Findings: plan.Counts{Error: 3, Warning: 3, Note: 3}, Unchanged: 4, Fixed: 2,
		Headline: "49 HTTPRoutes and 3 Gateways change",
	}
	p.Notes = []string{"namespace of HTTPRoute oven assumed to be default", "GEP-713 reads both ways: the higher policy dictated the strategy"}
	p.Rules = []plan.RuleDoc{
		{ID: "effective-setting-weakened", Title: "A setting is weaker", Severity: "error", Why: "It was stronger.", Fix: "Look at it.", Security: true},
		{ID: "unattached-policy", Title: "A policy targets nothing", Severity: "warning", Why: "The target is not declared.", Fix: "Declare it."},
		{ID: "age-sensitive", Title: "A tie is decided by name", Severity: "note", Why: "Timestamps are missing.", Fix: "Set gwplan.dev/created-at."},
	}
	p.Silenced, p.Summary.Silenced = silenced(), 3
	return p
}

func manyEnvironment(name, status string) plan.Environment {
	timeout := func(file string, line int) *plan.Source {
		return &plan.Source{Object: "TimeoutPolicy.genius.io/infra/edge", File: file, Line: line, Column: 21, Role: "override"}
	}
	edit := []plan.Cause{{File: "infra/timeouts.yaml", Line: 14, Column: 21, Side: "head", Object: "TimeoutPolicy.genius.io/infra/edge"}}
	move := []plan.Cause{{File: "apps/route.yaml", Line: 7, Column: 5, Side: "head", Object: "HTTPRoute/baker/oven"}}
	moved := routeTargets("oven", "")
	moved[0].Contexts = [][]string{{"Gateway/infra/private", "Gateway/infra/private#https", "HTTPRoute/baker/oven"}}
	moved[0].ContextsBefore = [][]string{{"Gateway/infra/public", "Gateway/infra/public#http", "HTTPRoute/baker/oven"}}
	unsure := routeTargets("oven", "bake")
	unsure[0].Certain, unsure[0].AgeSensitive, unsure[0].ContextCount = false, true, 9
	lost := &plan.Verdict{Accepted: "false", Reason: "Conflicted", Enforcement: plan.Conflicted, AgeSensitive: true, DecidedBy: "name"}
	return plan.Environment{
		Name: name, Path: "clusters/" + name, Status: status,
		Changes: []plan.Change{
			{
				PolicyKind: &plan.GroupKind{Group: "genius.io", Kind: "TimeoutPolicy"}, Kind: plan.FieldChange, Targets: unsure,
				Fields: []plan.Field{
					{Path: "/request", Action: plan.FieldChanged, Before: "10s", After: "5s", BeforeSource: timeout("infra/timeouts.yaml", 14), AfterSource: timeout("infra/timeouts.yaml", 14)},
					{Path: "/auth/token", Action: plan.FieldChanged, Before: "<redacted>", After: "<redacted>"},
					{Path: "/idle", Action: plan.FieldAdded, After: map[string]any{"after": "1s", "jitter": 0.5, "unset": nil}, AfterSource: timeout("infra/timeouts.yaml", 15)},
				},
				Policies: []string{"TimeoutPolicy.genius.io/infra/edge"}, Causes: edit,
			},
			{PolicyKind: &plan.GroupKind{Kind: "TimeoutPolicy"}, Kind: plan.Attached, Targets: routeTargets("till", "rule[0]"), Causes: edit},
			{Kind: plan.Moved, Targets: moved, Causes: move},
			{
				Kind: plan.FieldChange, Targets: routeTargets("oven", "bake"), Causes: move,
				Fields: []plan.Field{{Path: "/backendRefs[Service/shop/pay:80]/weight", Action: plan.FieldChanged, Before: int64(12345678901234567), After: "1"}},
			},
			{Kind: plan.VerdictChange, Targets: []plan.Target{{Target: plan.TargetRef{Kind: "Gateway", Namespace: "infra", Name: "public", Section: "http"}, ContextCount: 1, Certain: true}}},
			{Kind: plan.Added, Targets: []plan.Target{{Target: plan.TargetRef{Kind: "GatewayClass", Name: "genius"}, ContextCount: 1, Certain: true}}, Causes: move},
			{Kind: plan.Removed, Targets: routeTargets("gone", ""), Causes: move},
		},
		PolicyChanges: []plan.PolicyChange{
			{Policy: "TimeoutPolicy.genius.io/infra/edge", Before: enforcedAt(4, "Gateway/infra/public"), After: lost, Causes: edit},
			{Policy: "RetryPolicy.genius.io/baker/new", After: enforcedAt(1, "HTTPRoute/baker/oven"), Causes: move},
		},
		Findings: []plan.Finding{
			{Rule: "effective-setting-weakened", Severity: plan.Error, State: "new", Message: "timeout is weaker: [500, 503](x)", Target: "HTTPRoute/baker/oven", File: "infra/time outs#1.yaml", Line: 14, Column: 21, Fingerprint: "sha256:e" + name},
			{Rule: "unattached-policy", Severity: plan.Warning, State: "new", Message: "targets a Gateway that is not declared in " + name, Target: "TimeoutPolicy.genius.io/infra/edge", File: "infra/gone.yaml", Line: 3, Column: 1, Side: "base", Fingerprint: "sha256:w" + name},
			{Rule: "age-sensitive", Severity: plan.Note, State: "new", Message: "decided by name", Target: "TimeoutPolicy.genius.io/infra/edge", Fingerprint: "sha256:n" + name},
			{Rule: "fixed-one", Severity: plan.Error, State: "fixed", Message: "was wrong", Side: "base", File: "a.yaml", Line: 1},
		},
	}
}

// wideChange has more targets than a reader wants to see.
func wideChange() plan.Change {
	c := parableChange()
	c.Targets = nil
	for i := range 40 {
		c.Targets = append(c.Targets, routeTargets(fmt.Sprintf("cake-%02d", i), "rule[0]")...)
	}
	return c
}

func newCheck() *plan.Check {
	doc := parable()
	findings := doc.Environments[0].Findings
	for i := range findings {
		findings[i].State = ""
	}
	findings[2].Severity = plan.Note
	return &plan.Check{
		SchemaVersion: doc.SchemaVersion, Tool: doc.Tool, Revision: doc.Head, Incomplete: true,
		Summary:      plan.Summary{Policies: 2, Routes: 5, Environments: 1, Findings: plan.Counts{Error: 1, Warning: 1, Note: 1}, Problems: 3},
		Environments: []plan.CheckEnvironment{{Name: "prod", Incomplete: true, Findings: findings}},
		Problems:     incomplete().Problems, Notes: doc.Notes, Rules: doc.Rules, Silenced: silenced(),
	}
}

// silenced are findings that an entry of the configuration, an annotation and a baseline silence.
func silenced() []plan.Silenced {
	found := func(target string, line int) plan.Finding {
		return plan.Finding{
			Rule: "unattached-policy", Severity: plan.Warning, Message: target + " attaches to nothing", Target: target,
			File: "infra/old.yaml", Line: line, Column: 1, Fingerprint: "f" + strconv.Itoa(line),
		}
	}
	return []plan.Silenced{
		{Finding: found("RetryPolicy/infra/a", 3), Environments: []string{"prod", "dev"}, By: plan.SilencedByConfig, Reason: "its route comes next week", At: plan.SilencedAt{File: ".gwplan.yaml", Line: 4, Column: 5}},
		{Finding: found("RetryPolicy/infra/b", 9), Environments: []string{"prod"}, By: plan.SilencedByAnnotation, Reason: "kept as an example", At: plan.SilencedAt{File: "infra/old.yaml", Line: 9, Column: 1}},
		{Finding: found("RetryPolicy/infra/c", 15), Environments: []string{"prod"}, By: plan.SilencedByBaseline},
	}
}

func effectives() *plan.EffectiveList {
	contexts := routeTargets("oven", "bake")[0].Contexts
	e := plan.Effective{
		PolicyKind: plan.GroupKind{Group: "genius.io", Kind: "RetryPolicy"}, Target: "HTTPRoute/baker/oven#bake",
		Contexts: contexts, ContextCount: 12, Certain: true,
		Spec: map[string]any{"retries": map[string]any{"codes": []any{500, 503}, "maxAttempts": 5, "note": "on"}},
		Fields: []plan.EffectiveField{
			{Path: "/retries/codes", Value: []any{500, 503}, Source: *retrySource(13)},
			{Path: "/retries/maxAttempts", Value: 5, Source: *retrySource(12)},
			{Path: "/retries/note", Value: "on", Source: *retrySource(14)},
		},
		Policies: []plan.PolicyShare{{Policy: "RetryPolicy.genius.io/baker/ns-retries", Enforcement: plan.Enforced}},
	}
	other := e
	other.PolicyKind.Kind, other.Certain, other.AgeSensitive, other.Spec, other.Fields = "TimeoutPolicy", false, true, nil, nil
	return &plan.EffectiveList{
		SchemaVersion: plan.SchemaVersion, Notes: []string{"assumed"}, Problems: incomplete().Problems[:1],
		Environments: []plan.EffectiveEnvironment{{Name: "prod", Effective: []plan.Effective{e, other}}, {Name: "dev"}},
	}
}

func policies() *plan.PolicyList {
	return &plan.PolicyList{
		SchemaVersion: plan.SchemaVersion,
		Environments: []plan.PolicyEnvironment{{Name: ".", Policies: []plan.Policy{
			{
				Policy: "RetryPolicy.genius.io/baker/ns-retries", Class: "Inherited", DeclaredTargets: []string{"Namespace/baker"},
				Accepted: "true", Reason: "Accepted", Enforcement: plan.PartiallyEnforced,
				Targets:          enforcedAt(7, "Namespace/baker").Targets,
				EffectiveTargets: 7, Contexts: 7, Affects: []string{"HTTPRoute/baker/icing", "HTTPRoute/baker/oven"},
				AffectsByKind: map[string]int{"HTTPRoute": 4, "Service": 5}, AgeSensitive: true, File: retryFile, Line: 1,
			},
			{Policy: "TimeoutPolicy.genius.io/infra/edge", Class: "Direct", Accepted: "unknown", Reason: "TargetNotFound", Enforcement: plan.NotEnforced, File: "infra/timeouts.yaml", Line: 1},
		}}},
	}
}

func tree() *plan.Tree {
	return &plan.Tree{
		SchemaVersion: plan.SchemaVersion,
		Environments: []plan.TreeEnvironment{{Name: ".", Roots: []plan.TreeNode{{
			Node: "GatewayClass/genius", Missing: true, Admitted: "true",
			Children: []plan.TreeNode{{
				Node: "Gateway/infra/public", Admitted: "true", Policies: []string{"TimeoutPolicy.genius.io/infra/edge"},
				Children: []plan.TreeNode{
					{Node: "Gateway/infra/public#http", Admitted: "true", Hostnames: []string{"*.cupcakes.example", "cupcakes.example"}, Children: []plan.TreeNode{
						{Node: "HTTPRoute/baker/oven", Admitted: "true", Policies: []string{"RetryPolicy.genius.io/baker/own", "RetryPolicy.genius.io/baker/second"}},
						{Node: "HTTPRoute/baker/till", Admitted: "false", Reason: "NotAllowedByListeners"},
					}},
					{Node: "Gateway/infra/public#https", Admitted: "true", Children: []plan.TreeNode{
						{Node: "HTTPRoute/shop/pay", Admitted: "unknown", Reason: "labels of Namespace shop are not in the input"},
					}},
				},
			}},
		}}}},
	}
}
