package effective_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// two is a Gateway with two listeners and a route with rules bar, baz and one
// without a name.
const two = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [
  {name: http, port: 80, protocol: HTTP}, {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: cert}]}}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {ports: [{name: web, port: 80}, {name: admin, port: 81}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [
  {name: bar, backendRefs: [{name: b, port: 80}]}, {name: baz, backendRefs: [{name: b, port: 81}]}, {backendRefs: [{name: b, port: 80}]}]}}
`

// directKind is a Direct kind that augments route rules.
const directKind = `
- {profile: gwapi-direct, group: acme.io, kind: AcmePolicy, levels: [Route, "Route:rule"], effective: ["Route:rule"],
   target: {refs: [{path: targetRef, form: one, section: sectionName}], allowed: ["gw/HTTPRoute:rule"], namespace: same}}
`

// GEP-2648, Section Names.
func TestGEP2648SectionNames(t *testing.T) {
	t.Run("the section gets the whole spec of its policy, the rest the other's", func(t *testing.T) {
		s := stage(t, directKind, two,
			acme("whole", "HTTPRoute r", "tries: 3, wait: 1s"), acme("part", "HTTPRoute r, sectionName: bar", "tries: 5"))
		s.check(
			expect{name: "bar", got: s.spec("AcmePolicy", "g#http > r > r#bar"), want: `{"tries":5}`},
			expect{name: "baz", got: s.spec("AcmePolicy", "g#http > r > r#baz"), want: `{"tries":3,"wait":"1s"}`},
			expect{name: "unnamed", got: s.spec("AcmePolicy", "g#https > r > r#rule[2]"), want: `{"tries":3,"wait":"1s"}`},
		)
		if v := s.verdict("AcmePolicy", "whole"); v.Accepted != "true" || v.Enforcement == plan.Overridden {
			t.Errorf("whole: %+v, want it accepted and in force", v)
		}
		if v := s.verdict("AcmePolicy", "part"); v.Accepted != "true" || v.Enforcement != plan.Enforced || v.EffectiveTargets != 1 {
			t.Errorf("part: %+v, want it accepted and enforced at one rule", v)
		}
	})
	t.Run("a section that does not exist fails to attach", func(t *testing.T) {
		for _, section := range []string{"nowhere", "'rule[2]'", "''"} {
			s := stage(t, directKind, two, acme("p", "HTTPRoute r, sectionName: "+section, "tries: 5"))
			v := s.verdict("AcmePolicy", "p")
			want := expect{name: section, got: v.Accepted + " " + v.Reason + " " + string(v.Enforcement), want: "false TargetNotFound none"}
			if section == "''" {
				want.want = "true Accepted enforced" // no section is named
			}
			s.check(want)
		}
	})
	t.Run("one section: the older wins, the other is rejected", func(t *testing.T) {
		s := stage(t, directKind, two,
			dated(acme("z", "HTTPRoute r, sectionName: bar", "tries: 5"), early),
			dated(acme("a", "HTTPRoute r, sectionName: bar", "tries: 7"), late),
			dated(acme("whole", "HTTPRoute r", "tries: 3"), late))
		s.check(
			expect{name: "bar", got: s.spec("AcmePolicy", "g#http > r > r#bar"), want: `{"tries":5}`},
			expect{name: "baz", got: s.spec("AcmePolicy", "g#http > r > r#baz"), want: `{"tries":3}`},
		)
		v := s.verdict("AcmePolicy", "a")
		s.check(expect{name: "the newer", got: v.Accepted + " " + v.Reason + " " + string(v.Enforcement), want: "false Conflicted conflicted"})
	})
}

// For Inherited kinds a section is a lower level: merged by strategy.
func TestSectionsOfInheritedKindsAreLevels(t *testing.T) {
	s := stage(t, gepKind, two,
		acme("whole", "Gateway g", "defaults: {strategy: patch, tries: 3, wait: 1s}"),
		acme("part", "Gateway g, sectionName: https", "tries: 5"))
	s.check(
		expect{name: "https", got: s.spec("AcmePolicy", "g#https > r#bar"), want: `{"tries":5,"wait":"1s"}`},
		expect{name: "http", got: s.spec("AcmePolicy", "g#http > r#bar"), want: `{"tries":3,"wait":"1s"}`},
	)
}

// gwctl gives a listener's policy to everything below its Gateway.
func TestListenerPolicyStaysAtItsListener(t *testing.T) {
	s := stage(t, gepKind, two, acme("part", "Gateway g, sectionName: https", "tries: 5"))
	s.check(
		expect{name: "https", got: s.spec("AcmePolicy", "g#https > r#bar"), want: `{"tries":5}`},
		expect{name: "http", got: s.spec("AcmePolicy", "g#http > r#bar"), want: ""},
	)
}

// The worked case of the conformance test backendtlspolicy-conflict-resolution:
// with and without a section do not conflict, the same section does.
func TestBackendTLSPolicyConflicts(t *testing.T) {
	tls := func(name, service, section string) string {
		return `{apiVersion: gateway.networking.k8s.io/v1, kind: BackendTLSPolicy, metadata: {name: ` + name + `}, spec: {
  targetRefs: [{group: "", kind: Service, name: ` + service + section + `}], validation: {hostname: ` + name + `, wellKnownCACertificates: System}}}`
	}
	service := func(name string) string {
		return `{apiVersion: v1, kind: Service, metadata: {name: ` + name + `}, spec: {ports: [{name: https-1, port: 443}, {name: https-2, port: 8443}]}}`
	}
	refs := "{name: s1, port: 443}, {name: s2, port: 443}, {name: s2, port: 8443}, {name: s3, port: 443}, {name: s3, port: 8443}"
	s := stage(t, "", service("s1"), service("s2"), service("s3"), `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [{name: only, backendRefs: [`+refs+`]}]}}`,
		tls("plain-1", "s1", ""), tls("plain-2", "s1", ""),
		tls("section-1", "s2", ", sectionName: https-1"), tls("section-2", "s2", ", sectionName: https-1"),
		tls("both-1", "s3", ""), tls("both-2", "s3", ", sectionName: https-1"))
	for name, want := range map[string]string{
		"plain-1": "true Accepted enforced", "plain-2": "false Conflicted conflicted",
		"section-1": "true Accepted enforced", "section-2": "false Conflicted conflicted",
		"both-2": "true Accepted enforced",
	} {
		v := s.verdict("BackendTLSPolicy", name)
		s.check(expect{name: name, got: v.Accepted + " " + v.Reason + " " + string(v.Enforcement), want: want})
	}
	if v := s.verdict("BackendTLSPolicy", "both-1"); v.Accepted != "true" {
		t.Errorf("both-1: %+v, want it accepted", v)
	}
	of := func(name string) string {
		return `{"validation":{"hostname":"` + name + `","wellKnownCACertificates":"System"}}`
	}
	s.check(
		expect{name: "s1", got: s.spec("BackendTLSPolicy", "r#only > s1#https-1"), want: of("plain-1")},
		expect{name: "s2 https-1", got: s.spec("BackendTLSPolicy", "r#only > s2#https-1"), want: of("section-1")},
		expect{name: "s2 https-2", got: s.spec("BackendTLSPolicy", "r#only > s2#https-2"), want: ""},
		expect{name: "s3 https-1", got: s.spec("BackendTLSPolicy", "r#only > s3#https-1"), want: of("both-2")},
		expect{name: "s3 https-2", got: s.spec("BackendTLSPolicy", "r#only > s3#https-2"), want: of("both-1")},
	)
}

// A Direct policy reaches its target whether or not a route leads there.
func TestDirectPolicyWithoutRoute(t *testing.T) {
	s := stage(t, directColor, `{apiVersion: v1, kind: Service, metadata: {name: b1}, spec: {ports: [{port: 80}]}}`, colors1)
	s.check(expect{name: "b1", got: s.spec("ColorPolicy", "b1"), want: `{"color":"red"}`})
}
