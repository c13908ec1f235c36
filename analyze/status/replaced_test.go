package status_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// What a policy that cannot be used is on answers 500, and is not accepted (kgateway translator/irtranslator/policy.go,
// reportRouteConfigPolicyErrors; route.go, envoyRoutes and computeVirtualHost).
func TestReportRouteConfigPolicyErrors(t *testing.T) {
	for _, tt := range []struct{ name, target, gateway, listener, route string }{
		{"none", "", "Accepted", "Accepted", "Accepted"},
		{"the Gateway", "kind: Gateway, name: g", "GatewayReplaced", "Accepted", "Accepted"},
		{"a listener", "kind: Gateway, name: g, sectionName: http", "Accepted", "ListenerReplaced", "Accepted"},
		{"the route", "kind: HTTPRoute, name: r", "Accepted", "Accepted", "RouteRuleReplaced"},
		{"a rule", "kind: HTTPRoute, name: r, sectionName: a", "Accepted", "Accepted", "RouteRuleReplaced"},
		{"another route", "kind: HTTPRoute, name: other", "Accepted", "Accepted", "Accepted"},
	} {
		text := kgatewayShop
		if tt.target != "" {
			text += `
---
apiVersion: gateway.kgateway.dev/v1alpha1
kind: TrafficPolicy
metadata: {name: p, namespace: shop}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, ` + tt.target + `}]
  extAuth: {extensionRef: {name: gone}}
`
		}
		got := statuses(t, text)
		accepted := func(conditions []plan.Condition) string {
			for _, c := range conditions {
				if c.Type == "Accepted" {
					if want := c.Reason == "Accepted"; (c.Status == "True") != want {
						t.Errorf("%s: %s is %s", tt.name, c.Reason, c.Status)
					}
					return c.Reason
				}
			}
			return ""
		}
		if reason := accepted(got["Gateway/g"].Conditions); reason != tt.gateway {
			t.Errorf("%s: the Gateway has %s", tt.name, reason)
		}
		if reason := accepted(got["Gateway/g"].Listeners[0].Conditions); reason != tt.listener {
			t.Errorf("%s: the listener has %s", tt.name, reason)
		}
		if reason := accepted(got["HTTPRoute/r"].Parents[0].Conditions); reason != tt.route {
			t.Errorf("%s: the route has %s", tt.name, reason)
		}
	}
}

// kgatewayShop is a Gateway of kgateway with one route.
const kgatewayShop = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: c}
spec: {controllerName: kgateway.dev/kgateway}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: shop}
spec:
  gatewayClassName: c
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: v1
kind: Service
metadata: {name: pay, namespace: shop}
spec: {ports: [{port: 80}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: shop}
spec:
  parentRefs: [{name: g}]
  rules: [{name: a, backendRefs: [{name: pay, port: 80}]}]
`
