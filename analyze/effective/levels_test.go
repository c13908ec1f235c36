package effective_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/inventory"
)

// everywhere has each level once: the Gateway in infra, the route in apps, the
// backend in shop.
const everywhere = `
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: acme.io/c}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: infra}, spec: {gatewayClassName: c,
  allowedListeners: {namespaces: {from: All}}, listeners: [{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set, namespace: sets}, spec: {parentRef: {name: g, namespace: infra},
  listeners: [{name: own, port: 81, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: apps}, spec: {
  parentRefs: [{name: g, namespace: infra}, {kind: ListenerSet, name: set, namespace: sets}],
  rules: [{name: only, backendRefs: [{name: s, namespace: shop, port: 80}]}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop}, spec: {ports: [{name: web, port: 80}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: x, namespace: shop},
 spec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: apps}], to: [{group: "", kind: Service}]}}
`

// at writes a patch of defaults in a namespace.
func at(name, namespace, target string) string {
	policy := acme(name, target, "defaults: {strategy: patch, "+name+": 1}")
	return strings.Replace(policy, "metadata: {", "metadata: {namespace: "+namespace+", ", 1)
}

func (s *scene) stack(path string) string {
	s.t.Helper()
	p := s.policy("AcmePolicy", path)
	if p == nil {
		return ""
	}
	var names []string
	for _, share := range p.Shares {
		names = append(names, share.Policy.ID().Name)
	}
	return strings.Join(names, " ")
}

// The levels from the least to the most specific; a Namespace stands right
// above each object in it.
func TestLevels(t *testing.T) {
	kinds := `[{profile: gep, group: acme.io, kind: AcmePolicy, levels: [], effective: ["Route:rule", "Backend:port"]}]`
	policies := []string{
		at("class", "infra", "GatewayClass c"), at("ns-gateway", "infra", "Namespace infra"), at("gateway", "infra", "Gateway g"),
		at("listener", "infra", "Gateway g, sectionName: http"), at("ns-set", "sets", "Namespace sets"), at("set", "sets", "ListenerSet set"),
		at("set-listener", "sets", "ListenerSet set, sectionName: own"), at("ns-route", "apps", "Namespace apps"), at("route", "apps", "HTTPRoute r"),
		at("rule", "apps", "HTTPRoute r, sectionName: only"), at("ns-backend", "shop", "Namespace shop"), at("backend", "shop", "Service s"),
		at("port", "shop", "Service s, sectionName: web"),
	}
	s := stage(t, kinds, append(policies, everywhere)...)
	const (
		gateway = "class ns-gateway gateway listener ns-route route rule"
		set     = "class ns-gateway gateway ns-set set set-listener ns-route route rule"
	)
	s.check(
		expect{name: "rule", got: s.stack("g#http > r#only"), want: gateway},
		expect{name: "rule through the ListenerSet", got: s.stack("g > set > set#own > r#only"), want: set},
		expect{name: "port", got: s.stack("g#http > r#only > s > s#web"), want: gateway + " ns-backend backend port"},
	)
	few := strings.Replace(kinds, "levels: []", `levels: [Gateway, "Namespace@Route", "Backend:port"]`, 1)
	s = stage(t, few, append(policies, everywhere)...)
	s.check(expect{name: "a kind with three levels", got: s.stack("g#http > r#only > s > s#web"), want: "gateway ns-route port"})
}

// Gateway, route and backend in one Namespace: it counts once, at its highest
// place.
func TestNamespaceCountsOnce(t *testing.T) {
	s := stage(t, strings.Replace(gepKind, "}", ", effective: [Backend]}", 1), one,
		at("namespace", "ns", "Namespace ns"), at("gateway", "ns", "Gateway g"), at("route", "ns", "HTTPRoute r"))
	s.check(expect{name: "b", got: s.stack("g > r#only > b"), want: "namespace gateway route"})
	s = stage(t, `[{profile: gep, group: acme.io, kind: AcmePolicy, levels: [Gateway, "Namespace@Route", Route]}]`, one,
		at("namespace", "ns", "Namespace ns"), at("gateway", "ns", "Gateway g"), at("route", "ns", "HTTPRoute r"))
	s.check(expect{name: "at routes alone", got: s.stack("g > r#only"), want: "gateway namespace route"})
}

// Decided by name, and the other order would give something else: it depends
// on age. Where a higher override settles it, or a time does, it does not.
func TestAgeSensitive(t *testing.T) {
	for name, tt := range map[string]struct {
		policies  []string
		sensitive bool
		by        string
	}{
		"by name":                 {[]string{acme("a", "HTTPRoute r", "x: 1"), acme("b", "HTTPRoute r", "x: 2")}, true, "name"},
		"the same content":        {[]string{acme("a", "HTTPRoute r", "x: 1"), acme("b", "HTTPRoute r", "x: 1")}, false, ""},
		"by time":                 {[]string{dated(acme("a", "HTTPRoute r", "x: 1"), early), dated(acme("b", "HTTPRoute r", "x: 2"), late)}, false, ""},
		"one time is missing":     {[]string{acme("a", "HTTPRoute r", "x: 1"), dated(acme("b", "HTTPRoute r", "x: 2"), late)}, true, "creationTimestamp"},
		"an override is above":    {[]string{acme("g", "Gateway g", "overrides: {x: 3}"), acme("a", "HTTPRoute r", "x: 1"), acme("b", "HTTPRoute r", "x: 2")}, false, ""},
		"a default is below":      {[]string{acme("a", "Gateway g", "x: 1"), acme("b", "Gateway g", "x: 2"), acme("c", "HTTPRoute r", "x: 3")}, false, ""},
		"patches of other fields": {[]string{at("a", "ns", "HTTPRoute r"), at("b", "ns", "HTTPRoute r")}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := stage(t, gepKind, append(tt.policies, one)...).policy("AcmePolicy", "g > r#only")
			if p.AgeSensitive != tt.sensitive || p.DecidedBy != tt.by {
				t.Errorf("age-sensitive %v, decided by %q, want %v by %q", p.AgeSensitive, p.DecidedBy, tt.sensitive, tt.by)
			}
		})
	}
}

// certain says of each context that ends at a target whether it is certain.
func (s *scene) certain(kind, target string) string {
	s.t.Helper()
	var out []string
	s.join.Flows(s.kind(kind), func(at *effective.Joint, flows []effective.Flow) {
		for _, f := range flows {
			if named(at.Any().String(), target) {
				out = append(out, fmt.Sprint(f.Samples[0].Context(effective.Head)[0], " ", f.Certain[effective.Head]))
			}
		}
	})
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// Contexts exist below what is not in the input, and are not certain: a policy
// that is not in the input either could be above. Under --complete they do not
// exist.
func TestCertain(t *testing.T) {
	more := strings.Replace(one, "parentRefs: [{name: g}]", "parentRefs: [{name: g}, {name: far, namespace: infra}]", 1)
	s := stage(t, gepKind, more, acme("p", "HTTPRoute r", "x: 1"))
	s.check(expect{name: "not in the input", got: s.certain("AcmePolicy", "r#only"), want: "Gateway/infra/far false, GatewayClass/c true"})
	s = stageWith(t, inventory.Options{Complete: true}, gepKind, more, acme("p", "HTTPRoute r", "x: 1"))
	s.check(expect{name: "complete", got: s.certain("AcmePolicy", "r#only"), want: "GatewayClass/c true"})
	selector := strings.NewReplacer("protocol: HTTP}", "protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}}").Replace(one)
	s = stage(t, gepKind, selector, acme("p", "HTTPRoute r", "x: 1"))
	s.check(expect{name: "labels unknown", got: s.certain("AcmePolicy", "r#only"), want: "GatewayClass/c false"})
}
