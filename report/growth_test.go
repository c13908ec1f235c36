package report_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// TestGrowth doubles the changes of a plan, those that are told together and those that are not: what a report takes to
// make may double with them.
func TestGrowth(t *testing.T) {
	shapes := map[string]func(i int) plan.Change{
		"alike":        func(i int) plan.Change { return editedRoute(i, 20) },
		"each its own": func(i int) plan.Change { return editedRoute(i, i) },
		"a policy each": func(i int) plan.Change {
			c := editedRoute(i, 20)
			c.PolicyKind = &plan.GroupKind{Group: "genius.io", Kind: "RetryPolicy"}
			c.Policies = []string{fmt.Sprintf("RetryPolicy.genius.io/shop/p%d", i)}
			c.Causes[0].Object = fmt.Sprintf("RetryPolicy/shop/p%d", i)
			return c
		},
	}
	for name, shape := range shapes {
		for _, w := range report.Plan.Writers {
			t.Run(name+"/"+w.Format, func(t *testing.T) {
				var before float64
				for _, n := range []int{1000, 2000, 4000} {
					changes := make([]plan.Change, n)
					for i := range changes {
						changes[i] = shape(i)
					}
					p := withChanges(changes...)
					var err error
					after := allocated(func() { err = w.Write(io.Discard, p, outline.Style{}) })
					if err != nil {
						t.Fatal(err)
					}
					if before > 0 && after > 3*before { // a little more where the next step of the ladder of comments is tried
						t.Errorf("%d changes: %.0f bytes after %.0f for %d", n, after, before, n/2)
					}
					before = after
				}
			})
		}
	}
}

// editedRoute is a change of the i-th route's timeout.
func editedRoute(i, seconds int) plan.Change {
	return plan.Change{
		Kind: plan.FieldChange, Targets: routeTargets("shop", fmt.Sprintf("r%d", i)),
		Causes: []plan.Cause{{File: "routes.yaml", Line: 10 * i, Column: 1, Side: "head", Object: fmt.Sprintf("HTTPRoute/shop/r%d", i)}},
		Fields: []plan.Field{{Path: "/timeouts/request", Action: plan.FieldChanged, Before: "10s", After: fmt.Sprintf("%ds", seconds)}},
	}
}

func allocated(call func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
