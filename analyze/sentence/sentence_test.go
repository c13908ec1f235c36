package sentence_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/sentence"
)

const gateways = "gateway.networking.k8s.io"

func target(kind, namespace, name, section string) plan.Target {
	return plan.Target{Target: plan.TargetRef{Group: gateways, Kind: kind, Namespace: namespace, Name: name, Section: section}, Certain: true}
}

func route(name string) plan.Target { return target("HTTPRoute", "shop", name, "") }

func own(kind plan.ChangeKind, fields []plan.Field, targets ...plan.Target) plan.Change {
	return plan.Change{Kind: kind, Fields: fields, Targets: targets}
}

func changed(path string, before, after any) []plan.Field {
	return []plan.Field{{Path: path, Action: plan.FieldChanged, Before: before, After: after}}
}

func TestSentences(t *testing.T) {
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	table := catalogue.NewTable(known, nil)
	away := route("gone")
	away.NotInInput = true
	unsure := route("cart")
	unsure.Certain = false
	left := route("cart")
	left.Remains = true
	parent := []plan.Field{{Path: "/parents[Gateway/infra/public#https]", Action: plan.FieldChanged, Before: "Accepted", After: "NoMatchingParent"}}
	for _, c := range []struct {
		what    string
		in      []string
		changes map[string][]plan.Change
		want    []string
	}{
		{"one target", []string{"."}, map[string][]plan.Change{".": {own(plan.Added, nil, route("cart"))}}, []string{"HTTPRoute shop/cart is added"}},
		{
			"two targets",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.Removed, nil, route("cart"), route("pay"))}},
			[]string{"HTTPRoutes shop/cart and shop/pay are removed"},
		},
		{
			"more targets of one namespace",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.Added, nil, route("a"), route("b"), route("c"))}},
			[]string{"3 HTTPRoutes of shop are added"},
		},
		{
			"targets of two kinds and namespaces",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.Added, nil, route("a"), target("GRPCRoute", "pay", "b", ""))}},
			[]string{"1 GRPCRoute and 1 HTTPRoute are added"},
		},
		{
			"a listener",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.Added, nil, target("Gateway", "infra", "public", "https"))}},
			[]string{"Listener https of Gateway infra/public is added"},
		},
		{
			"environments by short names",
			[]string{"overlays/prod", "overlays/staging"},
			map[string][]plan.Change{"overlays/prod": {own(plan.Added, nil, route("cart"))}, "overlays/staging": {own(plan.Added, nil, route("cart"))}},
			[]string{"HTTPRoute shop/cart is added (prod, staging)"},
		},
		{
			"environments that share the end of their names",
			[]string{"a/prod", "b/prod"},
			map[string][]plan.Change{"a/prod": {own(plan.Added, nil, route("cart"))}},
			[]string{"HTTPRoute shop/cart is added (a)"},
		},
		{
			"many environments",
			[]string{"1", "2", "3", "4"},
			map[string][]plan.Change{"1": {own(plan.Added, nil, route("cart"))}, "2": {own(plan.Added, nil, route("cart"))}, "3": {own(plan.Added, nil, route("cart"))}, "4": {own(plan.Added, nil, route("cart"))}},
			[]string{"HTTPRoute shop/cart is added (4 environments)"},
		},
		{
			"a value",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.FieldChange, changed("/timeouts/request", "5s", "10s"), route("cart"))}},
			[]string{"HTTPRoute shop/cart changes the request timeout from 5s to 10s"},
		},
		{
			"a hidden value",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.FieldChange, changed("/timeouts/request", "<redacted>", "10s"), route("cart"))}},
			[]string{"HTTPRoute shop/cart changes the request timeout"},
		},
		{
			"targets with values of their own",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.FieldChange, changed("/timeouts/request", "5s", "10s"), route("cart")), own(plan.FieldChange, changed("/timeouts/request", "1s", "2s"), route("pay"))}},
			[]string{"HTTPRoutes shop/cart and shop/pay change the request timeout"},
		},
		{
			"an item that joins a list changes the list",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.FieldChange, []plan.Field{{Path: "/backendRefs[Service/shop/b]", Action: plan.FieldAdded, After: "x"}}, route("cart"), route("pay"))}},
			[]string{"HTTPRoutes shop/cart and shop/pay change their backends"},
		},
		{"a detached route", []string{"."}, map[string][]plan.Change{".": {own(plan.Detached, parent, route("cart"))}}, []string{"HTTPRoute shop/cart is detached from Gateway infra/public"}},
		{"a route that keeps a listener", []string{"."}, map[string][]plan.Change{".": {own(plan.Detached, parent, left)}}, []string{"HTTPRoute shop/cart leaves listener https of Gateway infra/public"}},
		{"a condition", []string{"."}, map[string][]plan.Change{".": {own(plan.VerdictChange, parent, route("cart"))}}, []string{"HTTPRoute shop/cart changes from Accepted to NoMatchingParent"}},
		{"an uncertain change", []string{"."}, map[string][]plan.Change{".": {own(plan.Removed, nil, unsure)}}, []string{"HTTPRoute shop/cart may be removed"}},
		{"a target that is not in the input", []string{"."}, map[string][]plan.Change{".": {own(plan.Removed, nil, away)}}, []string{"HTTPRoute shop/gone, which is not in the input, is removed"}},
		{
			"the worst first",
			[]string{"."},
			map[string][]plan.Change{".": {own(plan.Added, nil, route("new")), own(plan.Detached, parent, route("cart")), own(plan.Removed, nil, route("old"))}},
			[]string{"HTTPRoute shop/old is removed", "HTTPRoute shop/cart is detached from Gateway infra/public", "HTTPRoute shop/new is added"},
		},
	} {
		s := sentence.New(table, c.in)
		for _, environment := range c.in {
			for i := range c.changes[environment] {
				s.Add(environment, &change.Compared{Change: c.changes[environment][i]})
			}
		}
		var got []string
		for _, e := range s.List() {
			got = append(got, e.Sentence)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestUnbuiltEnvironmentsAreUncertain(t *testing.T) {
	s := sentence.New(&catalogue.Table{}, []string{"prod"})
	s.Unbuilt("prod")
	s.Add("prod", &change.Compared{Change: own(plan.Removed, nil, route("cart"))})
	if got := s.List()[0].Sentence; got != "HTTPRoute shop/cart may be removed" {
		t.Error(got)
	}
}
