package status_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/status"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// statuses are those of the objects of some manifests, by kind and name.
func statuses(t *testing.T, text string) map[string]plan.Status {
	t.Helper()
	file := manifest.Decode([]byte(text), manifest.Options{})
	if len(file.Problems) > 0 {
		t.Fatal(file.Problems)
	}
	env := &loader.Environment{Name: "test"}
	for _, d := range file.Documents {
		env.Objects = append(env.Objects, &loader.Object{
			ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: d.Root, Files: []string{"x.yaml"},
		})
	}
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	g := hierarchy.Build(env, inventory.Options{Complete: true})
	ages := age.Ages{}
	run := effective.NewRun(env, g, policy.Attach(env, g, catalogue.NewTable(known, nil, env.Objects), ages), effective.NewStates())
	out := map[string]plan.Status{}
	for _, o := range status.Of(run) {
		out[o.Object.ID.Kind+"/"+o.Object.ID.Name] = o.Status
	}
	return out
}

const shop = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: c}
spec: {controllerName: example.com/controller}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: shop}
spec:
  gatewayClassName: c
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: ok, namespace: shop}
spec: {parentRefs: [{name: g}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: lost, namespace: shop}
spec: {parentRefs: [{name: g, sectionName: https}]}
`

// NGINX Gateway Fabric counts each backend to which a rule mirrors as a route, without rules that are left out for a filter.
func TestMirrorsCount(t *testing.T) {
	const mirror = "{type: RequestMirror, requestMirror: {backendRef: {name: near, port: 80}}}"
	for rules, want := range map[string]int{
		"[{filters: [" + mirror + ", " + mirror + "]}, {filters: [" + mirror + "]}]":                                                 3,
		"[{filters: [" + mirror + ", {type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: '/$a'}}}]}, {}]": 1,
	} {
		text := strings.ReplaceAll(strings.Replace(shop, "spec: {parentRefs: [{name: g}]}", "spec: {parentRefs: [{name: g}], rules: "+rules+"}", 1),
			"example.com/controller", "gateway.nginx.org/nginx-gateway-controller")
		if s := statuses(t, text)["Gateway/g"]; s.Listeners[0].AttachedRoutes != want {
			t.Errorf("%s: %d routes, want %d", rules, s.Listeners[0].AttachedRoutes, want)
		}
	}
}

// Routes have a status for each parent, listeners count those that they take, and a
// condition that tells of something wrong says so and where.
func TestOf(t *testing.T) {
	got := statuses(t, shop)
	if s := got["Gateway/g"]; len(s.Listeners) != 1 || s.Listeners[0].AttachedRoutes != 1 {
		t.Errorf("the Gateway has %+v", s.Listeners)
	}
	condition := func(name string) plan.Condition {
		s := got["HTTPRoute/"+name]
		if len(s.Parents) != 1 || len(s.Parents[0].Conditions) == 0 {
			t.Fatalf("HTTPRoute/%s has %+v", name, s)
		}
		return s.Parents[0].Conditions[0]
	}
	if c := condition("ok"); c.Type != "Accepted" || c.Status != "True" || c.Bad {
		t.Errorf("the route that is taken: %+v", c)
	}
	if c := condition("lost"); c.Status != "False" || c.Reason != "NoMatchingParent" || !c.Bad || c.At.Line != 22 {
		t.Errorf("the route without its listener: %+v", c)
	}
}
