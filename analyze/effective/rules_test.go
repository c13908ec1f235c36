package effective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
)

// Kinds whose specs are named rules: a list with a key, where a rule is a unit,
// and a map, which is patched (policy-machinery, examples/color_policy and
// examples/json_patch).
const (
	unitRules = `
- {profile: gep, group: acme.io, kind: AcmePolicy, spec: {empty: rules},
   merge: {levels: {select: {values: {rule: units}}}, units: ["rules.*"], lists: [{path: rules, key: id}]}}
`
	patchedRules = `
- {profile: gep, group: acme.io, kind: AcmePolicy, spec: {empty: rules}, merge: {levels: {select: {values: {rule: leaf}}}}}
`
)

// paint writes rules such as "1 blue, 2 red" as a list or as a map.
func paint(rules string, asMap bool) string {
	var out []string
	for rule := range strings.SplitSeq(rules, ", ") {
		id, color, found := strings.Cut(rule, " ")
		switch {
		case !found:
		case asMap:
			out = append(out, fmt.Sprintf("%q: {color: %s}", id, color))
		default:
			out = append(out, fmt.Sprintf("{id: %q, color: %s}", id, color))
		}
	}
	text := strings.Join(out, ", ")
	if asMap {
		return "rules: {" + text + "}"
	}
	return "rules: [" + text + "]"
}

// painted reads rules back.
func (s *scene) painted(path string) string {
	s.t.Helper()
	p := s.policy("AcmePolicy", path)
	if p == nil {
		return ""
	}
	var out []string
	for _, e := range p.Spec.At("rules").Entries {
		out = append(out, e.Key+" "+e.Tree.At("color").Value.Text)
	}
	return strings.Join(out, ", ")
}

func TestMergeTwoPolicies(t *testing.T) {
	const source = "1 blue, 2 red"
	targets := []string{"", "3 green", "1 yellow, 3 green"}
	for strategy, want := range map[string][3]string{
		"defaults: {strategy: atomic, %s}":  {source, "3 green", "1 yellow, 3 green"},
		"overrides: {strategy: atomic, %s}": {source, source, source},
		"defaults: {strategy: rule, %s}":    {source, "1 blue, 2 red, 3 green", "1 yellow, 2 red, 3 green"},
		"overrides: {strategy: rule, %s}":   {source, "1 blue, 2 red, 3 green", "1 blue, 2 red, 3 green"},
	} {
		for i, target := range targets {
			for _, asMap := range []bool{false, true} {
				kinds := map[bool]string{false: unitRules, true: patchedRules}[asMap]
				s := stage(t, kinds, one, acme("source", "Gateway g", fmt.Sprintf(strategy, paint(source, asMap))),
					acme("target", "HTTPRoute r", paint(target, asMap)))
				got := sortedRules(s.painted("g > r#only"))
				s.check(expect{name: fmt.Sprintf("%s over %q", strategy, target), got: got, want: want[i]})
			}
		}
	}
}

// sortedRules brings merged lists, whose winner comes first, into one order.
func sortedRules(rules string) string {
	var out []string
	for _, id := range []string{"1", "2", "3"} {
		for rule := range strings.SplitSeq(rules, ", ") {
			if strings.HasPrefix(rule, id+" ") {
				out = append(out, rule)
			}
		}
	}
	return strings.Join(out, ", ")
}

const twoRoutes = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r1}, spec: {parentRefs: [{name: g}], rules: [{name: rule-1}, {name: rule-2}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r2}, spec: {parentRefs: [{name: g}], rules: [{name: rule-1}, {name: rule-2}]}}
`

func TestFourPathsWithRules(t *testing.T) {
	paths := []string{"g > r1#rule-1", "g > r1#rule-2", "g > r2#rule-1", "g > r2#rule-2"}
	for name, tt := range map[string]struct {
		gateway string
		asMap   bool
		want    [4]string
	}{
		"atomic defaults on the Gateway": {"defaults: {strategy: atomic, %s}", false, [4]string{
			"walls green, roof orange, floor red", "walls green, roof orange", "walls white, floor yellow", "walls black, doors blue",
		}},
		"patch defaults on the Gateway": {"defaults: {strategy: patch, %s}", true, [4]string{
			"doors blue, floor red, roof orange, walls green", "doors blue, roof orange, walls green",
			"doors blue, floor yellow, walls white", "doors blue, walls black",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			kinds := map[bool]string{false: unitRules, true: patchedRules}[tt.asMap]
			s := stage(t, kinds, twoRoutes,
				acme("g", "Gateway g", fmt.Sprintf(tt.gateway, paint("walls black, doors blue", tt.asMap))),
				acme("r1", "HTTPRoute r1", fmt.Sprintf("overrides: {strategy: rule, %s}", paint("walls green, roof orange", tt.asMap))),
				acme("r1-rule-1", "HTTPRoute r1, sectionName: rule-1", paint("roof purple, floor red", tt.asMap)),
				acme("r2-rule-1", "HTTPRoute r2, sectionName: rule-1", paint("walls white, floor yellow", tt.asMap)))
			for i, path := range paths {
				s.check(expect{name: path, got: s.painted(path), want: tt.want[i]})
				if s.readingsDiffer("AcmePolicy", path) {
					t.Errorf("%s: the GEP's readings differ", path)
				}
			}
		})
	}
}

// Cases in which gwctl tells something else than GEP-713. The two examples, the
// listener and the conflict of Direct policies have tests of their own.
func TestWhereGwctlIsWrong(t *testing.T) {
	t.Run("the order of objects changes nothing", func(t *testing.T) {
		for range 24 {
			s := stage(t, gepKind, topology2, `{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r5},
 spec: {parentRefs: [{name: g2}], rules: [{name: only, backendRefs: [{name: b1, port: 80}]}]}}`,
				dated(acme("p1", "HTTPRoute r1", "x: 1"), "2025-03-01T00:00:00Z"), dated(acme("p3", "HTTPRoute r3", "x: 3"), "2025-01-01T00:00:00Z"),
				dated(acme("p5", "HTTPRoute r5", "x: 5"), "2025-02-01T00:00:00Z"))
			s.check(
				expect{name: "r1", got: s.spec("AcmePolicy", "g1 > r1#only"), want: `{"x":1}`},
				expect{name: "r3", got: s.spec("AcmePolicy", "g2 > r3#only"), want: `{"x":3}`},
				expect{name: "r5", got: s.spec("AcmePolicy", "g2 > r5#only"), want: `{"x":5}`},
			)
		}
	})
	t.Run("GatewayClass and Namespace without manifests", func(t *testing.T) {
		s := stage(t, gepKind, one, acme("class", "GatewayClass c", "defaults: {strategy: patch, class: 1}"),
			acme("namespace", "Namespace ns", "defaults: {strategy: patch, namespace: 1}"), acme("p", "HTTPRoute r", "x: 1"))
		s.check(expect{name: "r", got: s.spec("AcmePolicy", "c > g > r#only"), want: `{"class":1,"namespace":1,"x":1}`})
	})
	t.Run("a policy on a missing Gateway", func(t *testing.T) {
		v := stage(t, gepKind, one, acme("p", "Gateway nowhere", "x: 1")).verdict("AcmePolicy", "p")
		if v.Accepted != "unknown" || v.Reason != "NotInInput" {
			t.Errorf("%+v, want unknown: the Gateway may live elsewhere", v)
		}
		v = stageWith(t, inventory.Options{Complete: true}, gepKind, one, acme("p", "Gateway nowhere", "x: 1")).verdict("AcmePolicy", "p")
		if v.Accepted != "false" || v.Reason != "TargetNotFound" || v.Enforcement != plan.NotEnforced {
			t.Errorf("complete: %+v, want TargetNotFound", v)
		}
	})
}
