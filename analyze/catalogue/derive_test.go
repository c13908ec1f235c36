package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// crd writes a definition of acme.io/AcmePolicy; properties are those of spec.
func crd(labels, properties string) string {
	return fmt.Sprintf(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: acmepolicies.acme.io, labels: {%s}},
 spec: {group: acme.io, names: {kind: AcmePolicy}, versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {%s}}}}}}]}}`, labels, properties)
}

const (
	labelKey  = "gateway.networking.k8s.io/policy: "
	targetRef = "targetRef: {properties: {kind: {type: string}, name: {type: string}}}"
)

func table(t *testing.T, configured []catalogue.Entry, trees ...[]*loader.Object) *catalogue.Table {
	t.Helper()
	return catalogue.NewTable(builtin(t), configured, trees...)
}

// A CRD defines a policy kind by its label, in any case, or by the shape of its
// targets; Direct only if the label says so.
func TestKindsFromCRDs(t *testing.T) {
	for name, tt := range map[string]struct{ labels, properties, want string }{
		"Direct":                     {labelKey + "Direct", targetRef, "Direct"},
		"direct":                     {labelKey + "direct", targetRef, "Direct"},
		"Inherited":                  {labelKey + "Inherited", targetRef, "Inherited"},
		"an older value":             {labelKey + "'true'", targetRef, "Inherited"},
		"label alone":                {labelKey + "Direct", "x: {type: string}", "Direct"},
		"targetRef alone":            {"", targetRef, "Inherited"},
		"targetRefs alone":           {"", "targetRefs: {items: {properties: {kind: {type: string}, name: {type: string}}}}", "Inherited"},
		"targetSelectors alone":      {"", "targetSelectors: {items: {properties: {kind: {type: string}, matchLabels: {type: object}}}}", "Inherited"},
		"a targetRef of another use": {"", "targetRef: {properties: {address: {type: string}}}", ""},
		"neither":                    {"app: x", "x: {type: string}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := table(t, nil, objects(t, crd(tt.labels, tt.properties))).Kind("acme.io", "AcmePolicy")
			switch {
			case k == nil && tt.want != "":
				t.Errorf("no policy kind, want %s", tt.want)
			case k != nil && string(k.Class()) != tt.want:
				t.Errorf("class %s, want %q", k.Class(), tt.want)
			case k != nil && (k.Origin != catalogue.FromCRD || !k.Assumed() || len(k.Notes) != 1):
				t.Errorf("origin %s, notes %q; want an assumption that is noted", k.Origin, k.Notes)
			}
		})
	}
}

// The config is surer than the catalogue, that than a CRD, that than objects.
func TestOriginOrder(t *testing.T) {
	const group, kind = "gateway.envoyproxy.io", "BackendTrafficPolicy"
	own := strings.NewReplacer("acme.io", group, "AcmePolicy", kind).Replace(crd(labelKey+"Direct", targetRef))
	if got := table(t, nil, objects(t, own)).Kind(group, kind); got.Origin != catalogue.FromCatalogue || got.Class() != catalogue.Inherited {
		t.Errorf("a CRD beats the catalogue: %s %s", got.Origin, got.Class())
	}
	entry, err := builtin(t).Entry(map[string]any{"profile": "gwapi-direct", "group": group, "kind": kind})
	if err != nil {
		t.Fatal(err)
	}
	if got := table(t, []catalogue.Entry{entry}, objects(t, own)).Kind(group, kind); got.Origin != catalogue.FromConfig || got.Class() != catalogue.Direct {
		t.Errorf("the catalogue beats the config: %s %s", got.Origin, got.Class())
	}
	object := acme("targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}")
	if got := table(t, nil, objects(t, object)).Kind("acme.io", "AcmePolicy"); got == nil || got.Origin != catalogue.FromObject {
		t.Errorf("an object alone: %+v", got)
	}
	if got := table(t, nil, objects(t, object, crd("", targetRef))).Kind("acme.io", "AcmePolicy"); got.Origin != catalogue.FromCRD {
		t.Errorf("an object beats its CRD: %s", got.Origin)
	}
	// The same kind of another group is another kind.
	if got := table(t, nil).Kind("acme.io", kind); got != nil {
		t.Errorf("acme.io has %s", got)
	}
}

// Only what points at kinds of the hierarchy is taken for a policy.
func TestKindsFromObjects(t *testing.T) {
	for spec, want := range map[string]bool{
		"targetRef: {group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}": true,
		"targetRefs: [{group: '', kind: Service, name: s}]":                       true,
		"targetRef: {kind: gateway, name: g}":                                     true,
		"targetSelectors: [{kind: HTTPRoute, matchLabels: {a: b}}]":               true,
		"targetRef: {apiVersion: apps/v1, kind: Deployment, name: d}":             false,
		"targetRef: gateway":               false,
		"target: {kind: Gateway, name: g}": false,
	} {
		if got := table(t, nil, objects(t, acme(spec))).Kind("acme.io", "AcmePolicy") != nil; got != want {
			t.Errorf("%s: a policy kind is %v, want %v", spec, got, want)
		}
	}
	scaler := "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {scaleTargetRef: {kind: Deployment, name: d}}}"
	if k := table(t, nil, objects(t, scaler)).Kind("autoscaling", "HorizontalPodAutoscaler"); k != nil {
		t.Errorf("%s is a policy kind", k)
	}
}

// A kind never changes its nature between two revisions: base's way holds.
func TestBaseClassifies(t *testing.T) {
	direct, inherited := objects(t, crd(labelKey+"Direct", targetRef)), objects(t, crd(labelKey+"Inherited", targetRef))
	for _, tt := range []struct {
		base, head []*loader.Object
		want       catalogue.Class
		changed    int
	}{
		{direct, inherited, catalogue.Direct, 1},
		{inherited, direct, catalogue.Inherited, 1},
		{direct, direct, catalogue.Direct, 0},
		{nil, direct, catalogue.Direct, 0},
		{direct, nil, catalogue.Direct, 0},
	} {
		kinds := table(t, nil, tt.base, tt.head)
		if got := kinds.Kind("acme.io", "AcmePolicy").Class(); got != tt.want || len(kinds.Changed) != tt.changed {
			t.Errorf("%s, %d changed; want %s, %d", got, len(kinds.Changed), tt.want, tt.changed)
		}
	}
}

// One policy with both bodies makes the whole kind one of the older dialect,
// in both revisions; one of them alone does not.
func TestOlderDialectIsSettledForKind(t *testing.T) {
	ref := "targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}, "
	one, both := objects(t, acme(ref+"defaults: {x: 1}")), objects(t, acme(ref+"default: {x: 1}, override: {z: 1}"))
	for _, tt := range []struct {
		base, head []*loader.Object
		want       bool
	}{{one, one, false}, {one, both, true}, {both, one, true}} {
		if got := table(t, nil, tt.base, tt.head).Kind("acme.io", "AcmePolicy").Older(); got != tt.want {
			t.Errorf("older is %v, want %v", got, tt.want)
		}
	}
}

func builtin(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

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

func acme(spec string) string {
	return "{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: p}, spec: {" + spec + "}}"
}
