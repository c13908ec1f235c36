package effective_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// For Direct kinds a section is carved out of the reach of the less specific
// policy, which "MUST not affect the named section" (GEP-2648): what is left is
// all of its reach, and there it is in force.
func TestGEP2648SectionIsCarvedOut(t *testing.T) {
	s := stage(t, directKind, two,
		acme("whole", "HTTPRoute r", "tries: 3, wait: 1s"), acme("part", "HTTPRoute r, sectionName: bar", "tries: 5"))
	v := s.verdict("AcmePolicy", "whole")
	// Rules baz and rule[2], each through two listeners.
	if v.Enforcement != plan.Enforced || v.EffectiveTargets != 2 || v.Contexts != 4 {
		t.Errorf("whole: %s at %d targets in %d contexts, want enforced at 2 in 4", v.Enforcement, v.EffectiveTargets, v.Contexts)
	}
	var names []string
	for _, share := range s.policy("AcmePolicy", "g#http > r > r#bar").Shares {
		names = append(names, share.Policy.ID().Name)
	}
	if !slices.Equal(names, []string{"part"}) {
		t.Errorf("policies at bar: %q, want part alone", names)
	}
}
