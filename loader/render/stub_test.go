package render

import (
	"strings"
	"testing"
)

// TestStubs holds that what kustomize is spared changes nothing: the objects of a build
// are the same, with their places, and a build that fails over an object fails.
func TestStubs(t *testing.T) {
	deployment := manifestOf("apps/v1", "Deployment", "shop", "web") + "spec: {replicas: 1}\n"
	crd := manifestOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "things.example.com") +
		"spec:\n  group: example.com\n  names: {kind: Thing}\n  scope: Cluster\n"
	for name, tt := range map[string]struct{ kustomization, want string }{
		"definitions come whole": {"resources: [crd.yaml, gw.yaml, deploy.yaml]\nnamePrefix: p-\n", "Gateway/infra/p-gw"},
		"a merge patch finds its object": {
			"resources: [crd.yaml, gw.yaml, deploy.yaml]\npatches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2}}'}]\n", "Gateway/infra/gw",
		},
		"a JSON patch finds its field": {
			"resources: [crd.yaml, gw.yaml, deploy.yaml]\npatches: [{target: {kind: Deployment}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 2}]'}]\n", "Gateway/infra/gw",
		},
		"a JSON patch that finds none fails": {
			"resources: [gw.yaml, deploy.yaml]\npatches: [{target: {kind: Deployment}, patch: '[{\"op\": \"test\", \"path\": \"/spec/replicas\", \"value\": 2}]'}]\n", "kustomize-build",
		},
		"one object twice fails": {"resources: [gw.yaml, deploy.yaml, again.yaml]\n", "kustomize-build"},
		"a value copied from another object": {
			"resources: [gw.yaml, deploy.yaml]\nreplacements: [{source: {kind: Deployment, fieldPath: spec.replicas}, targets: [{select: {kind: Gateway}, fieldPaths: [metadata.labels.n], options: {create: true}}]}]\n", "Gateway/infra/gw",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := render(t, archive("a/kustomization.yaml", tt.kustomization, "a/gw.yaml", gateway("infra", "gw"), "a/deploy.yaml", deployment, "a/again.yaml", deployment, "a/crd.yaml", crd), options())
			if got := summary(s); !strings.Contains(got, tt.want) {
				t.Error(got)
			}
		})
	}
	s := render(t, archive("a/kustomization.yaml", "resources: [crd.yaml, gw.yaml]\n", "a/gw.yaml", gateway("infra", "gw"), "a/crd.yaml", crd), options())
	o := object(t, s, "CustomResourceDefinition.apiextensions.k8s.io/things.example.com")
	if got := o.Position(o.Root.Get("spec", "names", "kind")).String(); got != "a/crd.yaml:7:17" {
		t.Errorf("the kind stands at %s", got)
	}
}

// A definition that a patch edits comes with its schemas, which the build needs only where the patch edits
// them.
func TestStubsOfDefinitions(t *testing.T) {
	crd := manifestOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "things.example.com") + `spec:
  group: example.com
  scope: Cluster
  versions:
  - name: v1
    schema:
      openAPIV3Schema: {type: object, required: [a]}
  - name: v2
    schema:
      openAPIV3Schema: {type: object, required: [b]}
`
	for name, tt := range map[string]struct{ patches, scope, first, at string }{
		"a JSON patch of something else": {
			"[{target: {kind: CustomResourceDefinition}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Namespaced\"}]'}]", "Namespaced", "a", "a/crd.yaml:11:50",
		},
		"a JSON patch that adds a version in front": {
			"[{target: {kind: CustomResourceDefinition}, patch: '[{\"op\": \"add\", \"path\": \"/spec/versions/0\", \"value\": {\"name\": \"v0\"}}]'}]", "Cluster", "", "",
		},
		"a JSON patch of a schema": {
			"[{target: {kind: CustomResourceDefinition, name: things.*}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/versions/0/schema/openAPIV3Schema/required/0\", \"value\": \"z\"}]'}]", "Cluster", "z", "",
		},
		"a JSON patch of another schema": {
			"[{target: {kind: CustomResourceDefinition, name: others.*}, patch: '[{\"op\": \"remove\", \"path\": \"/spec/versions/0/schema\"}]'}, {target: {kind: CustomResourceDefinition}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Namespaced\"}]'}]", "Namespaced", "a", "a/crd.yaml:11:50",
		},
		"a merge patch that hides the word": {
			"[{path: p.yaml}, {target: {kind: CustomResourceDefinition}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Namespaced\"}]'}]", "Namespaced", "x", "",
		},
		"a merge patch of the versions": {
			"[{patch: '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.example.com}, spec: {versions: [{name: v1, schema: {openAPIV3Schema: {required: [y]}}}]}}'}, " +
				"{target: {kind: CustomResourceDefinition}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Namespaced\"}]'}]", "Namespaced", "y", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := render(t, archive("a/kustomization.yaml", "resources: [crd.yaml, gw.yaml]\npatches: "+tt.patches+"\n", "a/gw.yaml", gateway("infra", "gw"), "a/crd.yaml", crd,
				"a/p.yaml", manifestOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "things.example.com")+`spec: {versions: [{name: v1, "s\u0063hema": {"openAPIV3S\u0063hema": {required: [x]}}}]}`+"\n"), options())
			o := object(t, s, "CustomResourceDefinition.apiextensions.k8s.io/things.example.com")
			if got := o.Root.Str("spec", "scope"); got != tt.scope {
				t.Errorf("the scope is %q, want %q", got, tt.scope)
			}
			versions := o.Root.List("spec", "versions")
			got := ""
			if required := versions[0].List("schema", "openAPIV3Schema", "required"); len(required) > 0 {
				got = required[0].Text
			}
			if got != tt.first {
				t.Errorf("the first version requires %q, want %q", got, tt.first)
			}
			if tt.at != "" {
				if got := o.Position(versions[0].List("schema", "openAPIV3Schema", "required")[0]).String(); got != tt.at {
					t.Errorf("what it requires stands at %s, want %s", got, tt.at)
				}
			}
		})
	}
}
