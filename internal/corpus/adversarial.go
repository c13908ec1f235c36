package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Size is the number of objects of each kind in an adversarial repository. Rules is the
// number of rules per route, and also of backends per rule.
type Size struct {
	Gateways, Listeners, Routes, Services, Policies, Rules int
}

// Small is the size for tests.
func Small() Size {
	return Size{Gateways: 5, Listeners: 64, Routes: 100, Services: 20, Policies: 50, Rules: 4}
}

// Big is the size for benchmarks: some hundred million contexts, too many to enumerate.
func Big() Size {
	return Size{Gateways: 20, Listeners: 64, Routes: 500, Services: 50, Policies: 200, Rules: 16}
}

// maxParents is the API limit for the parentRefs of a route.
const maxParents = 32

// Adversarial returns a repository with as many connections as possible: every route has
// every Gateway as a parent (up to maxParents) and backends among all Services. Policies of
// one kind, alternately defaults and overrides, overlap at every level.
func Adversarial(size Size, seed int64) Files {
	f := Files{}
	f.add("class.yaml", object("gateway.networking.k8s.io/v1", "GatewayClass", "", "gc", "spec:\n  controllerName: example.com/controller\n"),
		object("v1", "Namespace", "", "ns", "  labels:\n    access: \"yes\"\n"))
	for i := range size.Gateways {
		f.add(fmt.Sprintf("gateways/gw-%d.yaml", i), size.gateway(i))
	}
	for i := range size.Services {
		name := fmt.Sprintf("s-%d", i)
		f.add("services/"+name+".yaml", object("v1", "Service", "ns", name, "spec:\n  ports:\n    - {name: http, port: 80}\n"))
	}
	for i := range size.Routes {
		f.add(fmt.Sprintf("routes/r-%d.yaml", i), size.route(i))
	}
	size.addPolicies(f, seed)
	return f
}

// gateway returns a Gateway. Each of its listeners admits all routes, by a selector.
func (s Size) gateway(i int) string {
	var listeners strings.Builder
	for l := range s.Listeners {
		fmt.Fprintf(&listeners, `    - name: l-%d
      port: %d
      protocol: HTTP
      hostname: "*.l%d.example.com"
      allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: access, operator: In, values: ["yes"]}]}}}
`, l, 8000+l, l)
	}
	return object("gateway.networking.k8s.io/v1", "Gateway", "ns", fmt.Sprintf("gw-%d", i),
		"spec:\n  gatewayClassName: gc\n  listeners:\n"+listeners.String())
}

func (s Size) route(i int) string {
	var b strings.Builder
	b.WriteString("spec:\n  parentRefs:\n")
	for g := range min(s.Gateways, maxParents) {
		fmt.Fprintf(&b, "    - {name: gw-%d}\n", g)
	}
	b.WriteString("  rules:\n")
	for rule := range s.Rules {
		fmt.Fprintf(&b, "    - name: rule-%d\n      matches: [{path: {type: PathPrefix, value: /%d}}]\n      backendRefs:\n", rule, rule)
		for backend := range s.Rules {
			fmt.Fprintf(&b, "        - {name: s-%d, port: 80}\n", (7*i+s.Rules*rule+backend)%s.Services)
		}
	}
	return route("ns", fmt.Sprintf("r-%d", i), b.String())
}

func (s Size) addPolicies(f Files, seed int64) {
	for _, target := range []struct {
		group, kind, prefix string
		count               int
	}{
		{"gateway.networking.k8s.io", "Gateway", "gw", s.Gateways},
		{"gateway.networking.k8s.io", "HTTPRoute", "r", s.Routes},
		{"", "Service", "s", s.Services},
	} {
		for i := range s.Policies {
			name := fmt.Sprintf("%s-%d", strings.ToLower(target.kind), i)
			r := random(seed, name)
			var refs strings.Builder
			for range 16 {
				fmt.Fprintf(&refs, "    - {group: %q, kind: %s, name: %s-%d}\n", target.group, target.kind, target.prefix, r.IntN(target.count))
			}
			body := []string{"defaults", "overrides"}[i%2]
			f.add("policies/"+name+".yaml", object("policies.example.com/v1", "TimeoutPolicy", "ns", name,
				fmt.Sprintf("  creationTimestamp: \"2026-01-%02dT00:00:00Z\"\nspec:\n  targetRefs:\n%s  %s:\n    strategy: merge\n%s",
					1+r.IntN(28), refs.String(), body, settings(r))))
		}
	}
}

// settings returns a request timeout and twenty random fields out of 1,200.
func settings(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    timeouts:\n      request: %ds\n", 1+r.IntN(60))
	for _, field := range r.Perm(1200)[:20] {
		fmt.Fprintf(&b, "    field%04d: %d\n", field, r.IntN(1000))
	}
	return b.String()
}
