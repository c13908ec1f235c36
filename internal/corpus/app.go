package corpus

import (
	"fmt"
	"path"
	"strings"
)

// app is one application, deployed to every cluster.
type app struct {
	name, namespace, gateway string
	seed                     int64
	// kustomized apps have a base and overlays. Of the others, identical apps have the same
	// workload in every cluster, and single apps have one file for all their objects.
	kustomized, identical, single bool
}

func makeApps(n int, seed int64) []app {
	apps := make([]app, n)
	for i := range apps {
		name := fmt.Sprintf("app-%04d", i)
		r := random(seed, name)
		apps[i] = app{
			name: name, seed: seed,
			namespace: namespaceName(i / appsPerNamespace), gateway: gatewayName(i / appsPerGateway),
			kustomized: chance(r, 0.2), identical: chance(r, 0.5), single: chance(r, 0.3),
		}
	}
	return apps
}

// document is one object of an app, and its file.
type document struct {
	file, text string
}

// addTo adds the app to a cluster.
func (a app) addTo(f Files, cluster string) {
	folder := path.Join("clusters", cluster, "apps", a.name)
	if a.kustomized {
		a.addOverlay(f, folder, cluster)
		return
	}
	environment := cluster
	if a.identical {
		environment = "any"
	}
	documents := append(a.workload(environment), a.routing(cluster)...)
	for _, d := range documents {
		if a.single {
			d.file = "app.yaml"
		}
		f.add(path.Join(folder, d.file), d.text)
	}
}

// addBase adds the app's kustomize base.
func (a app) addBase(f Files) {
	folder := path.Join("apps", a.name, "base")
	var list strings.Builder
	for _, d := range append(a.workload("base"), a.routing("base")...) {
		f.add(path.Join(folder, d.file), d.text)
		fmt.Fprintf(&list, "  - %s\n", d.file)
	}
	f.add(path.Join(folder, "kustomization.yaml"),
		"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n"+list.String())
}

// addOverlay adds the app's overlay for a cluster: a label, and one patch file with two
// documents.
func (a app) addOverlay(f Files, folder, cluster string) {
	f.add(path.Join(folder, "kustomization.yaml"), fmt.Sprintf(`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ../../../../apps/%s/base
patches:
  - path: patch.yaml
labels:
  - pairs:
      example.com/cluster: %s
`, a.name, cluster))
	replicas := 2 + random(a.seed, a.name+cluster).IntN(8)
	f.add(path.Join(folder, "patch.yaml"),
		object("apps/v1", "Deployment", a.namespace, a.name, fmt.Sprintf("spec:\n  replicas: %d\n", replicas)),
		route(a.namespace, a.name, fmt.Sprintf("spec:\n  hostnames:\n    - %s.%s.example.com\n", a.name, cluster)))
}

// routing returns the objects that affect a Gateway: the route, and at most one policy.
func (a app) routing(cluster string) []document {
	r := random(a.seed, a.name+"/routing")
	var rules strings.Builder
	for i := range 1 + r.IntN(4) {
		fmt.Fprintf(&rules, `    - matches:
        - path:
            type: PathPrefix
            value: /v%d
          headers:
            - name: x-tenant
              value: tenant-%d
      filters:
        - type: RequestHeaderModifier
          requestHeaderModifier:
            set:
              - name: x-app
                value: %s
      backendRefs:
        - name: %s
          port: 80
          weight: %d
`, i, r.IntN(100), a.name, a.name, 1+r.IntN(100))
	}
	documents := []document{{"httproute.yaml", route(a.namespace, a.name, fmt.Sprintf(`spec:
  parentRefs:
    - namespace: infra
      name: %s
      sectionName: https
  hostnames:
    - %s.%s.example.com
  rules:
%s`, a.gateway, a.name, cluster, rules.String()))}}
	number := 1 + r.IntN(9)
	switch dice := r.Float64(); {
	case dice < 0.2:
		return append(documents, document{"policy.yaml", object("gateway.envoyproxy.io/v1alpha1", "BackendTrafficPolicy", a.namespace, a.name,
			fmt.Sprintf("spec:\n%s  retry:\n    numRetries: %d\n", targets("HTTPRoute", a.name), number))})
	case dice < 0.3:
		return append(documents, document{"policy.yaml", object("kuadrant.io/v1", "RateLimitPolicy", a.namespace, a.name,
			fmt.Sprintf("spec:\n  targetRef:\n    group: gateway.networking.k8s.io\n    kind: HTTPRoute\n    name: %s\n  limits:\n    app:\n      rates:\n        - limit: %d0\n          window: 1m\n", a.name, number))})
	case dice < 0.4:
		return append(documents, document{"policy.yaml", object("gateway.networking.k8s.io/v1", "BackendTLSPolicy", a.namespace, a.name,
			fmt.Sprintf("spec:\n  targetRefs:\n    - group: \"\"\n      kind: Service\n      name: %s\n  validation:\n    hostname: %s.%s.svc\n    wellKnownCACertificates: System\n", a.name, a.name, a.namespace))})
	}
	return documents
}
