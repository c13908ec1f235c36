package effective_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// The topologies of GEP-713, End-to-end examples.
const (
	topology1 = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g1}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r1}, spec: {parentRefs: [{name: g1}], rules: [{name: only, backendRefs: [{name: b1, port: 80}]}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r2}, spec: {parentRefs: [{name: g1}], rules: [{name: only, backendRefs: [{name: b2, port: 80}]}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b1}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b2}, spec: {ports: [{port: 80}]}}
`
	topology2 = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g1}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g2}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r1}, spec: {parentRefs: [{name: g1}], rules: [{name: only, backendRefs: [{name: b1, port: 80}]}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r2}, spec: {parentRefs: [{name: g1}], rules: [{name: only, backendRefs: [{name: b1, port: 80}]}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r3}, spec: {parentRefs: [{name: g2}], rules: [{name: only, backendRefs: [{name: b1, port: 80}]}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r4}, spec: {parentRefs: [{name: g2}], rules: [{name: only, backendRefs: [{name: b2, port: 80}]}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b1}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b2}, spec: {ports: [{port: 80}]}}
`
)

// The policy kinds of the examples as entries of the configuration.
const (
	directColor = `
- {profile: gwapi-direct, group: colors.example, kind: ColorPolicy, levels: [Backend], effective: [Backend],
   target: {refs: [{path: targetRefs, form: list}], allowed: ["core/Service"], namespace: same}}
`
	inheritedColor = `
- {profile: gep, group: colors.example, kind: ColorPolicy, levels: [Gateway, Route], effective: [Backend]}
`
)

// colorCRD defines ColorPolicy in the repository; %s is the class.
func colorCRD(class string) string {
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: colorpolicies.colors.example, labels: {gateway.networking.k8s.io/policy: ` + class + `}}
spec: {group: colors.example, scope: Namespaced, names: {kind: ColorPolicy, plural: colorpolicies}, versions: [{name: v1}]}
`
}

// The policies of the examples.
const (
	colors1 = `
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p2, creationTimestamp: "2025-01-02T00:00:00Z"}, spec: {targetRefs: [{group: "", kind: Service, name: b1}], color: blue}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p1, creationTimestamp: "2025-01-01T00:00:00Z"}, spec: {targetRefs: [{group: "", kind: Service, name: b1}], color: red}}
`
	colors2 = `
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p1}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g1}], color: red}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p2}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r1}], color: blue}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p3}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g2}], overrides: {color: yellow}}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p4}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r4}], color: green}}
`
	colors3 = `
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p1}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g1}], colors: {dark: brown, light: red}, strategy: atomic}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p2}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r1}], colors: {light: blue}}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p3}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g2}], overrides: {colors: {light: yellow}, strategy: patch}}}
---
{apiVersion: colors.example/v1, kind: ColorPolicy, metadata: {name: p4}, spec: {targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r4}], colors: {dark: olive, light: green}}}
`
)

// enforcements checks what is reported of each policy, in order of its name.
func (s *scene) enforcements(want ...plan.Enforcement) {
	s.t.Helper()
	for i, name := range []string{"p1", "p2", "p3", "p4"}[:len(want)] {
		if got := s.verdict("ColorPolicy", name).Enforcement; got != want[i] {
			s.t.Errorf("%s is %s, want %s", name, got, want[i])
		}
	}
}

func (s *scene) affected(target string, want ...string) {
	s.t.Helper()
	if got := s.affecting("ColorPolicy", target); !slices.Equal(got, want) {
		s.t.Errorf("%s is affected by %q, want %q", target, got, want)
	}
}

func TestGEP713Example1DirectPolicy(t *testing.T) {
	for name, s := range map[string]*scene{
		"config": stage(t, directColor, topology1, colors1),
		"crd":    stage(t, "", topology1, colors1, colorCRD("Direct")),
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			s.check(expect{name: "1. g1 > r1 > b1", got: s.spec("ColorPolicy", "g1 > r1 > b1"), want: `{"color":"red"}`})
			s.affected("b1", "p1")
			s.affected("b2")
			s.enforcements(plan.Enforced, plan.Conflicted)
			lost := s.verdict("ColorPolicy", "p2")
			if lost.Accepted != "false" || lost.Reason != "Conflicted" || lost.DecidedBy != "creationTimestamp" || lost.AgeSensitive {
				t.Errorf("p2: %+v, want not accepted for a conflict decided by creationTimestamp", lost)
			}
		})
	}
}

func TestGEP713Example2DefaultsAndOverrides(t *testing.T) {
	s := stage(t, inheritedColor, topology2, colors2)
	s.check(
		expect{name: "1. g1 > r1 > b1", got: s.spec("ColorPolicy", "g1 > r1 > b1"), want: `{"color":"blue"}`},
		expect{name: "2. g1 > r2 > b1", got: s.spec("ColorPolicy", "g1 > r2 > b1"), want: `{"color":"red"}`},
		expect{name: "3. g2 > r3 > b1", got: s.spec("ColorPolicy", "g2 > r3 > b1"), want: `{"color":"yellow"}`},
		expect{name: "4. g2 > r4 > b2", got: s.spec("ColorPolicy", "g2 > r4 > b2"), want: `{"color":"yellow"}`},
	)
	s.affected("b1", "p1", "p2", "p3")
	s.affected("b2", "p3")
	s.enforcements(plan.PartiallyEnforced, plan.Enforced, plan.Enforced, plan.Overridden)
}

func TestGEP713Example3MergedSpecs(t *testing.T) {
	s := stage(t, inheritedColor, topology2, colors3)
	s.check(
		expect{name: "1. g1 > r1 > b1", got: s.spec("ColorPolicy", "g1 > r1 > b1"), want: `{"colors":{"light":"blue"}}`},
		expect{name: "2. g1 > r2 > b1", got: s.spec("ColorPolicy", "g1 > r2 > b1"), want: `{"colors":{"dark":"brown","light":"red"}}`},
		expect{name: "3. g2 > r3 > b1", got: s.spec("ColorPolicy", "g2 > r3 > b1"), want: `{"colors":{"light":"yellow"}}`},
		expect{name: "4. g2 > r4 > b2", got: s.spec("ColorPolicy", "g2 > r4 > b2"), want: `{"colors":{"dark":"olive","light":"yellow"}}`},
	)
	s.affected("b1", "p1", "p2", "p3")
	s.affected("b2", "p3", "p4")
	s.enforcements(plan.PartiallyEnforced, plan.Enforced, plan.Enforced, plan.PartiallyEnforced)
}

// A kind known from its CRD alone is effective at route rules: the same values
// there, and the same enforcements.
func TestGEP713ExamplesOfKindFromCRD(t *testing.T) {
	for name, tt := range map[string]struct {
		policies string
		want     [4]string
		p4       plan.Enforcement
	}{
		"example 2": {colors2, [4]string{`{"color":"blue"}`, `{"color":"red"}`, `{"color":"yellow"}`, `{"color":"yellow"}`}, plan.Overridden},
		"example 3": {colors3, [4]string{
			`{"colors":{"light":"blue"}}`, `{"colors":{"dark":"brown","light":"red"}}`, `{"colors":{"light":"yellow"}}`,
			`{"colors":{"dark":"olive","light":"yellow"}}`,
		}, plan.PartiallyEnforced},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, "", topology2, tt.policies, colorCRD("Inherited"))
			s.check(
				expect{name: "r1", got: s.spec("ColorPolicy", "g1 > r1#only"), want: tt.want[0]},
				expect{name: "r2", got: s.spec("ColorPolicy", "g1 > r2#only"), want: tt.want[1]},
				expect{name: "r3", got: s.spec("ColorPolicy", "g2 > r3#only"), want: tt.want[2]},
				expect{name: "r4", got: s.spec("ColorPolicy", "g2 > r4#only"), want: tt.want[3]},
			)
			s.enforcements(plan.PartiallyEnforced, plan.Enforced, plan.Enforced, tt.p4)
		})
	}
}
