package hierarchy_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

const pay = "{apiVersion: v1, kind: Service, metadata: {name: pay, namespace: shop}, spec: {ports: [{name: web, port: 80}]}}"

func grant(namespace, from, to string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: {name: allow, namespace: " + namespace +
		"}, spec: {from: [" + from + "], to: [" + to + "]}}"
}

const (
	fromHTTP  = "{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: ns}"
	toService = "{group: '', kind: Service}"
)

// A grant lives in the target's namespace and needs a matching from and a
// matching to; entries are alternatives.
func TestReferenceGrants(t *testing.T) {
	for name, tt := range map[string]struct {
		grant string
		want  string
	}{
		"no grant":                {"", "false RefNotPermitted"},
		"the kind":                {grant("shop", fromHTTP, toService), "true"},
		"the name":                {grant("shop", fromHTTP, "{group: '', kind: Service, name: pay}"), "true"},
		"one of several":          {grant("shop", "{group: g, kind: K, namespace: n}, "+fromHTTP, "{group: '', kind: Secret}, "+toService), "true"},
		"another name":            {grant("shop", fromHTTP, "{group: '', kind: Service, name: other}"), "false RefNotPermitted"},
		"another kind":            {grant("shop", fromHTTP, "{group: '', kind: Secret}"), "false RefNotPermitted"},
		"another group":           {grant("shop", fromHTTP, "{group: acme.io, kind: Service}"), "false RefNotPermitted"},
		"from another namespace":  {grant("shop", strings.Replace(fromHTTP, "ns}", "other}", 1), toService), "false RefNotPermitted"},
		"from another kind":       {grant("shop", strings.Replace(fromHTTP, "HTTPRoute", "GRPCRoute", 1), toService), "false RefNotPermitted"},
		"from any namespace":      {grant("shop", strings.Replace(fromHTTP, "ns}", "'*'}", 1), toService), "false RefNotPermitted"},
		"in the route's own":      {grant("ns", fromHTTP, toService), "false RefNotPermitted"},
		"from and to apart":       {grant("shop", fromHTTP, "{group: '', kind: Secret}") + "\n---\n" + strings.Replace(grant("shop", "{group: g, kind: K, namespace: ns}", toService), "allow", "second", 1), "false RefNotPermitted"},
		"two grants, one matches": {grant("shop", fromHTTP, "{group: '', kind: Secret}") + "\n---\n" + strings.Replace(grant("shop", fromHTTP, toService), "allow", "second", 1), "true"},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, inventory.Options{}, pay, tt.grant, gateway("g", http),
				route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{name: a, backendRefs: [{name: pay, namespace: shop, port: 80}]}]"))
			wantEdges(t, g, "Service/shop/pay", "HTTPRoute/ns/r#a "+tt.want)
			wantEdges(t, g, "Service/shop/pay#web", "HTTPRoute/ns/r#a "+tt.want)
		})
	}
}

// What is not in the input is unknown; under --complete it does not exist, and
// a missing grant comes before a missing object.
func TestMissingBackends(t *testing.T) {
	same := "parentRefs: [{name: g}], rules: [{name: a, backendRefs: [{name: pay, port: 80}]}]"
	cross := strings.Replace(same, "pay,", "pay, namespace: shop,", 1)
	release := "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: charts, namespace: %}}"
	for name, tt := range map[string]struct {
		spec, more string
		complete   bool
		want       string
	}{
		"same namespace":            {same, "", false, "true"},
		"same namespace, complete":  {same, "", true, "false BackendNotFound"},
		"same, from a chart":        {same, strings.Replace(release, "%", "ns", 1), true, "true"},
		"other namespace":           {cross, "", false, "unknown RefNotPermitted"},
		"other namespace, complete": {cross, "", true, "false RefNotPermitted"},
		"other, granted":            {cross, grant("shop", fromHTTP, toService), false, "true"},
		"other, granted, complete":  {cross, grant("shop", fromHTTP, toService), true, "false BackendNotFound"},
		"other, from a chart":       {cross, strings.Replace(release, "%", "shop", 1), true, "unknown RefNotPermitted"},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, inventory.Options{Complete: tt.complete}, gateway("g", http), tt.more, route("HTTPRoute", "ns", "r", tt.spec))
			service := "Service/ns/pay"
			if tt.spec == cross {
				service = "Service/shop/pay"
			}
			wantEdges(t, g, service, "HTTPRoute/ns/r#a "+tt.want)
		})
	}
}

// Backends of other kinds are backends, too; ports go by name, else number.
func TestBackendNodes(t *testing.T) {
	g := graph(t, inventory.Options{}, pay, gateway("g", http), route("HTTPRoute", "shop", "r", `rules: [
  {name: a, backendRefs: [{name: pay, port: 80}, {name: pay, port: 81}, {name: pay, port: 80, weight: 5}]},
  {name: b, backendRefs: [{group: multicluster.x-k8s.io, kind: ServiceImport, name: far, port: 80}]}]`))
	wantEdges(t, g, "Service/shop/pay", "HTTPRoute/shop/r#a true")
	wantEdges(t, g, "Service/shop/pay#web", "HTTPRoute/shop/r#a true")
	wantEdges(t, g, "Service/shop/pay#81", "HTTPRoute/shop/r#a true")
	wantEdges(t, g, "ServiceImport.multicluster.x-k8s.io/shop/far", "HTTPRoute/shop/r#b true")
}

// Mesh: the parent is a Service, with its port's name or number; allowedRoutes
// and grants do not apply there (GEP-1294).
func TestMeshRoutes(t *testing.T) {
	parent := "parentRefs: [{group: '', kind: Service, name: pay, namespace: shop"
	rules := "}], rules: [{name: a, backendRefs: [{name: v2, namespace: far, port: 80}]}]"
	for ref, want := range map[string]string{
		"": "Service/shop/pay true", ", port: 80": "Service/shop/pay#web true", ", sectionName: web": "Service/shop/pay#web true",
	} {
		g := graph(t, inventory.Options{Complete: true}, pay, route("HTTPRoute", "ns", "r", parent+ref+rules),
			strings.NewReplacer("pay", "v2", "shop", "far").Replace(pay))
		wantEdges(t, g, "HTTPRoute/ns/r", want)
		wantEdges(t, g, "Service/far/v2", "HTTPRoute/ns/r#a true")
	}
	// Bound to a Gateway as well, the route needs the grant.
	g := graph(t, inventory.Options{}, pay, gateway("g", http), strings.NewReplacer("pay", "v2", "shop", "far").Replace(pay),
		route("HTTPRoute", "ns", "r", parent+"}, {name: g"+rules))
	wantEdges(t, g, "Service/far/v2", "HTTPRoute/ns/r#a false RefNotPermitted")
}
