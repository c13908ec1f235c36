package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

const gateway = "gateway.networking.k8s.io"

func parse(t testing.TB, in string) *loader.Value {
	t.Helper()
	roots, problems := manifest.Parse([]byte(in), manifest.Limits{})
	if len(problems) > 0 || len(roots) != 1 {
		t.Fatalf("%d documents, problems %v", len(roots), problems)
	}
	return roots[0]
}

// added writes the values that are Defaulted, as path=text@line:column; of a map
// or list all of it.
func added(v *loader.Value) []string {
	var out []string
	var walk func(path string, v *loader.Value)
	walk = func(path string, v *loader.Value) {
		if v.Defaulted {
			out = append(out, fmt.Sprintf("%s=%s@%d:%d", path, brief(v), v.Mark.Line, v.Mark.Column))
			return
		}
		for _, f := range v.Fields {
			walk(path+"/"+f.Key, f.Value)
		}
		for i, item := range v.Items {
			walk(fmt.Sprintf("%s/%d", path, i), item)
		}
	}
	walk("", v)
	return out
}

func brief(v *loader.Value) string {
	var parts []string
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			parts = append(parts, f.Key+":"+brief(f.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case loader.List:
		for _, item := range v.Items {
			parts = append(parts, brief(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case loader.Null:
		return "null"
	case loader.String, loader.Bool, loader.Int, loader.Float:
	}
	return v.Text
}

func TestBuiltinDefaults(t *testing.T) {
	for name, tc := range map[string]struct {
		group, version, kind, in string
		want                     []string
	}{
		"HTTPRoute": {gateway, "v1", "HTTPRoute", `metadata:
  name: a
spec:
  parentRefs:
  - name: gw
  rules:
  - backendRefs:
    - name: s
      port: 80
    - {name: t, port: 80, weight: 3}
  - matches:
    - path: {value: /x}
    - headers:
      - {name: a, value: b}
    backendRefs: []
`, []string{
			"/spec/parentRefs/0/group=gateway.networking.k8s.io@5:5", "/spec/parentRefs/0/kind=Gateway@5:5",
			"/spec/rules/0/backendRefs/0/group=@8:7", "/spec/rules/0/backendRefs/0/kind=Service@8:7", "/spec/rules/0/backendRefs/0/weight=1@8:7",
			"/spec/rules/0/backendRefs/1/group=@10:7", "/spec/rules/0/backendRefs/1/kind=Service@10:7",
			"/spec/rules/0/matches=[{path:{type:PathPrefix,value:/}}]@7:5",
			"/spec/rules/1/matches/0/path/type=PathPrefix@12:7",
			"/spec/rules/1/matches/1/headers/0/type=Exact@14:9",
			"/spec/rules/1/matches/1/path={type:PathPrefix,value:/}@13:7",
		}},
		"HTTPRoute without rules": {gateway, "v1", "HTTPRoute", "spec: {}\n", []string{"/spec/rules=[{matches:[{path:{type:PathPrefix,value:/}}]}]@1:1"}},
		"an older version":        {gateway, "v1alpha2", "HTTPRoute", "spec: {parentRefs: [{name: a}], rules: []}\n", []string{"/spec/parentRefs/0/group=gateway.networking.k8s.io@1:21", "/spec/parentRefs/0/kind=Gateway@1:21"}},
		"Gateway": {gateway, "v1", "Gateway", `spec:
  listeners:
  - name: https
    port: 443
    protocol: HTTPS
    tls:
      certificateRefs: [{name: c}]
  - name: http
    allowedRoutes: {namespaces: {}}
`, []string{
			"/spec/listeners/0/tls/certificateRefs/0/group=@7:25", "/spec/listeners/0/tls/certificateRefs/0/kind=Secret@7:25",
			"/spec/listeners/0/tls/mode=Terminate@6:5",
			"/spec/listeners/0/allowedRoutes={namespaces:{from:Same}}@3:5",
			"/spec/listeners/1/allowedRoutes/namespaces/from=Same@9:21",
		}},
		"XListenerSet":      {"gateway.networking.x-k8s.io", "v1alpha1", "XListenerSet", "spec: {parentRef: {name: a}}\n", []string{"/spec/parentRef/group=gateway.networking.k8s.io@1:8", "/spec/parentRef/kind=Gateway@1:8"}},
		"Service":           {"", "v1", "Service", "spec:\n  ports:\n  - port: 80\n  - {port: 53, protocol: UDP}\n", []string{"/spec/ports/0/protocol=TCP@3:5"}},
		"an unknown kind":   {"x.io", "v1", "X", "spec: {}\n", nil},
		"nothing to add":    {gateway, "v1", "GatewayClass", "spec: {controllerName: x}\n", nil},
		"no spec":           {gateway, "v1", "HTTPRoute", "metadata: {name: a}\n", nil},
		"a spec of no form": {gateway, "v1", "HTTPRoute", "spec: [1]\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := parse(t, tc.in)
			got := schema.Builtin().Apply(tc.group, tc.version, tc.kind, root)
			if diff := cmp.Diff(tc.want, added(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(tc.want) == 0 && got != root {
				t.Error("the object was copied for nothing")
			}
			if len(added(root)) > 0 {
				t.Error("the object itself was changed")
			}
			if again := schema.Builtin().Apply(tc.group, tc.version, tc.kind, got); again != got {
				t.Error("applying again changes something")
			}
		})
	}
}

// TestWrittenDefaultIsNoChange is what defaults are for.
func TestWrittenDefaultIsNoChange(t *testing.T) {
	const in = "spec:\n  parentRefs:\n  - name: gw\n  rules:\n  - backendRefs:\n    - name: s\n"
	bare := schema.Builtin().Apply(gateway, "v1", "HTTPRoute", parse(t, in))
	for _, line := range []string{"      weight: 1\n", "      kind: Service\n      group: ''\n", "    matches: [{path: {value: /}}]\n", "    matches: null\n", "      port: null\n"} {
		written := parse(t, in+line)
		if !loader.Equal(bare, schema.Builtin().Apply(gateway, "v1", "HTTPRoute", written)) {
			t.Errorf("%q is a change", line)
		}
	}
	if other := parse(t, in+"      weight: 2\n"); loader.Equal(bare, schema.Builtin().Apply(gateway, "v1", "HTTPRoute", other)) {
		t.Error("another weight is no change")
	}
}

func TestNulls(t *testing.T) {
	for name, tc := range map[string]struct{ kind, in, want string }{
		"known field":    {"HTTPRoute", "spec: {hostnames: null, rules: []}", "{spec:{rules:[]}}"},
		"with a default": {"HTTPRoute", "spec: {parentRefs: [{name: a, kind: null}], rules: []}", "{spec:{parentRefs:[{name:a,kind:Gateway,group:gateway.networking.k8s.io}],rules:[]}}"},
		"unknown field":  {"HTTPRoute", "spec: {foo: null, rules: []}", "{spec:{foo:null,rules:[]}}"},
		"in a list":      {"HTTPRoute", "spec: {hostnames: [null], rules: []}", "{spec:{hostnames:[null],rules:[]}}"},
		"in a map":       {"Gateway", "spec: {infrastructure: {labels: {a: null, b: c}}}", "{spec:{infrastructure:{labels:{b:c}}}}"},
		"metadata":       {"HTTPRoute", "metadata: {name: a, creationTimestamp: null, labels: null}", "{metadata:{name:a}}"},
		"any metadata":   {"Unknown", "metadata: {name: a, annotations: {b: null}}\nspec: {c: null}", "{metadata:{name:a,annotations:{}},spec:{c:null}}"},
	} {
		got := schema.Builtin().Apply(gateway, "v1", tc.kind, parse(t, tc.in))
		if brief(got) != tc.want {
			t.Errorf("%s: %s, want %s", name, brief(got), tc.want)
		}
	}
}

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: x.io
  names: {kind: TimeoutPolicy}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {}
            oneOf:
            - properties: {mode: {default: wrong}}
            properties:
              timeout: {type: string, default: 5s}
              count: {type: integer, default: many}
              ratio: {type: number, default: 1}
              gone: {type: string, nullable: false}
              stays: {type: string, nullable: true}
              mode: {type: string}
              nested:
                type: object
                default: {a: {}}
                properties:
                  a:
                    type: object
                    properties:
                      b: {type: boolean, default: true}
                  c: {type: string, default: d}
              list:
                type: array
                items:
                  type: object
                  properties: {weight: {type: integer, default: 1}}
              map:
                type: object
                additionalProperties:
                  type: object
                  properties: {x: {type: string, default: w}}
              texts: {type: object, additionalProperties: {type: string}}
              free: {type: object, additionalProperties: true}
          status:
            type: object
            default: {phase: Pending}
  - name: v1alpha1
    schema: {openAPIV3Schema: {type: object}}
`

func TestCRDOfATree(t *testing.T) {
	set := schema.Builtin().With([]*loader.Value{parse(t, crd)})
	for name, tc := range map[string]struct{ version, in, want string }{
		"empty": {"v1", "metadata: {}", "{metadata:{},spec:{nested:{a:{b:true},c:d},ratio:1,timeout:5s}}"},
		"written": {
			"v1", "spec: {timeout: 1s, ratio: 2, nested: {a: {b: false}, c: e}}",
			"{spec:{timeout:1s,ratio:2,nested:{a:{b:false},c:e}}}",
		},
		"in lists and maps": {
			"v1", "spec: {timeout: 1s, ratio: 2, nested: {c: e}, list: [{}, {weight: 3}], map: {k: {}}, free: {k: {}}}",
			"{spec:{timeout:1s,ratio:2,nested:{c:e},list:[{weight:1},{weight:3}],map:{k:{x:w}},free:{k:{}}}}",
		},
		"nulls": {
			"v1", "spec: {timeout: null, ratio: 2, nested: {c: e}, gone: null, stays: null}",
			"{spec:{timeout:5s,ratio:2,nested:{c:e},stays:null}}",
		},
		"another version": {"v1alpha1", "spec: {}", "{spec:{}}"},
		"no such version": {"v2", "spec: {}", "{spec:{}}"},
	} {
		if got := brief(set.Apply("x.io", tc.version, "TimeoutPolicy", parse(t, tc.in))); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	if got := schema.Builtin().Apply("x.io", "v1", "TimeoutPolicy", parse(t, "a: b")); brief(got) != "{a:b}" {
		t.Error("With changed the built-in set")
	}
	if got := brief(set.Apply(gateway, "v1", "GatewayClass", parse(t, "metadata: {labels: null}"))); got != "{metadata:{}}" {
		t.Errorf("the built-in kinds are gone: %s", got)
	}
}

// TestCRDOfATreeWins over the built-in one of the same version.
func TestCRDOfATreeWins(t *testing.T) {
	own := strings.NewReplacer("x.io", gateway, "TimeoutPolicy", "HTTPRoute").Replace(crd)
	set := schema.Builtin().With([]*loader.Value{parse(t, own)})
	if got := set.Apply(gateway, "v1", "HTTPRoute", parse(t, "spec: {}")); got.Str("spec", "timeout") != "5s" || got.Get("spec", "rules") != nil {
		t.Error(brief(got))
	}
}

func TestV1beta1CRD(t *testing.T) {
	set := schema.Builtin().With([]*loader.Value{parse(t, `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  group: x.io
  version: v1
  names: {kind: X}
  validation: {openAPIV3Schema: {properties: {spec: {properties: {a: {default: b}}}}}}
`)})
	if got := brief(set.Apply("x.io", "v1", "X", parse(t, "spec: {}"))); got != "{spec:{a:b}}" {
		t.Error(got)
	}
}

func TestBrokenCRDs(t *testing.T) {
	var roots []*loader.Value
	for _, in := range []string{
		"a", "[]", "kind: CustomResourceDefinition", "kind: CustomResourceDefinition\nspec: x",
		"kind: CustomResourceDefinition\nspec: {group: x.io, names: {kind: X}, versions: x}",
		"kind: CustomResourceDefinition\nspec: {group: x.io, names: {kind: X}, versions: [null, x, {name: v1}, {name: v2, schema: x}]}",
		"kind: CustomResourceDefinition\nspec: {group: x.io, names: {kind: A}, versions: [{name: v1, schema: {openAPIV3Schema: x}}]}",
		"kind: CustomResourceDefinition\nspec: {group: x.io, names: {kind: B}, versions: [{name: v1, schema: {openAPIV3Schema: {properties: x, items: [], additionalProperties: 1, default: [], nullable: 1}}}]}",
		"kind: CustomResourceDefinition\nspec: {group: x.io, names: {kind: C}, versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: null, a: {properties: [1]}, b: {items: {items: x}}}}}}]}",
		"kind: ConfigMap\nspec: {group: x.io, names: {kind: D}, versions: [{name: v1, schema: {openAPIV3Schema: {properties: {a: {default: b}}}}}]}",
	} {
		roots = append(roots, parse(t, in))
	}
	set := schema.Builtin().With(append(roots, nil))
	for _, kind := range []string{"X", "A", "B", "C", "D"} {
		root := parse(t, "a: {b: [1, null]}\nb: [[1]]\nspec: null\n")
		if got := set.Apply("x.io", "v1", kind, root); got.Get("a") == nil || len(added(got)) > 0 {
			t.Errorf("%s: %s", kind, brief(got))
		}
	}
	if set.Apply("x.io", "v1", "X", nil) != nil {
		t.Error("nothing became something")
	}
}

// TestConcurrentUse is for the race detector: schemas are compiled when first
// asked for.
func TestConcurrentUse(t *testing.T) {
	set := schema.Builtin().With([]*loader.Value{parse(t, crd)})
	route, policy := parse(t, "spec: {}"), parse(t, "spec: {}")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			set.Apply(gateway, "v1", "HTTPRoute", route)
			set.Apply("x.io", "v1", "TimeoutPolicy", policy)
		})
	}
	all.Wait()
}

func BenchmarkApply(b *testing.B) {
	root := parse(b, "metadata: {name: a}\nspec:\n  parentRefs: [{name: gw}]\n  rules:\n  - matches: [{path: {value: /}}]\n    backendRefs: [{name: s, port: 80}]\n")
	set := schema.Builtin()
	b.ReportAllocs()
	for b.Loop() {
		set.Apply(gateway, "v1", "HTTPRoute", root)
	}
}
