package main

import (
	"encoding/json"
	"testing"

	"github.com/gwplan/gwplan/internal/differential/world"
)

func statuses(t *testing.T, text string) []written {
	t.Helper()
	var out []written
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func all(written) bool { return false }

const accepted = `[{"kind":"HTTPRoute","metadata":{"namespace":"shop","name":"cart"},"status":{"parents":[
	{"controllerName":"a/b","parentRef":{"name":"gw"},"conditions":[{"type":"Accepted","status":"True","reason":"Accepted"}]}]}}]`

func TestCompare(t *testing.T) {
	var j judge
	rejected := `[{"kind":"HTTPRoute","metadata":{"namespace":"shop","name":"cart"},"status":{"parents":[
		{"controllerName":"a/b","parentRef":{"kind":"Gateway","namespace":"shop","name":"gw"},"conditions":[{"type":"Accepted","status":"False","reason":"NotAllowedByListeners"}]}]}}]`
	want, got := j.rows(statuses(t, rejected), all), j.rows(statuses(t, accepted), all)
	place := "HTTPRoute/shop/cart parentRef Gateway/shop/gw"
	if !want[place].telling() || got[place].telling() {
		t.Error("what is rejected tells, what is accepted does not")
	}
	found := compare(want, got)
	if len(found) != 1 || found[0] != (disagreement{place, "Accepted", "False/NotAllowedByListeners", "True/Accepted"}) {
		t.Errorf("got %+v", found)
	}
	if kind := found[0].kind(); kind != "HTTPRoute parentRef Accepted: want False/NotAllowedByListeners, got True/Accepted" {
		t.Errorf("kind %q", kind)
	}
	if found := compare(want, nil); len(found) != 1 || found[0].got != "none" {
		t.Errorf("a status that is missing: %+v", found)
	}
	if found := compare(want, want); found != nil {
		t.Errorf("equal statuses differ: %+v", found)
	}
}

// What depends on the infrastructure, says nothing, or has another author is no part of a row.
func TestRowsLeaveOut(t *testing.T) {
	j := judge{unjudged: []string{"Own"}, untold: []string{"Backend"}}
	rows := j.rows(statuses(t, `[
		{"kind":"Gateway","metadata":{"namespace":"infra","name":"gw"},"status":{"conditions":[
			{"type":"Programmed","status":"False","reason":"Pending"},{"type":"Own","status":"True","reason":"Own"},
			{"type":"Conflicted","status":"False","reason":"NoConflicts"},{"type":"Accepted","status":"Unknown","reason":"Pending"}]}},
		{"kind":"Backend","metadata":{"namespace":"infra","name":"be"},"status":{"conditions":[{"type":"Accepted","status":"True","reason":"Accepted"}]}},
		{"kind":"HTTPRoute","metadata":{"namespace":"shop","name":"r"},"status":{"parents":[{"controllerName":"example.com/other","parentRef":{"name":"gw"}}]}}]`), all)
	if len(rows) != 0 {
		t.Errorf("got %v", rows)
	}
}

// Objects of another controller, and those that are not of the world, are not compared.
func TestOthers(t *testing.T) {
	object := func(text string) world.Object {
		var o world.Object
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	skip := judge{}.others([]world.Object{
		object(`{"kind":"GatewayClass","metadata":{"name":"theirs"},"spec":{"controllerName":"example.com/other"}}`),
		object(`{"kind":"Gateway","metadata":{"namespace":"infra","name":"theirs"},"spec":{"gatewayClassName":"theirs"}}`),
		object(`{"kind":"Gateway","metadata":{"namespace":"infra","name":"ours"},"spec":{"gatewayClassName":"eg"}}`),
		object(`{"kind":"ListenerSet","metadata":{"namespace":"shop","name":"set"},"spec":{"parentRef":{"name":"theirs","namespace":"infra"}}}`),
	})
	for name, want := range map[[3]string]bool{
		{"Gateway", "infra", "theirs"}: true, {"Gateway", "infra", "ours"}: false, {"ListenerSet", "shop", "set"}: true,
		{"GatewayClass", "", "made"}: true, {"GatewayClass", "", "theirs"}: true,
	} {
		w := written{Kind: name[0]}
		w.Metadata.Namespace, w.Metadata.Name = name[1], name[2]
		if skip(w) != want {
			t.Errorf("%v: skipped is %t", name, !want)
		}
	}
}
