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
			"resources: [crd.yaml, gw.yaml, deploy.yaml]\npatches: [{target: {kind: Deployment}, patch: '[{op: replace, path: /spec/replicas, value: 2}]'}]\n", "Gateway/infra/gw",
		},
		"a JSON patch that finds none fails": {
			"resources: [gw.yaml, deploy.yaml]\npatches: [{target: {kind: Deployment}, patch: '[{op: test, path: /spec/replicas, value: 2}]'}]\n", "kustomize-build",
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
