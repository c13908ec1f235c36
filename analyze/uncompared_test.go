package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// A change of more requests than are compared makes the plan incomplete, and says from which one on.
func TestTooManyRequestsAreAProblem(t *testing.T) {
	routes := func(version string) []file {
		out := []file{{name: "gateway.yaml", text: "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\n" +
			"spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}\n"}}
		for r := range 26 {
			var matches []string
			for m := range 128 {
				matches = append(matches, fmt.Sprintf("{headers: [{name: x, value: %s-%d-%d}]}", version, r, m))
			}
			out = append(out, file{name: fmt.Sprintf("r%d.yaml", r), text: fmt.Sprintf("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"+
				"metadata: {name: r%d, namespace: ns}\nspec: {parentRefs: [{name: g}], rules: [{matches: [%s]}]}\n", r, strings.Join(matches, ", "))})
		}
		return out
	}
	p := analyze.Compare(snapshot(".", routes("1")...), snapshot(".", routes("2")...), options(t, testKinds))
	if len(p.Problems) != 1 || p.Problems[0].Code != "limit-requests" || p.Problems[0].File == "" || !p.Incomplete || p.Summary.Problems != 1 {
		t.Errorf("incomplete: %t, problems: %s", p.Incomplete, jsonText(p.Problems))
	}
}

// Network policies that a run cannot afford make the plan incomplete, and say nothing about connections.
func TestUnaffordableNetworkPoliciesAreAProblem(t *testing.T) {
	world := func(port string) *loader.Snapshot {
		s := snapshot(".", file{name: "all.yaml", text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: ns}\nspec: {template: {metadata: {labels: {a: b}}}}\n" +
			"---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p, namespace: ns}\nspec: {podSelector: {}, ingress: [{ports: [{port: " + port + "}]}]}\n"})
		env := s.Environments[0]
		env.Objects, env.Workloads = nil, env.Objects
		return s
	}
	o := options(t, testKinds)
	if p := analyze.Compare(world("80"), world("81"), o); len(p.Environments[0].Connections) == 0 {
		t.Fatalf("the change changes no connection: %s", jsonText(p))
	}
	o.Parts = &afford.Parts{Begin: func(name string) (func(), string) {
		if strings.HasPrefix(name, "the comparison of connections") {
			return nil, "it alone takes too much"
		}
		return func() {}, ""
	}}
	p := analyze.Compare(world("80"), world("81"), o)
	if len(p.Problems) != 1 || p.Problems[0].Code != loader.LimitRun || !p.Incomplete || len(p.Environments[0].Connections) > 0 {
		t.Errorf("incomplete: %t, problems: %s", p.Incomplete, jsonText(p.Problems))
	}
	const want = "effect not known: NetworkPolicy ns/p changes, and its connections are too many to compare"
	if !strings.Contains(p.Summary.Headline, want) || len(p.Unseen) != 1 || !p.Unseen[0].Unknown() {
		t.Errorf("the headline is %q, unseen: %s", p.Summary.Headline, jsonText(p.Unseen))
	}
}

// A rule that is left out in one revision has no findings in the other: whether they are new or fixed is not known.
func TestRuleThatOneRevisionCannotAfford(t *testing.T) {
	world := func() *loader.Snapshot {
		return snapshot(".", file{name: "all.yaml", text: "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\n" +
			"spec: {gatewayClassName: none, listeners: [{name: a, port: 80, protocol: HTTP}]}\n---\n" +
			"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, namespace: ns}\nspec: {parentRefs: [{name: nowhere}]}\n"})
	}
	head := world()
	head.Environments[0].Objects = append(head.Environments[0].Objects, snapshot(".", file{
		name: "new.yaml", text: "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: ns}\nspec: {ports: [{port: 80}]}\n",
	}).Environments[0].Objects...)
	o := options(t, testKinds)
	o.Complete = true
	found := func(refused int) []plan.Finding {
		asked := 0
		o.Parts = &afford.Parts{Begin: func(name string) (func(), string) {
			if strings.HasPrefix(name, "the rule parent-not-found ") {
				if asked++; asked == refused {
					return nil, "too late"
				}
			}
			return func() {}, ""
		}}
		return slices.DeleteFunc(analyze.Compare(world(), head, o).Environments[0].Findings, func(f plan.Finding) bool { return f.Rule != "parent-not-found" })
	}
	if got := found(0); len(got) != 1 || got[0].State != plan.Unchanged {
		t.Fatalf("with all rules: %s", jsonText(got))
	}
	for refused := 1; refused <= 2; refused++ {
		if got := found(refused); len(got) > 0 {
			t.Errorf("call %d refused: %s", refused, jsonText(got))
		}
	}
}

// Of a rule that finds more than anybody reads some findings are told, and the others counted. Those that are not told are neither new
// nor fixed.
func TestTooManyFindings(t *testing.T) {
	world := func(from, to int) *loader.Snapshot {
		text := "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\nspec: {gatewayClassName: none, listeners: [{name: a, port: 80, protocol: HTTP}]}\n"
		for i := from; i < to; i++ {
			text += fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: ns}\nspec: {parentRefs: [{name: nowhere}]}\n", i)
		}
		return snapshot(".", file{name: "all.yaml", text: text})
	}
	for _, tt := range []struct {
		base, head      [2]int
		told, new, left int
	}{
		{[2]int{0, 10_000}, [2]int{0, 10_051}, 10_000, 51, 10_051},
		{[2]int{0, 10_051}, [2]int{0, 1}, 0, 0, 10_051},
	} {
		o := options(t, testKinds)
		o.Complete, o.Parts = true, &afford.Parts{}
		p := analyze.Compare(world(tt.base[0], tt.base[1]), world(tt.head[0], tt.head[1]), o)
		told, states := 0, map[string]int{}
		for _, f := range p.Environments[0].Findings {
			if f.Rule == "parent-not-found" {
				told++
				states[f.State]++
			}
		}
		if told != tt.told || states[plan.New] != tt.new || states[plan.Fixed] > 0 {
			t.Errorf("%v to %v: %d told, %v", tt.base, tt.head, told, states)
		}
		want := fmt.Sprintf("what the rule parent-not-found finds beyond the first 10000 was left out: it has %d findings", tt.left)
		if len(p.Problems) != 1 || p.Problems[0].Message != want || !p.Problems[0].Unaffordable() {
			t.Errorf("%v to %v: %s", tt.base, tt.head, jsonText(p.Problems))
		}
	}
}
