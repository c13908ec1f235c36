package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// objects decodes manifests. What has no namespace is in ns.
func objects(t testing.TB, manifests ...string) []*loader.Object {
	t.Helper()
	file := manifest.Decode([]byte(strings.Join(manifests, "\n---\n")), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s", p.Position.Line, p.Message)
	}
	var out []*loader.Object
	for _, d := range file.Documents {
		id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
		if id.Namespace == "" && !hierarchy.ClusterScoped(d.Group, d.Kind) && d.Kind != "CustomResourceDefinition" {
			id.Namespace = "ns"
		}
		o := &loader.Object{ID: id, Version: d.Version, Files: []string{"all.yaml"}, Root: schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root)}
		o.Digest = loader.Digest(o.ID, o.Root)
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return out
}

func builtin(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// attach hangs the policies among manifests; entry is a configured kind, or nil.
func attach(t testing.TB, o inventory.Options, entry map[string]any, manifests ...string) *policy.Attachments {
	t.Helper()
	env := &loader.Environment{Name: ".", Objects: objects(t, manifests...)}
	var entries []catalogue.Entry
	if entry != nil {
		e, err := builtin(t).Entry(entry)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return policy.Attach(env, hierarchy.Build(env, o), catalogue.NewTable(builtin(t), entries, env.Objects), age.Ages{})
}

// references are the declared targets as "target accepted reason".
func references(a *policy.Attachments) []string {
	var out []string
	for _, p := range a.Policies {
		for _, r := range p.References {
			out = append(out, fmt.Sprintf("%s %s %s", r.Target, r.Accepted, r.Reason))
		}
	}
	return out
}

const world = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, labels: {team: a}}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: acme.io/c}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, labels: {team: a}}, spec: {parentRefs: [{name: g}], rules: [{name: only, backendRefs: [{name: s, port: 80}]}, {}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: far, namespace: other, labels: {team: a}}, spec: {rules: [{name: only}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{name: web, port: 80}]}}
`

func acme(spec string) string {
	return "{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: p}, spec: {" + spec + "}}"
}

var gep = map[string]any{"profile": "gep", "group": "acme.io", "kind": "AcmePolicy"}

// How target references are read and judged.
func TestReferences(t *testing.T) {
	const gw = "group: gateway.networking.k8s.io"
	const allowed = "\n---\n{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: x, namespace: other}, spec: {from: [{group: acme.io, kind: AcmePolicy, namespace: ns}], to: [{group: gateway.networking.k8s.io, kind: HTTPRoute}]}}"
	for name, tt := range map[string]struct{ refs, more, want string }{
		"a listener":                     {"targetRefs: [{" + gw + ", kind: Gateway, name: g, sectionName: http}]", "", "Gateway/ns/g#http true Accepted"},
		"a rule":                         {"targetRefs: [{" + gw + ", kind: HTTPRoute, name: r, sectionName: only}]", "", "HTTPRoute/ns/r#only true Accepted"},
		"a port":                         {"targetRefs: [{group: '', kind: Service, name: s, sectionName: web}]", "", "Service/ns/s#web true Accepted"},
		"a class":                        {"targetRefs: [{" + gw + ", kind: GatewayClass, name: c}]", "", "GatewayClass/c true Accepted"},
		"the own namespace":              {"targetRef: {group: '', kind: Namespace, name: ns}", "", "Namespace/ns true Accepted"},
		"another namespace":              {"targetRef: {group: '', kind: Namespace, name: other}", "", "Namespace/other false Invalid"},
		"a section that is not there":    {"targetRefs: [{" + gw + ", kind: Gateway, name: g, sectionName: x}]", "", "Gateway/ns/g#x false TargetNotFound"},
		"an index is no name":            {"targetRefs: [{" + gw + ", kind: HTTPRoute, name: r, sectionName: 'rule[1]'}]", "", "HTTPRoute/ns/r#rule[1] false TargetNotFound"},
		"not in the input":               {"targetRefs: [{" + gw + ", kind: Gateway, name: x}]", "", "Gateway/ns/x unknown NotInInput"},
		"no name":                        {"targetRefs: [{" + gw + ", kind: Gateway}]", "", "Gateway/ns/ false Invalid"},
		"across, without a grant":        {"targetRefs: [{" + gw + ", kind: HTTPRoute, name: far, namespace: other}]", "", "HTTPRoute/other/far false RefNotPermitted"},
		"across, with a grant":           {"targetRefs: [{" + gw + ", kind: HTTPRoute, name: far, namespace: other}]", allowed, "HTTPRoute/other/far true Accepted"},
		"across, not in the input":       {"targetRefs: [{" + gw + ", kind: HTTPRoute, name: x, namespace: other}]", "", "HTTPRoute/other/x unknown NotInInput"},
		"a version in the group":         {"targetRefs: [{" + gw + "/v1, kind: Gateway, name: g}]", "", "Gateway/ns/g true Accepted"},
		"no group":                       {"targetRefs: [{kind: Gateway, name: g}]", "", "Gateway/ns/g true Accepted"},
		"another case":                   {"targetRefs: [{" + gw + ", kind: gateway, name: g}]", "", "Gateway/ns/g true Accepted"},
		"selector":                       {"targetSelectors: [{kind: HTTPRoute, matchLabels: {team: a}}]", "", "HTTPRoute/ns/r true Accepted"},
		"selector of nothing":            {"targetSelectors: [{kind: HTTPRoute, matchLabels: {team: b}}]", "", ""},
		"a virtual type":                 {"targetRefs: [{group: acme.io, kind: External, name: x.example}]", "", "External.acme.io/ns/x.example true Accepted"},
		"the first of two, not the rest": {"targetRefs: [{" + gw + ", kind: Gateway, name: g}, {" + gw + ", kind: Gateway, name: x}]", "", "Gateway/ns/g true Accepted; Gateway/ns/x unknown NotInInput"},
	} {
		t.Run(name, func(t *testing.T) {
			for known, entry := range map[string]map[string]any{"config": gep, "object": nil} {
				if known == "object" && (name == "a virtual type" || name == "no name") {
					continue // nothing there points at a kind of the hierarchy
				}
				got := strings.Join(references(attach(t, inventory.Options{}, entry, world+tt.more, acme(tt.refs))), "; ")
				if got != tt.want {
					t.Errorf("%s: got %s, want %s", known, got, tt.want)
				}
			}
		})
	}
}

// What is read kindly has a note; kinds with the standard types are Invalid
// there, as the API server would say.
func TestKindReferences(t *testing.T) {
	for refs, want := range map[string]string{
		"{group: gateway.networking.k8s.io/v1, kind: HTTPRoute, name: r}": "version",
		"{kind: HTTPRoute, name: r}":                                      "group",
		"{group: gateway.networking.k8s.io, kind: httproute, name: r}":    "httproute",
	} {
		a := attach(t, inventory.Options{}, gep, world, acme("targetRefs: ["+refs+"]"))
		if notes := a.Policies[0].Notes; len(notes) != 1 || !strings.Contains(notes[0].Text, want) {
			t.Errorf("%s: notes %+v, want one on %s", refs, notes, want)
		}
		standard := strings.NewReplacer("acme.io/v1,", "gateway.envoyproxy.io/v1alpha1,", "AcmePolicy", "BackendTrafficPolicy").Replace(acme("targetRefs: [" + refs + "]"))
		a = attach(t, inventory.Options{}, nil, world, standard)
		if got := references(a); len(got) != 1 || got[0] != "HTTPRoute/ns/r false Invalid" {
			t.Errorf("%s of a kind with the standard types: %q", refs, got)
		}
	}
}

// A target kind that the entry does not list, or a section where it has none.
func TestAllowedTargets(t *testing.T) {
	for refs, want := range map[string]string{
		"{group: '', kind: Service, name: s}":                                             "Service/ns/s false Invalid",
		"{group: gateway.networking.k8s.io, kind: Gateway, name: g, sectionName: http}":   "Gateway/ns/g#http true Accepted",
		"{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r, sectionName: only}": "HTTPRoute/ns/r#only false Invalid",
		"{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}":                    "HTTPRoute/ns/r true Accepted",
	} {
		entry := map[string]any{"profile": "gep", "group": "acme.io", "kind": "AcmePolicy", "target": map[string]any{
			"allowed": []any{"gw/Gateway:listener", "gw/HTTPRoute"},
		}}
		if got := references(attach(t, inventory.Options{}, entry, world, acme("targetRefs: ["+refs+"]"))); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %s", refs, got, want)
		}
	}
}

// attachSets are the sets of a kind that follows the GEP, one for each target.
func attachSets(t testing.TB, policies ...string) []*policy.Set {
	t.Helper()
	sets := attach(t, inventory.Options{}, gep, append(policies, world)...).Sets()
	if len(sets) != 1 {
		t.Fatalf("%d sets, want 1", len(sets))
	}
	return sets
}

// A policy that loses at one target is rejected at all that it stands at; what it
// does not stand at keeps a reason of its own (merge.same.rejectScope: policy).
func TestRejectionAsAWhole(t *testing.T) {
	entry := map[string]any{"profile": "gep", "group": "acme.io", "kind": "AcmePolicy", "merge": map[string]any{
		"same": map[string]any{"algorithm": "none", "rejectScope": "policy"},
	}}
	const route = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}"
	first := strings.Replace(acme("targetRefs: ["+route+"]"), "name: p", "name: a", 1)
	later := acme("targetRefs: [" + route + ", {group: gateway.networking.k8s.io, kind: Gateway, name: g}, {group: gateway.networking.k8s.io, kind: Gateway, name: g, sectionName: x}]")
	got := strings.Join(references(attach(t, inventory.Options{}, entry, world, first, later)), "; ")
	const want = "HTTPRoute/ns/r true Accepted; HTTPRoute/ns/r false Conflicted; Gateway/ns/g false Conflicted; Gateway/ns/g#x false TargetNotFound"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The policies that a rule names by filters and those that name the rule are two
// sets at one target.
func TestSetsAtOneTarget(t *testing.T) {
	const rule = "{group: gateway.kgateway.dev, kind: TrafficPolicy, name: filter}"
	traffic := func(name, targets string) string {
		return "{apiVersion: gateway.kgateway.dev/v1alpha1, kind: TrafficPolicy, metadata: {name: " + name + "}, spec: {" + targets + "}}"
	}
	a := attach(t, inventory.Options{}, nil, strings.Replace(world, "{name: only, backendRefs", "{name: only, filters: [{type: ExtensionRef, extensionRef: "+rule+"}], backendRefs", 1),
		traffic("filter", ""), traffic("named", "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r, sectionName: only}]"))
	var got []string
	for _, set := range a.Sets() {
		for _, p := range set.Policies {
			got = append(got, set.At+" "+p.ID().Name)
		}
	}
	if want := []string{"HTTPRoute/ns/r#only filter", "HTTPRoute/ns/r#only named"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Who loses to a policy of which nobody knows whether it attaches has not lost
// for certain, whether one policy counts, parts add up, or losers are rejected as
// a whole.
func TestLosingToTheUnknown(t *testing.T) {
	const grant = `{apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: {name: all}, spec: {from: [
  {group: gateway.envoyproxy.io, kind: ClientTrafficPolicy, namespace: other}, {group: acme.io, kind: AcmePolicy, namespace: other}], to: [
  {group: gateway.networking.k8s.io, kind: Gateway}]}}`
	unsure := func(group, kind, spec string) string {
		return fmt.Sprintf(`{apiVersion: %s, kind: %s, metadata: {name: first, namespace: other, creationTimestamp: "2024-01-01T00:00:00Z"}, spec: {targetSelectors: [
  {group: gateway.networking.k8s.io, kind: Gateway, matchLabels: {team: a}, namespaces: {from: Selector, selector: {matchLabels: {nobody: knows}}}}], %s}}`, group, kind, spec)
	}
	sure := func(group, kind, spec string) string {
		return fmt.Sprintf(`{apiVersion: %s, kind: %s, metadata: {name: second, creationTimestamp: "2025-01-01T00:00:00Z"}, spec: {targetRefs: [
  {group: gateway.networking.k8s.io, kind: Gateway, name: g}], %s}}`, group, kind, spec)
	}
	entry := func(same map[string]any) map[string]any {
		return map[string]any{
			"group": "acme.io", "kind": "AcmePolicy", "order": []any{"creationTimestamp"},
			"target": map[string]any{"namespace": "same+grant", "refs": []any{
				map[string]any{"path": "targetRefs", "form": "list"}, map[string]any{"path": "targetSelectors", "form": "selectors"},
			}},
			"spec":  map[string]any{"common": []any{"targetRefs", "targetSelectors"}},
			"merge": map[string]any{"levels": map[string]any{"algorithm": "none", "hops": "nil"}, "same": same, "units": []any{"a"}},
		}
	}
	for _, tt := range []struct {
		name, group, kind, spec string
		entry                   map[string]any
	}{
		{"one counts", "gateway.envoyproxy.io/v1alpha1", "ClientTrafficPolicy", "timeout: {}", nil},
		{"parts add up", "acme.io/v1", "AcmePolicy", "a: {b: 1}", entry(map[string]any{"algorithm": "union-or-reject", "tie": "oldest"})},
		{"rejected as a whole", "acme.io/v1", "AcmePolicy", "a: {b: 1}", entry(map[string]any{"algorithm": "none", "tie": "oldest", "rejectScope": "policy"})},
	} {
		a := attach(t, inventory.Options{}, tt.entry, world, grant, unsure(tt.group, tt.kind, tt.spec), sure(tt.group, tt.kind, tt.spec))
		for _, p := range a.Policies {
			if ref := p.References[0]; ref.Accepted != fact.Unknown {
				t.Errorf("%s: %s is %s (%s) at %s, want unknown", tt.name, p.ID(), ref.Accepted, ref.Reason, ref.Target)
			}
		}
	}
}
