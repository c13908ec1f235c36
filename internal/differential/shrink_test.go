package main

import (
	"testing"

	"github.com/gwplan/gwplan/internal/differential/world"
)

// A world is not shrunk to one without the class of its Gateways, unless the controller brings the class.
func TestClassed(t *testing.T) {
	class := func(name, controller string) world.Object {
		return world.Object{"kind": "GatewayClass", "metadata": map[string]any{"name": name}, "spec": map[string]any{"controllerName": controller}}
	}
	ours, theirs := class("nginx", world.Nginx.Controller), class("nginx", "example.com/other")
	for _, c := range []struct {
		name    string
		dialect world.Dialect
		objects []world.Object
		want    bool
	}{
		{"the class", world.Nginx, []world.Object{ours}, true},
		{"nothing", world.Nginx, nil, false},
		{"the class of another controller", world.Nginx, []world.Object{theirs}, false},
		{"another class", world.Nginx, []world.Object{class("other", world.Nginx.Controller)}, false},
		{"a class that is built in", world.Istio, nil, world.Istio.BuiltinClasses},
	} {
		if got := (&court{judge: judge{dialect: c.dialect}}).classed(c.objects); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}
