package analyze

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// What is not seen, or newly not read, is no calm, whatever the headline says.
func TestConclusion(t *testing.T) {
	problem := func(side string, edited bool) *plan.Plan {
		return &plan.Plan{Incomplete: true, Problems: []plan.Problem{{Severity: string(loader.Warning), Side: side, Edited: edited}}}
	}
	unseen := &plan.Plan{Unseen: []plan.Unseen{{What: "HelmRelease shop/cart", Opaque: true}}}
	for name, tt := range map[string]struct {
		said claim
		p    *plan.Plan
		want plan.Conclusion
	}{
		"nothing":                      {calm(), &plan.Plan{}, plan.ConcludesNone},
		"a change":                     {claimOf("HTTPRoute shop/cart loses retries"), unseen, plan.ConcludesChange},
		"not known":                    {notKnown("what it selects is not in the input"), &plan.Plan{}, plan.ConcludesUnknown},
		"unseen":                       {calm(), unseen, plan.ConcludesUnknown},
		"a new problem":                {calm(), problem(plan.InHead, false), plan.ConcludesIncomplete},
		"a problem of an edited file":  {calm(), problem(plan.InBoth, true), plan.ConcludesIncomplete},
		"a problem as before":          {calm(), problem(plan.InBoth, false), plan.ConcludesNone},
		"incomplete without a problem": {calm(), &plan.Plan{Incomplete: true}, plan.ConcludesIncomplete},
	} {
		if got := tt.said.conclusion(tt.p); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
