package outline

import (
	"fmt"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// TestWorseRequestsTakeTurns: what is no longer answered stands among the first lines, however much is less protected.
func TestWorseRequestsTakeTurns(t *testing.T) {
	env := plan.Environment{Name: "prod"}
	add := func(class plan.RequestClass, n int) {
		for i := range n {
			env.Requests = append(env.Requests, plan.RequestChange{Class: class, Requests: []string{fmt.Sprintf("%s-%d", class, i)}})
		}
	}
	add(plan.RequestsGained, 1)
	add(plan.RequestsLost, 4)
	add(plan.RequestsExposed, 5)
	var got []string
	for _, r := range Requests(&plan.Plan{Environments: []plan.Environment{env}}) {
		got = append(got, r.Requests[0])
	}
	want := "[exposed-0 exposed-1 exposed-2 lost-0 lost-1 lost-2 exposed-3 exposed-4 lost-3 gained-0]"
	if fmt.Sprint(got) != want {
		t.Errorf("order of requests:\n got %v\nwant %s", got, want)
	}
}

// TestRequestsNameGateways: classes of the same requests at two Gateways name them, others do not.
func TestRequestsNameGateways(t *testing.T) {
	lost := func(gateway, requests string) plan.RequestChange {
		return plan.RequestChange{
			Class: plan.RequestsLost, Certain: true, Count: 1, Requests: []string{requests},
			Before: &plan.RequestRule{Gateway: "Gateway/infra/" + gateway, Rule: "HTTPRoute/shop/" + gateway + "#rule[0]"},
		}
	}
	var got []string
	for _, r := range Requests(&plan.Plan{Environments: []plan.Environment{{
		Name: "prod", Requests: []plan.RequestChange{lost("inner", "any host/a/*"), lost("outer", "any host/a/*"), lost("outer", "any host/b/*")},
	}}}) {
		got = append(got, r.Set(1))
	}
	want := "[any host/a/* at Gateway infra/inner any host/a/* at Gateway infra/outer any host/b/*]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %v\nwant %s", got, want)
	}
}
