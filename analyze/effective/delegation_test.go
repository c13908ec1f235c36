package effective_test

import (
	"strings"
	"testing"
)

// passingOn is a route that passes requests on to another, with the annotation of
// kgateway on both.
func passingOn(parent, child string) string {
	return strings.NewReplacer("PARENT", parent, "CHILD", child).Replace(`
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: kgateway.dev/kgateway}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: parent, annotations: {kgateway.dev/inherited-policy-priority: 'PARENT'}}, spec: {parentRefs: [{name: g}],
  rules: [{name: first, backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}]}, {name: second}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: child, annotations: {kgateway.dev/inherited-policy-priority: 'CHILD'}}, spec: {rules: [{name: first, backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: leaf}]}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: leaf}, spec: {rules: [{name: only}]}}
`)
}

// A route inherits the policies of the routes that pass requests on to it, hop by
// hop; each says of its own whether they win over what is below (kgateway,
// inherited-policy-priority). A rule's own policy beats its route's either way,
// and what another rule has does not come along.
func TestInheritanceFromRouteToRoute(t *testing.T) {
	policy := func(name, target, spec string) string {
		return strings.NewReplacer("acme.io/v1,", "gateway.kgateway.dev/v1alpha1,", "AcmePolicy", "TrafficPolicy", "targetRef: {", "targetRefs: [{", "}, SPEC", "}], "+spec).Replace(acme(name, target, "SPEC"))
	}
	const child, parent = "ShallowMergePreferChild", "ShallowMergePreferParent"
	policies := []string{
		policy("gateway", "Gateway g", "faultInjection: {a: g}, buffer: {a: g}, cors: {a: g}, csrf: {a: g}, rbac: {a: g}"),
		policy("parent", "HTTPRoute parent", "buffer: {a: parent}, cors: {a: parent}, csrf: {a: parent}"),
		policy("rule", "HTTPRoute parent, sectionName: first", "cors: {a: rule}"),
		policy("other", "HTTPRoute parent, sectionName: second", "rbac: {a: other}"),
		policy("child", "HTTPRoute child", "buffer: {a: child}, cors: {a: child}"),
		policy("leaf", "HTTPRoute leaf", "buffer: {a: leaf}, retry: {a: leaf}"),
	}
	for name, tt := range map[string]struct{ parent, child, want string }{
		"the lower wins":                    {child, child, `"buffer":{"a":"leaf"},"cors":{"a":"child"},"csrf":{"a":"parent"}`},
		"by default, too":                   {"", "nonsense", `"buffer":{"a":"leaf"},"cors":{"a":"child"},"csrf":{"a":"parent"}`},
		"the first wins over all":           {parent, child, `"buffer":{"a":"parent"},"cors":{"a":"rule"},"csrf":{"a":"parent"}`},
		"the one between over the last one": {child, parent, `"buffer":{"a":"child"},"cors":{"a":"child"},"csrf":{"a":"parent"}`},
	} {
		s := stage(t, "", append(policies, passingOn(tt.parent, tt.child))...)
		s.check(
			expect{name: name, got: s.spec("TrafficPolicy", "g > parent#first > child#first > leaf#only"), want: `{` + tt.want + `,"faultInjection":{"a":"g"},"rbac":{"a":"g"},"retry":{"a":"leaf"}}`},
			expect{name: name + ", the other rule", got: s.spec("TrafficPolicy", "g > parent#second"), want: `{"buffer":{"a":"parent"},"cors":{"a":"parent"},"csrf":{"a":"parent"},"faultInjection":{"a":"g"},"rbac":{"a":"other"}}`},
		)
	}
}

// One policy of two routes is a step of each of them: that of the route below does
// not count as the own one of the route above.
func TestInheritanceOfOnePolicyTwice(t *testing.T) {
	s := stage(t, "", passingOn("ShallowMergePreferParent", "ShallowMergePreferParent"), `
{apiVersion: gateway.kgateway.dev/v1alpha1, kind: TrafficPolicy, metadata: {name: both}, spec: {cors: {a: both}, csrf: {a: both}, targetRefs: [
  {group: gateway.networking.k8s.io, kind: HTTPRoute, name: parent}, {group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}]}}
---
{apiVersion: gateway.kgateway.dev/v1alpha1, kind: TrafficPolicy, metadata: {name: rule}, spec: {cors: {a: rule}, targetRefs: [
  {group: gateway.networking.k8s.io, kind: HTTPRoute, name: parent, sectionName: first}]}}
`)
	s.check(expect{name: "the rule above wins", got: s.spec("TrafficPolicy", "g > parent#first > child#first > leaf#only"), want: `{"cors":{"a":"rule"},"csrf":{"a":"both"}}`})
}

// Rule sets of authorisation add up over the levels; everything else is one value
// each (agentgateway, store/binds.rs).
func TestAuthorisationAccumulates(t *testing.T) {
	policy := func(name, target, spec string) string {
		return strings.NewReplacer("acme.io/v1,", "agentgateway.dev/v1alpha1,", "AcmePolicy", "AgentgatewayPolicy", "targetRef: {", "targetRefs: [{", "}, SPEC", "}], "+spec).Replace(acme(name, target, "SPEC"))
	}
	s := stage(t, "", one, policy("gateway", "Gateway g", "traffic: {authorization: {action: Deny}, retry: {attempts: 1}}"), policy("route", "HTTPRoute r", "traffic: {authorization: {action: Allow}, retry: {attempts: 2}}"))
	s.check(expect{name: "both rule sets, one retry", got: s.spec("AgentgatewayPolicy", "g > r#only"), want: `{"traffic":{"PostRouting":{"authorization":[{"action":"Allow"},{"action":"Deny"}],"retry":{"attempts":2}}}}`})
	// A field that an Override sets is locked, the others are not.
	s = stage(t, "", one, policy("gateway", "Gateway g", "strategy: {inheritance: Override}, traffic: {retry: {attempts: 1}}"), policy("route", "HTTPRoute r", "traffic: {retry: {attempts: 2}, timeouts: {request: 1s}}"))
	s.check(expect{name: "locked", got: s.spec("AgentgatewayPolicy", "g > r#only"), want: `{"traffic":{"PostRouting":{"retry":{"attempts":1},"timeouts":{"request":"1s"}}}}`})
}
