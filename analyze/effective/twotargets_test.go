package effective_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// A policy that targets two levels of one context takes part in that context
// once: it is counted and listed once, and not taken for its own rival.
func TestPolicyAtTwoLevelsOfContext(t *testing.T) {
	for _, body := range []string{"x: 1", "overrides: {x: 1}", "defaults: {strategy: patch, x: 1}"} {
		s := stage(t, gepKind, one, "{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: p}, spec: {"+body+
			", targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}, {group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}]}}")
		if v := s.verdict("AcmePolicy", "p"); v.Contexts != 1 || v.EffectiveTargets != 1 || v.Enforcement != plan.Enforced {
			t.Errorf("%s: %s at %d targets in %d contexts, want enforced at 1 in 1", body, v.Enforcement, v.EffectiveTargets, v.Contexts)
		}
		if got := s.stack("g > r#only"); got != "p" {
			t.Errorf("%s: the policies of the context are %q, want p alone", body, got)
		}
	}
}
