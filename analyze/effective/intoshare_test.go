package effective_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// A default that fills one filter and yields to the value in another is
// enforced in part.
func TestRetryOnPolicyEnforcedInPart(t *testing.T) {
	s := retryScene(t, "bakers", `[{type: Retry, retry: {retryOn: ["500"]}}, {type: Retry, retry: {}}]`, retryPolicy("Gateway default", "bakers", "a", early))
	if v := s.verdict("RetryOnPolicy", "a"); v.Enforcement != plan.PartiallyEnforced {
		t.Errorf("the policy is %s, want %s", v.Enforcement, plan.PartiallyEnforced)
	}
}
