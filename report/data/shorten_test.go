package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/data"
	"github.com/gwplan/gwplan/report/outline"
)

// policies are n policies at as many routes.
func policies(n int) *plan.PolicyList {
	env := plan.PolicyEnvironment{Name: "prod"}
	for i := range n {
		p := plan.Policy{Policy: fmt.Sprintf("RetryPolicy/shop/p%d", i), Accepted: "true"}
		for j := range n {
			p.Targets = append(p.Targets, plan.TargetVerdict{Target: fmt.Sprintf("HTTPRoute/shop/r%d", j), Accepted: "true", Reason: "Accepted"})
		}
		env.Policies = append(env.Policies, p)
	}
	return &plan.PolicyList{Environments: []plan.PolicyEnvironment{env}, Notes: []string{"a note"}}
}

// A document that grows with the square of its input keeps every policy and loses targets, which are counted.
func TestShortened(t *testing.T) {
	size := func(list *plan.PolicyList, most int) int {
		var b strings.Builder
		if err := data.JSON(&b, list, outline.Style{Largest: most}); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	list := policies(200)
	whole := size(list, 0)
	for _, most := range []int{whole / 2, whole / 5, whole / 10} {
		got := data.Shortened(list, most)
		env := got.Environments[0]
		if n := len(env.Policies[0].Targets); len(env.Policies) != 200 || n >= 200 || n < 10 {
			t.Errorf("%d bytes: %d policies, %d targets", most, len(env.Policies), n)
		}
		if n := size(list, most); n > most*6/5 || n < most/2 {
			t.Errorf("%d bytes became %d", most, n)
		}
		want := fmt.Sprintf("of the 40000 items in environments[].policies[].targets, at most %d of each list are written", len(env.Policies[0].Targets))
		if len(got.Notes) != 2 || !strings.Contains(got.Notes[1], want) {
			t.Errorf("notes: %q, want %q", got.Notes, want)
		}
	}
	if len(list.Notes) != 1 || len(list.Environments[0].Policies[0].Targets) != 200 {
		t.Error("the document itself is changed")
	}
	for _, most := range []int{0, whole * 2} {
		if got := data.Shortened(list, most); got != list {
			t.Errorf("%d bytes: it is shortened", most)
		}
	}
}
