package change_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

func TestBetween(t *testing.T) {
	const two = "rules: [{name: one, backendRefs: [{name: a, port: 80}]}, {name: two, backendRefs: [{name: b, port: 80}]}]"
	g := gateway("g")
	for _, c := range []struct{ name, base, head, want string }{
		{"another line", g + route(two), "# moved\n" + route(two) + g, ""},
		{
			"a default is written", g + route("rules: [{backendRefs: [{name: a, port: 80}]}]"),
			g + route("rules: [{backendRefs: [{name: a, port: 80, weight: 1}]}]"), "",
		},
		{
			"a backend that is written twice is one", g + route("rules: [{backendRefs: [{name: a, port: 80}, {name: b, port: 80}, {name: a, port: 80}]}]"),
			g + route("rules: [{backendRefs: [{name: a, port: 80, weight: 2}, {name: b, port: 80}]}]"), "",
		},
		{
			"but not where a filter of its own tells them apart",
			g + route("rules: [{backendRefs: [{name: a, port: 80}, {name: a, port: 80, filters: [{type: CORS, cors: {}}]}]}]"),
			g + route("rules: [{backendRefs: [{name: a, port: 80, weight: 3}, {name: a, port: 80, filters: [{type: CORS, cors: {}}]}]}]"), `
own field HTTPRoute/r#rule[0]
  /backendRefs[Service/ns/a:80]/weight: 50% -> 75%
  /backendRefs[Service/ns/a:80']/weight: 50% -> 25%`,
		},
		{
			"equal weights are equal shares", g + route("rules: [{backendRefs: [{name: a, port: 80}, {name: b, port: 80}]}]"),
			g + route("rules: [{backendRefs: [{name: b, port: 80, weight: 5}, {name: a, port: 80, weight: 5}]}]"), "",
		},
		{
			"another share", g + route("rules: [{name: x, backendRefs: [{name: a, port: 80}, {name: b, port: 80}]}]"),
			g + route("rules: [{name: x, backendRefs: [{name: a, port: 80, weight: 3}, {name: b, port: 80}]}]"), `
own field HTTPRoute/r#x
  /backendRefs[Service/ns/a:80]/weight: 50% -> 75%
  /backendRefs[Service/ns/b:80]/weight: 50% -> 25%`,
		},
		{
			"a rule is renamed", g + route("rules: [{name: one, backendRefs: [{name: a, port: 80}]}]"),
			g + route("rules: [{name: other, backendRefs: [{name: a, port: 80}]}]"), "",
		},
		{
			"rules change places", g + route("rules: [{timeouts: {request: 1s}}, {timeouts: {request: 2s}}]"),
			g + route("rules: [{timeouts: {request: 2s}}, {timeouts: {request: 1s}}]"), "",
		},
		{
			"a route moves", g + gateway("h") + retry("Gateway/g", "attempts: 1, only: g") + retry("Gateway/h", "attempts: 2") + route("rules: [{name: x}]"),
			g + gateway("h") + retry("Gateway/g", "attempts: 1, only: g") + retry("Gateway/h", "attempts: 2") + route("rules: [{name: x}], parentRefs: [{name: h}]"), `
own moved HTTPRoute/r
  /parentRefs[0]/name: g -> h
  /parents[Gateway/ns/g#http]: Accepted -> <nil>
  /parents[Gateway/ns/h#http]: <nil> -> Accepted
RetryPolicy field HTTPRoute/r#x
  /attempts: 1 -> 2
  /only: g -> <nil>`,
		},
		{
			"a listener goes", g + retry("Gateway/g", "attempts: 1") + route("rules: [{name: x}], parentRefs: [{name: g, sectionName: http}]"),
			g + retry("Gateway/g", "attempts: 1") + route("rules: [{name: x}], parentRefs: [{name: g, sectionName: https}]"), `
own detached HTTPRoute/r
  /parentRefs[0]/sectionName: http -> https
  /parents[Gateway/ns/g]: <nil> -> NoMatchingParent
  /parents[Gateway/ns/g#http]: Accepted -> <nil>
RetryPolicy detached HTTPRoute/r#x`,
		},
		{
			"hostnames after intersection", g + route("rules: [{name: x}], hostnames: [a.example.com]"),
			g + route("rules: [{name: x}], hostnames: [a.example.com, a.example.org, b.example.com]"), `
own field HTTPRoute/r
  /hostnames: [a.example.com] -> [a.example.com b.example.com]`,
		},
		{
			"a policy goes", g + route("rules: [{name: x}]") + retry("Gateway/g", "attempts: 1") + retry("HTTPRoute/r", "attempts: 2, only: r"),
			g + route("rules: [{name: x}]") + retry("Gateway/g", "attempts: 1"), `
RetryPolicy field HTTPRoute/r#x
  /attempts: 2 -> 1
  /only: r -> <nil>`,
		},
		{
			"the same value from another policy", g + route("rules: [{name: x}]") + retry("Gateway/g", "attempts: 1") + retry("HTTPRoute/r", "attempts: 1"),
			g + route("rules: [{name: x}]") + retry("Gateway/g", "attempts: 1"), "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, stage(t, c.base, c.head).between(change.Options{}), c.want)
		})
	}
}

// TestCauses names the edited line: in head where it is, in base where it was.
func TestCauses(t *testing.T) {
	g := gateway("g") + route("rules: [{name: x}]")
	for _, c := range []struct {
		name, base, head string
		want             plan.Cause
	}{
		{
			"edited", g + retry("Gateway/g", "attempts: 1"), g + retry("Gateway/g", "attempts: 2"),
			plan.Cause{File: "all.yaml", Line: 15, Column: 89, Side: "head", Object: "RetryPolicy.shop.example/ns/p-gateway-g"},
		},
		{
			"removed", g + retry("Gateway/g", "attempts: 1") + retry("HTTPRoute/r", "attempts: 2"), g + retry("Gateway/g", "attempts: 1"),
			plan.Cause{File: "all.yaml", Line: 17, Column: 1, Side: "base", Object: "RetryPolicy.shop.example/ns/p-httproute-r"},
		},
		{
			"added", g, g + retry("Gateway/g", "attempts: 1"),
			plan.Cause{File: "all.yaml", Line: 12, Column: 1, Side: "head", Object: "RetryPolicy.shop.example/ns/p-gateway-g"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := stage(t, c.base, c.head).between(change.Options{}).Changes
			if len(changes) != 1 || !slices.Equal(changes[0].Causes, []plan.Cause{c.want}) {
				t.Errorf("got %+v, want one change because of %+v", changes, c.want)
			}
		})
	}
}

// TestBackendGoes is a change of a rule that nobody edited: the Service that it
// refers to was removed, and that is the cause.
func TestBackendGoes(t *testing.T) {
	const service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80}]}\n"
	g := gateway("g") + route("rules: [{name: x, backendRefs: [{name: a, port: 80}]}]")
	s := stage(t, g+service, g)
	s.complete = true
	for _, c := range s.between(change.Options{}).Changes {
		if len(c.Causes) != 1 || c.Causes[0].Object != "Service/ns/a" || c.Causes[0].Side != "base" {
			t.Errorf("%s of %v is because of %+v", c.Kind, c.Fields, c.Causes)
		}
	}
}

// TestUnreadable never claims that what stands in a file that one side could
// not read came or went.
func TestUnreadable(t *testing.T) {
	g := gateway("g")
	s := stage(t, g+route("rules: [{name: x}]"), g)
	for _, unreadable := range []bool{false, true} {
		o := change.Options{}
		if unreadable {
			o.Unreadable[1] = map[string]bool{"all.yaml": true}
		}
		changes := s.between(o).Changes
		if len(changes) == 0 {
			t.Fatal("nothing changed")
		}
		for _, c := range changes {
			if c.Targets[0].Certain == unreadable {
				t.Errorf("unreadable: %t, and the change %s is certain: %t", unreadable, c.Kind, c.Targets[0].Certain)
			}
		}
	}
}

// TestOneSide is one side alone: everything came.
func TestOneSide(t *testing.T) {
	s := stage(t, "", gateway("g")+route("rules: [{name: x}]")+retry("Gateway/g", "attempts: 1"))
	d := change.Between(nil, s.run(s.head, effective.NewStates()), change.Options{})
	check(t, d, `
own added Gateway/g
own added HTTPRoute/r
  /parents[Gateway/ns/g#http]: <nil> -> Accepted
RetryPolicy added HTTPRoute/r#x
  /attempts: <nil> -> 1`)
}
