package hierarchy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// A route of kgateway or agentgateway that names another route as its parent is
// taken if a backendRef of that route means it (kgateway and agentgateway,
// route delegation).
func TestDelegation(t *testing.T) {
	const (
		kgateway     = "kgateway.dev/kgateway"
		agentgateway = "agentgateway.dev/agentgateway"
		delegate     = "{group: gateway.networking.k8s.io, kind: HTTPRoute, "
	)
	const taken, refused = "HTTPRoute/ns/parent []: Accepted, ResolvedRefs", "HTTPRoute/ns/parent []: Accepted=false/NoMatchingParent, ResolvedRefs"
	const ref = "parentRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: parent, namespace: ns}]"
	child := route("HTTPRoute", "ns", "child", ref)
	labelled := strings.Replace(route("HTTPRoute", "far", "child", ref), "metadata: {", "metadata: {labels: {delegation: 'yes'}, ", 1)
	for _, tt := range []struct{ name, backend, child, want string }{
		{"by name", delegate + "name: child}", child, taken},
		{"by another name", delegate + "name: other}", child, refused},
		{"all of a namespace", delegate + "name: '*'}", child, taken},
		{"all of the parent's own namespace alone", delegate + "name: '*'}", labelled, refused},
		{"all of another namespace", delegate + "name: '*', namespace: far}", labelled, taken},
		// Neither asks for a grant where the child names its parent.
		{"of another namespace by name", delegate + "name: child, namespace: far}", labelled, taken},
		{"by a label", delegate + "name: delegation=yes, namespace: far}", labelled, taken},
		{"by another label", delegate + "name: delegation=no, namespace: far}", labelled, refused},
		{"a Service of its name", "{name: child, port: 80}", child, refused},
	} {
		name := "HTTPRoute/ns/child"
		if tt.child == labelled {
			name = "HTTPRoute/far/child"
		}
		for _, controller := range []string{kgateway, agentgateway} {
			parent := route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+tt.backend+"]}]")
			rule{tt.name + " " + controller, under(controller), []string{gateway("g", http), parent, tt.child, plain("v1", "Service", "ns", "child")}, map[string]string{name: tt.want}}.check(t)
		}
	}
	const lost = "ResolvedRefs=false/BackendNotFound"
	for _, controller := range []string{kgateway, agentgateway} {
		ofChild, ofParent := taken, "Gateway/ns/g [http]: Accepted, ResolvedRefs"
		if controller == kgateway { // httproute/delegation.go: both are judged
			ofChild, ofParent = strings.Replace(taken, "ResolvedRefs", lost, 1), "Gateway/ns/g [http]: Accepted, "+lost
		}
		rule{"no such parent " + controller, under(controller), []string{gateway("g", http), child}, map[string]string{"HTTPRoute/ns/child": refused}}.check(t)
		// What goes wrong in the child is told where it is reached, and a delegate is no backend that could be missing.
		rule{"its references " + controller, under(controller), []string{
			gateway("g", http), route("HTTPRoute", "ns", "child", ref+", "+refs("{name: gone, port: 80}")),
			route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+delegate+"name: child}, "+delegate+"name: gone, namespace: far}]}]"),
		}, map[string]string{"HTTPRoute/ns/child": ofChild, "HTTPRoute/ns/parent": ofParent}}.check(t)
	}

	// Nothing else delegates: a route is a parent of a kind that nobody knows, and no backend.
	t.Run("the specification", func(t *testing.T) {
		g := claimed(t, closed(), gateway("g", http), child, route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+delegate+"name: child}]}]"))
		if got := g.Parents(nodeOf(t, g, "HTTPRoute/ns/child"))[0].Accepted.Status.String(); got == "true" {
			t.Errorf("the child is accepted: %s", got)
		}
	})
}

// A rule is a parent of the routes that it passes requests on to, from one to the
// next; who names a parent is passed nothing by others, and a circle is cut.
func TestDelegationEdges(t *testing.T) {
	const delegate = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}"
	g := claimed(t, under("kgateway.dev/kgateway"), gateway("g", http), route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+delegate+"]}]"),
		route("HTTPRoute", "ns", "child", "parentRefs: [{kind: HTTPRoute, name: parent}]"),
		route("HTTPRoute", "ns", "stray", "parentRefs: [{kind: HTTPRoute, name: parent}]"))
	wantEdges(t, g, "HTTPRoute/ns/child", "HTTPRoute/ns/parent#rule[0] true")
	wantEdges(t, g, "HTTPRoute/ns/stray", "HTTPRoute/ns/parent false NoMatchingParent")

	all := "rules: [{backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: '*', namespace: NS}]}]"
	to := func(namespace string) string { return strings.Replace(all, "NS", namespace, 1) }
	g = claimed(t, under("kgateway.dev/kgateway"), gateway("g", http), route("HTTPRoute", "ns", "top", "parentRefs: [{name: g}], "+to("a")),
		route("HTTPRoute", "a", "middle", to("b")), route("HTTPRoute", "a", "other", "parentRefs: [{name: g, namespace: ns}]"),
		route("HTTPRoute", "b", "bottom", to("a")))
	wantEdges(t, g, "HTTPRoute/a/middle", "HTTPRoute/b/bottom#rule[0] false NoMatchingParent", "HTTPRoute/ns/top#rule[0] true")
	wantEdges(t, g, "HTTPRoute/a/other", "Gateway/ns/g#http false NotAllowedByListeners")
	wantEdges(t, g, "HTTPRoute/b/bottom", "HTTPRoute/a/middle#rule[0] true")
	seen := map[*hierarchy.Node]bool{}
	for _, n := range g.Nodes {
		seen[n] = true
		for _, e := range n.Up {
			if e.Open() && !seen[e.Parent] {
				t.Errorf("%s stands before its parent %s", n, e.Parent)
			}
		}
	}
}

// Of kgateway, a route is reached by what it matches: of a prefix alone, with each header, query parameter and method of the
// rule above, match by match, with what that inherits (translator/httproute/delegation_helpers.go, utils/delegation).
func TestDelegationByMatches(t *testing.T) {
	const delegate = "backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: %s}]"
	const resolved, lost = "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/BackendNotFound"
	for _, tt := range []struct{ name, above, child, want string }{
		{"a prefix", "{path: {value: /a}}", "{path: {value: /a/1}}", resolved},
		{"an exact path passes nothing on", "{path: {type: Exact, value: /a}}", "{path: {type: Exact, value: /a}}", lost},
		{"a header", "{path: {value: /a}, headers: [{name: x, value: '1'}]}", "{path: {value: /a/1}, headers: [{name: x, value: '1'}, {name: y, value: '2'}]}", resolved},
		{"without the header", "{path: {value: /a}, headers: [{name: x, value: '1'}]}", "{path: {value: /a/1}}", lost},
		{"with another form of it", "{path: {value: /a}, headers: [{name: x, value: '1'}]}", "{path: {value: /a/1}, headers: [{name: x, type: RegularExpression, value: '1'}]}", lost},
		{"without the query parameter", "{path: {value: /a}, queryParams: [{name: x, value: '1'}]}", "{path: {value: /a/1}}", lost},
		{"the method", "{path: {value: /a}, method: GET}", "{path: {value: /a/1}, method: GET}", resolved},
		{"another method", "{path: {value: /a}, method: GET}", "{path: {value: /a/1}, method: POST}", lost},
		{"one of two matches", "{path: {value: /a}}, {path: {value: /b}}", "{path: {value: /a/1}}", lost},
		{"both of two matches", "{path: {value: /a}}, {path: {value: /b}}", "{path: {value: /a/1}}, {path: {value: /b}}", resolved},
	} {
		rule{tt.name, under(kGateway), []string{
			gateway("g", http), route("HTTPRoute", "ns", "child", "rules: [{matches: ["+tt.child+"]}]"),
			route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{matches: ["+tt.above+"], "+fmt.Sprintf(delegate, "child")+"}]"),
		}, map[string]string{"HTTPRoute/ns/parent": tt.want}}.check(t)
	}
	middle := strings.Replace(route("HTTPRoute", "ns", "middle", "rules: [{matches: [{path: {value: /d}}], "+fmt.Sprintf(delegate, "leaf")+"}]"), "metadata: {", "metadata: {annotations: {delegation.kgateway.dev/inherit-parent-matcher: 'true'}, ", 1)
	top := route("HTTPRoute", "ns", "top", "parentRefs: [{name: g}], rules: [{matches: [{path: {value: /a}}], "+fmt.Sprintf(delegate, "middle")+"}]")
	for path, want := range map[string]string{"/a/d/1": "HTTPRoute/ns/middle#rule[0] true", "/d/1": "HTTPRoute/ns/middle#rule[0] false NoMatchingParent"} {
		leaf := route("HTTPRoute", "ns", "leaf", "rules: [{matches: [{path: {value: "+path+"}}]}]")
		wantEdges(t, claimed(t, under(kGateway), gateway("g", http), top, middle, leaf), "HTTPRoute/ns/leaf", want)
	}
	// A route that passes requests on to itself.
	rule{
		"a cycle", under(kGateway),
		[]string{gateway("g", http), route("HTTPRoute", "ns", "own", "parentRefs: [{name: g}], rules: [{matches: [{path: {value: /a}}], "+fmt.Sprintf(delegate, "own")+"}]")},
		map[string]string{"HTTPRoute/ns/own": "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/RefNotPermitted"},
	}.check(t)
}

// What a route passes on depends on the implementation: by a label of its own, by
// hostnames and paths, and with a grant.
func TestDelegationByImplementation(t *testing.T) {
	const byName, byLabel = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child, namespace: far}", "{group: GROUP, kind: label, name: blue, namespace: NS}"
	label := func(group, namespace string) string {
		return strings.NewReplacer("GROUP", group, "NS", namespace).Replace(byLabel)
	}
	child := func(labels, spec string) string {
		return strings.Replace(route("HTTPRoute", "far", "child", spec), "metadata: {", "metadata: {labels: {"+labels+"}, ", 1)
	}
	const below, elsewhere = "rules: [{matches: [{path: {value: /team/a}}]}]", "rules: [{matches: [{path: {value: /other}}]}]"
	takesOver := func(group string) string { return "}, annotations: {" + group + "/inherit-parent-matcher: 'true'" }
	grant := "{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: x, namespace: far}, spec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: ns}], to: [{group: gateway.networking.k8s.io, kind: HTTPRoute}]}}"
	for _, tt := range []struct{ name, controller, backend, child, grant, want string }{
		{"a label", kGateway, label("delegation.kgateway.dev", "far"), child("delegation.kgateway.dev/label: blue", below), "", "true"},
		{"a label in all namespaces", kGateway, label("delegation.kgateway.dev", "all"), child("delegation.kgateway.dev/label: blue", below), "", "true"},
		{"another value", kGateway, label("delegation.kgateway.dev", "all"), child("delegation.kgateway.dev/label: red", below), "", ""},
		{"another namespace", kGateway, label("delegation.kgateway.dev", "ns"), child("delegation.kgateway.dev/label: blue", below), "", ""},
		{"a value with a variable", kGateway, strings.Replace(label("delegation.kgateway.dev", "all"), "blue", "'${COLOUR}'", 1), child("delegation.kgateway.dev/label: blue", below), "", "unknown NotInInput"},
		{"a label with a variable", kGateway, label("delegation.kgateway.dev", "all"), child("delegation.kgateway.dev/label: '${COLOUR}'", below), "", "unknown NotInInput"},
		{"a value with a variable and no label", kGateway, strings.Replace(label("delegation.kgateway.dev", "all"), "blue", "'${COLOUR}'", 1), child("", below), "", ""},
		{"a name with a variable", kGateway, strings.Replace(byName, "name: child", "name: '${TEAM}'", 1), child("", below), "", "unknown NotInInput"},
		{"KEY=VALUE with a variable", kGateway, strings.Replace(byName, "name: child", "name: 'team=${TEAM}'", 1), child("team: a", below), "", "unknown NotInInput"},
		{"KEY=VALUE with a variable and no label", kGateway, strings.Replace(byName, "name: child", "name: 'team=${TEAM}'", 1), child("", below), "", ""},
		{"the label of Gloo", glooGateway, label("delegation.gateway.solo.io", "all"), child("delegation.gateway.solo.io/label: blue", below), "", "true"},
		{"a path below", kGateway, byName, child("", below), "", "true"},
		{"a path elsewhere", kGateway, byName, child("", elsewhere), "", "false NoMatchingParent"},
		{"a path with the text of the prefix", kGateway, byName, child("", "rules: [{matches: [{path: {value: /teams}}]}]"), "", "true"},
		{"an exact path below", kGateway, byName, child("", "rules: [{matches: [{path: {type: Exact, value: /team/a}}]}]"), "", "true"},
		{"a path taken over", kGateway, byName, child("}, annotations: {delegation.kgateway.dev/inherit-parent-matcher: Enabled", elsewhere), "", "true"},
		{"a path elsewhere, of agentgateway", agentGateway, byName, child("", elsewhere), grant, "true"},
		{"a path taken over, of Gloo", glooGateway, byName, child(takesOver("delegation.gateway.solo.io"), elsewhere), "", "true"},
		{"a path taken over by another's annotation", glooGateway, byName, child(takesOver("delegation.kgateway.dev"), elsewhere), "", "false NoMatchingParent"},
		{"a grant that cannot be read", agentGateway, byName, child("", below), strings.Replace(grant, "namespace: ns", "namespace: '${NS}'", 1), "unknown NotInInput"},
		{"hostnames", kGateway, byName, child("", "hostnames: [a.example], "+below), "", "false UnsupportedValue"},
		{"hostnames, of agentgateway", agentGateway, byName, child("", "hostnames: [a.example], "+below), grant, "true"},
		{"no grant", agentGateway, byName, child("", below), "", "false NoMatchingParent"},
		{"no grant, of kgateway", kGateway, byName, child("", below), "", "true"},
		{"no grant, but it names its parent", agentGateway, byName, child("", "parentRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: parent, namespace: ns}], "+below), "", "true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parent := route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{matches: [{path: {value: /team}}], backendRefs: ["+tt.backend+"]}]")
			manifests := []string{gateway("g", http), parent, tt.child}
			if tt.grant != "" {
				manifests = append(manifests, tt.grant)
			}
			g := claimed(t, under(tt.controller), manifests...)
			if tt.want == "" {
				wantEdges(t, g, "HTTPRoute/far/child")
				return
			}
			wantEdges(t, g, "HTTPRoute/far/child", "HTTPRoute/ns/parent#rule[0] "+tt.want)
		})
	}
	// What is passed on by label is no backend that could be missing, but kgateway wants a route that takes it.
	rule{
		"by label", under(kGateway),
		[]string{gateway("g", http), route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+label("delegation.kgateway.dev", "all")+"]}]")},
		map[string]string{"HTTPRoute/ns/parent": "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/BackendNotFound"},
	}.check(t)
	// A route that its Gateways refuse passes no requests on, which agentgateway tells the routes below.
	for ref, want := range map[string]string{
		"{name: g}": "HTTPRoute/ns/parent []: Accepted, ResolvedRefs", "{name: g, sectionName: gone}": "HTTPRoute/ns/parent []: Accepted=false/NoMatchingParent, ResolvedRefs",
		"{name: g}, {name: g, sectionName: gone}": "HTTPRoute/ns/parent []: Accepted, ResolvedRefs",
	} {
		rule{
			"a parent that is refused: " + ref, under(agentGateway),
			[]string{
				gateway("g", http), child("", "parentRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: parent, namespace: ns}], "+below),
				route("HTTPRoute", "ns", "parent", "parentRefs: ["+ref+"], rules: [{backendRefs: ["+byName+"]}]"),
			},
			map[string]string{"HTTPRoute/far/child": want},
		}.check(t)
	}
	// A route that names no parent has those that pass requests on to it.
	for controller, want := range map[string]string{kGateway: "HTTPRoute/ns/parent []: Accepted, ResolvedRefs", agentGateway: ""} {
		rule{
			"no parentRefs " + controller, under(controller),
			[]string{
				gateway("g", http), child("", below), grant,
				route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{matches: [{path: {value: /team}}], backendRefs: ["+byName+"]}, {matches: [{path: {value: /team/a}}], backendRefs: ["+byName+"]}]"),
			},
			map[string]string{"HTTPRoute/far/child": want},
		}.check(t)
	}
}

// Routes that pass requests on to each other are judged without end otherwise.
func TestInferredParentsInCycle(t *testing.T) {
	to := func(name string) string {
		return "rules: [{matches: [{path: {value: /a}}], backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: " + name + "}]}]"
	}
	for _, hostnames := range []string{"", "hostnames: [a.example], "} {
		g := claimed(t, under(kGateway), gateway("g", http), route("HTTPRoute", "ns", "a", hostnames+to("b")), route("HTTPRoute", "ns", "b", to("c")), route("HTTPRoute", "ns", "c", to("a")))
		for _, n := range g.Nodes {
			if parents := g.Parents(n); n.Level == hierarchy.LevelRoute && len(parents) > 0 {
				t.Errorf("%s%s has %d parents, and none is taken by a Gateway", hostnames, n, len(parents))
			}
		}
	}
}
