package policy_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Policies of one target that set different units are all kept; one that sets a
// unit again is rejected (union-or-reject).
func TestUnionOrReject(t *testing.T) {
	entry, err := builtin(t).Entry(map[string]any{
		"group": "acme.io", "kind": "AcmePolicy", "profile": "gep",
		"merge": map[string]any{
			"levels": map[string]any{"algorithm": "units"}, "same": map[string]any{"algorithm": "union-or-reject"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	gateway := "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {}}"
	ref := "targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}, "
	for second, rejected := range map[string]bool{"y: 2": false, "x: 2": true} {
		first, other := acme(ref+"x: 1"), acme(ref+second)
		env := &loader.Environment{Objects: slices.Concat(objects(t, gateway), objects(t, first), rename(objects(t, other), "z-later"))}
		a := policy.Attach(env, hierarchy.Build(env, inventory.Options{}), catalogue.NewTable(builtin(t), []catalogue.Entry{entry}, env.Objects), age.Ages{})
		lost := false
		for _, p := range a.Policies {
			for _, r := range p.References {
				lost = lost || r.Reason == policy.Conflicted && p.ID().Name == "z-later"
			}
		}
		if lost != rejected {
			t.Errorf("x: 1 beside %s: rejected is %v, want %v", second, lost, rejected)
		}
	}
}

func rename(objects []*loader.Object, name string) []*loader.Object {
	for _, o := range objects {
		o.ID.Name = name
	}
	return objects
}

// What stands beside the bodies of the older dialect would be lost in silence.
func TestOlderDialectTakesNoBareFields(t *testing.T) {
	ref := "targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}, "
	for body, invalid := range map[string]bool{
		"default: {x: 1}, override: {z: 1}":             false,
		"default: {x: 1}, override: {z: 1}, timeout: 3": true,
	} {
		env := &loader.Environment{Objects: objects(t, acme(ref+body))}
		a := policy.Attach(env, hierarchy.Build(env, inventory.Options{}), catalogue.NewTable(builtin(t), nil, env.Objects), age.Ages{})
		if got := a.Policies[0].Invalid != ""; got != invalid {
			t.Errorf("%s: invalid is %v, want %v", body, got, invalid)
		}
	}
}
