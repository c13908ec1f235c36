package hierarchy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// graph builds the hierarchy of manifests. What has no namespace is in ns.
func graph(t testing.TB, o inventory.Options, manifests ...string) *hierarchy.Graph {
	t.Helper()
	return hierarchy.Build(environment(t, manifests...), o)
}

func environment(t testing.TB, manifests ...string) *loader.Environment {
	t.Helper()
	file := manifest.Decode([]byte(strings.Join(manifests, "\n---\n")), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s", p.Position.Line, p.Message)
	}
	env := &loader.Environment{Name: "."}
	for _, d := range file.Documents {
		id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
		if id.Namespace == "" && !hierarchy.ClusterScoped(d.Group, d.Kind) {
			id.Namespace = "ns"
		}
		env.Objects = append(env.Objects, &loader.Object{
			ID: id, Version: d.Version, Root: schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root), Files: []string{"all.yaml"},
		})
	}
	slices.SortFunc(env.Objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return env
}

// edges are the edges into a node as "parent admitted reason hostnames", sorted.
func edges(t testing.TB, g *hierarchy.Graph, node string) []string {
	t.Helper()
	var out []string
	for _, n := range g.Nodes {
		if n.String() != node {
			continue
		}
		for _, e := range n.Up {
			words := []string{e.Parent.String(), e.Admitted.String(), e.Reason, strings.Join(e.Hostnames, ",")}
			out = append(out, strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " "))
		}
	}
	slices.Sort(out)
	return out
}

func wantEdges(t testing.TB, g *hierarchy.Graph, node string, want ...string) {
	t.Helper()
	if got := edges(t, g, node); !slices.Equal(got, want) {
		t.Errorf("edges into %s:\n got %s\nwant %s", node, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// gateway writes a Gateway with listeners in flow style.
func gateway(name, listeners string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: " + name + "}, spec: {gatewayClassName: c, listeners: [" + listeners + "]}}"
}

// route writes a route of a kind and namespace; spec is what is in its spec.
func route(kind, namespace, name, spec string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: " + kind + ", metadata: {namespace: " + namespace + ", name: " + name + "}, spec: {" + spec + "}}"
}

const http = "{name: http, port: 80, protocol: HTTP}"

// Group, kind and namespace of a parentRef have defaults; without sectionName
// and port it means every listener.
func TestParentRefDefaults(t *testing.T) {
	g := graph(t, inventory.Options{}, gateway("g", http+", {name: alt, port: 8080, protocol: HTTP}"),
		route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}]"))
	wantEdges(t, g, "HTTPRoute/ns/r", "Gateway/ns/g#alt true", "Gateway/ns/g#http true")
	wantEdges(t, g, "HTTPRoute/ns/r#rule[0]", "HTTPRoute/ns/r true") // absent rules default to one
}

// sectionName and port both have to match.
func TestSectionNameAndPort(t *testing.T) {
	for ref, want := range map[string][]string{
		"sectionName: http":             {"Gateway/ns/g#http true"},
		"port: 8080":                    {"Gateway/ns/g#alt true", "Gateway/ns/g#second true a.example"},
		"sectionName: alt, port: 8080":  {"Gateway/ns/g#alt true"},
		"sectionName: http, port: 8080": {"Gateway/ns/g false NoMatchingParent"},
		"sectionName: nowhere":          {"Gateway/ns/g false NoMatchingParent"},
		"port: 81":                      {"Gateway/ns/g false NoMatchingParent"},
	} {
		t.Run(ref, func(t *testing.T) {
			g := graph(t, inventory.Options{},
				gateway("g", http+", {name: alt, port: 8080, protocol: HTTP}, {name: second, port: 8080, protocol: HTTP, hostname: a.example}"),
				route("HTTPRoute", "ns", "r", "parentRefs: [{name: g, "+ref+"}]"))
			wantEdges(t, g, "HTTPRoute/ns/r", want...)
		})
	}
}

// Reasons are decided in one order: parent, allowedRoutes, hostnames.
func TestReasonOrder(t *testing.T) {
	listener := `{name: http, port: 80, protocol: HTTP, hostname: a.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}`
	for name, tt := range map[string]struct{ listener, ref, want string }{
		"all wrong":          {listener, "sectionName: x", "Gateway/ns/g false NoMatchingParent"},
		"kind and hostname":  {listener, "sectionName: http", "Gateway/ns/g#http false NotAllowedByListeners"},
		"namespace and host": {`{name: http, port: 80, protocol: HTTP, hostname: a.example}`, "namespace: ns", "Gateway/ns/g#http false NotAllowedByListeners"},
		"hostname alone": {
			`{name: http, port: 80, protocol: HTTP, hostname: a.example, allowedRoutes: {namespaces: {from: All}}}`,
			"namespace: ns", "Gateway/ns/g#http false NoMatchingListenerHostname",
		},
	} {
		t.Run(name, func(t *testing.T) {
			namespace := "ns"
			if strings.Contains(tt.ref, "namespace") {
				namespace = "other"
			}
			g := graph(t, inventory.Options{}, gateway("g", tt.listener),
				route("HTTPRoute", namespace, "r", "hostnames: [b.example], parentRefs: [{name: g, "+tt.ref+"}]"))
			wantEdges(t, g, "HTTPRoute/"+namespace+"/r", tt.want)
		})
	}
}

// Partial attachment is success: each listener has its own verdict.
func TestPartialAttachment(t *testing.T) {
	g := graph(t, inventory.Options{}, gateway("g", http+`, {name: host, port: 81, protocol: HTTP, hostname: b.example}, {name: tcp, port: 82, protocol: TCP}`),
		route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: [{name: g}]"))
	wantEdges(t, g, "HTTPRoute/ns/r",
		"Gateway/ns/g#host false NoMatchingListenerHostname", "Gateway/ns/g#http true a.example", "Gateway/ns/g#tcp false NotAllowedByListeners")
}

// A parent that is not in the input is a placeholder: contexts exist below it,
// unknown unless the input is complete.
func TestPlaceholderParents(t *testing.T) {
	r := route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: [{name: far, namespace: infra}, {name: far, namespace: infra, sectionName: https}]")
	for name, tt := range map[string]struct {
		options  inventory.Options
		admitted string
	}{
		"not in the input": {inventory.Options{}, "unknown"},
		"complete, but the Gateway lives elsewhere": {inventory.Options{Complete: true, External: map[loader.ID]bool{
			{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: "infra", Name: "far"}: true,
		}}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, tt.options, r)
			wantEdges(t, g, "HTTPRoute/ns/r",
				"Gateway/infra/far#? "+tt.admitted+" ParentNotInInput a.example", "Gateway/infra/far#https "+tt.admitted+" ParentNotInInput a.example")
			wantEdges(t, g, "Gateway/infra/far#?", "Gateway/infra/far true")
		})
	}
	// What is known not to exist leaves no placeholder to attach to.
	for _, options := range []inventory.Options{
		{Complete: true},
		{Gone: map[loader.ID]bool{{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: "infra", Name: "far"}: true}},
	} {
		wantEdges(t, graph(t, options, r), "HTTPRoute/ns/r", "Gateway/infra/far false ParentNotFound", "Gateway/infra/far false ParentNotFound")
	}
	release := "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: gateways, namespace: infra}}"
	g := graph(t, inventory.Options{Complete: true}, r, release)
	wantEdges(t, g, "HTTPRoute/ns/r", "Gateway/infra/far#? unknown ParentNotInInput a.example", "Gateway/infra/far#https unknown ParentNotInInput a.example")
}

// A GatewayClass usually comes with its controller's chart.
func TestMissingClassIsAssumed(t *testing.T) {
	g := graph(t, inventory.Options{Complete: true}, gateway("g", http))
	wantEdges(t, g, "Gateway/ns/g", "GatewayClass/c true")
}
