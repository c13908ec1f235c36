package effective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

const twoServices = `
{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {ports: [{port: 80}]}}
`

// onServices writes a policy on Services, which is as old as its name is early.
func onServices(name, targets, spec string) string {
	var refs []string
	for target := range strings.FieldsSeq(targets) {
		refs = append(refs, "{group: '', kind: Service, name: "+target+"}")
	}
	created := fmt.Sprintf("2025-01-0%dT00:00:00Z", name[0]-'p'+1)
	return dated(own("ns", name, "targetRefs: ["+strings.Join(refs, ", ")+"], "+spec), created)
}

// Who loses at one target is rejected for all of them, and then beats nobody
// (NGINX Gateway Fabric, policies.go).
func TestRejectedAsAWhole(t *testing.T) {
	const kinds = `
- {profile: ngf-direct, group: acme.io, kind: AcmePolicy, levels: [Backend], effective: [Backend], target: {allowed: ["core/Service"]}, merge: {units: [x, z]}}
`
	s := stage(t, kinds, twoServices, onServices("p", "a", "x: 1"), onServices("q", "a b", "x: 2, z: 2"), onServices("r", "b", "x: 3"), onServices("s", "a", "z: 4"))
	s.check(
		expect{name: "a", got: s.spec("AcmePolicy", "a"), want: `{"x":1,"z":4}`},
		expect{name: "b", got: s.spec("AcmePolicy", "b"), want: `{"x":3}`},
		expect{name: "the loser", got: s.verdict("AcmePolicy", "q").Reason, want: "Conflicted"},
		expect{name: "at its other target", got: s.verdict("AcmePolicy", "q").Targets[1].Reason, want: "Conflicted"},
	)
}

// Rules add up at one level, and are one value between levels (NGINX, limit_req).
func TestRulesAddUpAtOneLevel(t *testing.T) {
	rate := func(target string, rates ...string) string {
		return own("ns", strings.ToLower(target[:1])+rates[0], "targetRefs: [{group: gateway.networking.k8s.io, kind: "+strings.Replace(target, " ", ", name: ", 1)+
			"}], rateLimit: {local: {rules: [{rate: "+rates[0]+"}]}}")
	}
	ngf := func(text string) string {
		return strings.NewReplacer("acme.io/v1,", "gateway.nginx.org/v1alpha1,", "AcmePolicy", "RateLimitPolicy").Replace(text)
	}
	s := stage(t, "", one, ngf(rate("Gateway g", "1r")), ngf(rate("HTTPRoute r", "2r")), ngf(rate("HTTPRoute r", "3r")))
	s.check(expect{name: "the route's two, not the Gateway's", got: s.spec("RateLimitPolicy", "g > r#only"), want: `{"rateLimit":{"local":{"rules":[{"rate":"2r"},{"rate":"3r"}]}}}`})
}

// A route policy is out of force while a route that it does not target has a path
// of it, whatever its type and method (NGINX Gateway Fabric, policies.go).
func TestSharedPaths(t *testing.T) {
	route := func(name, hosts, match string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: " + name + "}, spec: {hostnames: [" + hosts + "], parentRefs: [{name: g}], rules: [{name: only, matches: [" + match + "]}]}}"
	}
	const gateway = `{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}`
	tea := route("r", "a.example", "{path: {value: /tea}}")
	policy := func(targets ...string) string {
		var refs []string
		for _, name := range targets {
			refs = append(refs, "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: "+name+"}")
		}
		return strings.NewReplacer("acme.io/v1,", "gateway.nginx.org/v1alpha1,", "AcmePolicy", "ProxySettingsPolicy").Replace(own("ns", "p", "targetRefs: ["+strings.Join(refs, ", ")+"], timeout: {read: 5s}"))
	}
	for name, tt := range map[string]struct{ other, policy, reason string }{
		"the same path":                {route("s", "a.example", "{path: {value: /tea}}"), policy("r"), "TargetConflict"},
		"another type, another method": {route("s", "a.example", "{path: {type: Exact, value: /tea}, method: POST}"), policy("r"), "TargetConflict"},
		"both are targeted":            {route("s", "a.example", "{path: {value: /tea}}"), policy("r", "s"), "Accepted"},
		"another hostname":             {route("s", "b.example", "{path: {value: /tea}}"), policy("r"), "Accepted"},
		"one of several hostnames":     {route("s", "b.example, a.example", "{path: {value: /tea}}"), policy("r"), "TargetConflict"},
		"a path below":                 {route("s", "a.example", "{path: {value: /tea/green}}"), policy("r"), "Accepted"},
		"no path at all is the root":   {route("s", "a.example", "{method: GET}"), policy("r"), "Accepted"},
	} {
		s := stage(t, "", gateway, tea, tt.other, tt.policy)
		s.check(expect{name: name, got: s.verdict("ProxySettingsPolicy", "p").Reason, want: tt.reason})
	}
}

// The very same time is no conflict for kinds whose order has no name, a missing
// time is one that depends on age (Kuadrant, dnspolicies_validator.go).
func TestStrictlyOlder(t *testing.T) {
	dns := func(name string) string {
		return strings.NewReplacer("acme.io/v1,", "kuadrant.io/v1,", "AcmePolicy", "DNSPolicy").Replace(own("ns", name, "targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}, name: "+name))
	}
	s := stage(t, "", one, dated(dns("a"), early), dated(dns("b"), early))
	s.check(expect{name: "of one time", got: s.verdict("DNSPolicy", "b").Reason, want: "Accepted"})
	s = stage(t, "", one, dated(dns("a"), early), dated(dns("b"), late))
	s.check(expect{name: "of two times", got: s.verdict("DNSPolicy", "b").Reason, want: "Conflicted"})
	s = stage(t, "", one, dns("a"), dns("b"))
	v := s.verdict("DNSPolicy", "b")
	s.check(expect{name: "of no time", got: fmt.Sprint(v.Reason, v.AgeSensitive), want: "Conflictedtrue"})
}

// Where nobody says who wins, nobody is rejected, and the result is unsure.
func TestUndefinedTie(t *testing.T) {
	const kinds = `
- {profile: gwapi-direct, group: acme.io, kind: AcmePolicy, levels: [Backend], effective: [Backend],
   target: {refs: [{path: targetRefs, form: list}]}, merge: {same: {algorithm: none, tie: undefined}}}
`
	s := stage(t, kinds, twoServices, onServices("p", "a", "x: 1"), onServices("q", "a", "x: 2"), onServices("r", "b", "x: 1"), onServices("s", "b", "x: 1"))
	for service, unsure := range map[string]bool{"a": true, "b": false} {
		p := s.policy("AcmePolicy", service)
		s.check(
			expect{name: service + ", unsure", got: fmt.Sprint(p.AgeSensitive), want: fmt.Sprint(unsure)},
			expect{name: service + ", who is there", got: fmt.Sprint(len(p.Shares)), want: "2"},
		)
	}
	s.check(expect{name: "the second", got: s.verdict("AcmePolicy", "q").Reason, want: "Accepted"})
}

// A policy whose own backend cannot be used is rejected and stays: nothing takes
// its place (Envoy Gateway, securitypolicy.go).
func TestBrokenBackend(t *testing.T) {
	security := func(name, target, backend string) string {
		return strings.NewReplacer("acme.io/v1,", "gateway.envoyproxy.io/v1alpha1,", "AcmePolicy", "SecurityPolicy").Replace(
			acme(name, target, "extAuth: {http: {backendRefs: [{name: "+backend+", port: 80}]}}"))
	}
	s := stage(t, "", one, security("gateway", "Gateway g", "b"), security("route", "HTTPRoute r", "b"))
	s.check(expect{name: "its backend is there", got: s.verdict("SecurityPolicy", "route").Reason, want: "Accepted"})
	s = stage(t, "", one, security("gateway", "Gateway g", "b"), security("route", "HTTPRoute r", "nowhere"))
	s.check(expect{name: "it may live elsewhere", got: s.verdict("SecurityPolicy", "route").Reason, want: "Accepted"})
	s = stageWith(t, inventory.Options{Complete: true}, "", one, security("gateway", "Gateway g", "b"), security("route", "HTTPRoute r", "nowhere"))
	v := s.verdict("SecurityPolicy", "route")
	s.check(
		expect{name: "it does not exist", got: v.Accepted + " " + v.Reason, want: "false Invalid"},
		expect{name: "what stands at the rule", got: s.spec("SecurityPolicy", "g > r#only"), want: `{"extAuth":{"http":{"backendRefs":[{"name":"nowhere","port":80}]}}}`},
	)
}

// The rules without a name count from 1, and a name that is there comes first
// (Kuadrant policy-machinery, gateway_api_topology.go).
func TestUnnamedRules(t *testing.T) {
	const routes = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [{name: rule-2}, {}, {}]}}
`
	limit := func(section string) string {
		return strings.NewReplacer("acme.io/v1,", "kuadrant.io/v1,", "AcmePolicy", "RateLimitPolicy").Replace(
			acme("p", "HTTPRoute r, sectionName: "+section, "limits: {all: {rates: [{limit: 1, window: 1s}]}}"))
	}
	for section, want := range map[string]string{"rule-2": "[r#rule-2]", "rule-3": "[r#rule[2]]", "rule-1": "[]", "rule-4": "[]"} {
		s := stage(t, "", routes, limit(section))
		var got []string
		for _, rule := range []string{"r#rule-2", "r#rule[1]", "r#rule[2]"} {
			if len(s.affecting("RateLimitPolicy", rule)) > 0 {
				got = append(got, rule)
			}
		}
		s.check(expect{name: section, got: fmt.Sprint(got), want: want})
	}
}
