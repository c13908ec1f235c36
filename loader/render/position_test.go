package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/tree"
)

const route = `-- base/kustomization.yaml --
resources:
- route.yaml
-- base/route.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: oven
  labels:
    app: oven
spec:
  hostnames: [a.example, b.example]
  parentRefs:
  - name: gw
  rules:
  - name: bake
    timeouts:
      request: 5s
    backendRefs:
    - name: shop
      port: 80
`

// every lists the places of all scalars of an object.
func every(o *loader.Object) string {
	var b strings.Builder
	var walk func(path string, v *loader.Value)
	walk = func(path string, v *loader.Value) {
		if !tree.Nested(v) {
			fmt.Fprintf(&b, "%s=%s %s\n", path, v.Text, o.Position(v))
		}
		for _, f := range v.Fields {
			walk(path+"/"+f.Key, f.Value)
		}
		for i, item := range v.Items {
			walk(fmt.Sprintf("%s/%d", path, i), item)
		}
	}
	walk("", o.Root)
	return b.String()
}

// at finds the place of one value.
func at(o *loader.Object, path string) string {
	v := kustomize.Lookup(o.Root, kustomize.Pointer(path))
	if v == nil {
		return "absent"
	}
	return strings.TrimSpace(v.Text + " " + o.Position(v).String())
}

type positionTest struct {
	name, archive, node string
	want                map[string]string
}

func positionTests() []positionTest {
	return []positionTest{
		{
			name: "base and strategic merge", node: "HTTPRoute/default/oven",
			archive: route + `-- over/kustomization.yaml --
resources: [../base]
patches:
- path: patch.yaml
-- over/patch.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: oven
  annotations:
    note: hi
spec:
  hostnames:
  - c.example
`,
			want: map[string]string{
				"":                           "base/route.yaml:1:1",
				"/spec":                      "base/route.yaml:7:1",
				"/spec/rules":                "base/route.yaml:11:3",
				"/spec/rules/0/name":         "bake base/route.yaml:12:11",
				"/spec/hostnames":            "over/patch.yaml:8:3",
				"/spec/hostnames/0":          "c.example over/patch.yaml:9:5",
				"/metadata/annotations/note": "hi over/patch.yaml:6:11",
				"/metadata/name":             "oven base/route.yaml:4:9",
				"/kind":                      "HTTPRoute base/route.yaml:2:7",
				"/apiVersion":                "gateway.networking.k8s.io/v1 base/route.yaml:1:13",
				"/metadata/labels/app":       "oven base/route.yaml:6:10",
			},
		},
		{
			name: "json patch, file and inline", node: "HTTPRoute/default/oven",
			archive: route + `-- over/kustomization.yaml --
resources: [../base]
patches:
- path: ops.yaml
  target:
    kind: HTTPRoute
- target: {kind: HTTPRoute, name: oven}
  patch: |-
    - op: add
      path: /spec/rules/0
      value:
        name: first
        matches:
        - path: {value: /x}
-- over/ops.yaml --
- op: replace
  path: /spec/rules/0/timeouts/request
  value: 9s
- op: add
  path: /spec/hostnames/-
  value: d.example
`,
			want: map[string]string{
				"":                                   "base/route.yaml:1:1",
				"/spec/rules/0/name":                 "first over/kustomization.yaml:11:15",
				"/spec/rules/0/matches/0/path/value": "/x over/kustomization.yaml:13:25",
				"/spec/rules/1/timeouts/request":     "9s over/ops.yaml:3:10",
				"/spec/rules/1/backendRefs/0/port":   "80 base/route.yaml:17:13",
				"/spec/hostnames/1":                  "b.example base/route.yaml:8:26",
				"/spec/hostnames/2":                  "d.example over/ops.yaml:6:10",
			},
		},
		{
			name: "transformers over two levels", node: "HTTPRoute/shop/eu-prod-oven",
			archive: route + `-- mid/kustomization.yaml --
resources: [../base]
namespace: shop
namePrefix: prod-
labels:
- pairs:
    tier: web
-- over/kustomization.yaml --
resources: [../mid]
namePrefix: eu-
commonAnnotations:
  owner: bakers
`,
			want: map[string]string{
				"/metadata/namespace":         "shop mid/kustomization.yaml:2:12",
				"/metadata/name":              "eu-prod-oven over/kustomization.yaml:2:13",
				"/metadata/labels/tier":       "web mid/kustomization.yaml:6:11",
				"/metadata/labels/app":        "oven base/route.yaml:6:10",
				"/metadata/annotations/owner": "bakers over/kustomization.yaml:4:10",
				"/spec/rules/0/name":          "bake base/route.yaml:12:11",
			},
		},
		{
			name: "component and replacement", node: "HTTPRoute/default/oven",
			archive: route + `-- comp/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- patch: |
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: oven
    spec:
      parentRefs:
      - name: other
replacements:
- source: {kind: HTTPRoute, name: oven, fieldPath: metadata.name}
  targets:
  - select: {kind: HTTPRoute}
    fieldPaths: [spec.hostnames.0]
-- over/kustomization.yaml --
resources: [../base]
components: [../comp]
`,
			want: map[string]string{
				"/spec/parentRefs/0/name": "other comp/kustomization.yaml:11:15",
				"/spec/hostnames/0":       "oven comp/kustomization.yaml:13:3",
				"/spec/hostnames/1":       "b.example base/route.yaml:8:26",
			},
		},
		{
			name: "generator", node: "ConfigMap/default/settings",
			archive: `-- app/kustomization.yaml --
configMapGenerator:
- name: settings
  literals: [a=b]
  options: {disableNameSuffixHash: true}
`,
			want: map[string]string{
				"":        "app/kustomization.yaml:2:3",
				"/data/a": "b app/kustomization.yaml:2:3",
			},
		},
		{
			name: "two documents, long and odd scalars", node: "HTTPRoute/default/two",
			archive: `-- app/kustomization.yaml --
resources: [all.yaml]
-- app/all.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: two}
spec:
  text: |
    first # no comment
    second
  word: on
  flag: true
  empty: {}
  none: null
  hex: 0x1F
  long: ` + strings.Repeat("word ", 100) + `end
`,
			want: map[string]string{
				"":               "app/all.yaml:5:1",
				"/metadata/name": "two app/all.yaml:7:18",
				"/spec/text":     "first # no comment\nsecond\n app/all.yaml:9:9",
				"/spec/empty":    "app/all.yaml:14:3",
				"/spec/hex":      "31 app/all.yaml:16:8",
				"/spec/long":     strings.Repeat("word ", 100) + "end app/all.yaml:17:9",
				"/spec/word":     "on app/all.yaml:12:9",
				"/spec/flag":     "true app/all.yaml:13:9",
			},
		},
	}
}

func TestPositions(t *testing.T) {
	for _, tt := range positionTests() {
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, tt.archive, options())
			o := object(t, s, tt.node)
			for path, want := range tt.want {
				if got := at(o, path); got != want {
					t.Errorf("%s: got %q, want %q\n%s", path, got, want, every(o))
				}
			}
			if o.Files[0] != o.First().File {
				t.Errorf("files[0] is %s, the object is in %s", o.Files[0], o.First().File)
			}
			for _, p := range s.Problems {
				t.Errorf("unexpected problem %s %s %s", p.Code, p.Position, p.Message)
			}
		})
	}
}
