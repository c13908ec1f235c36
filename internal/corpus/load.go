package corpus

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Each of these returns a repository of one size in two revisions, for measuring how the cost of a
// run grows with one thing.

const (
	// perFile is how many objects stand in one file, well below the limit of its size.
	perFile = 1000
	envoy   = "gateway.envoyproxy.io/v1alpha1"
)

// Deployer selects what brings the environments of Environments about.
type Deployer int

// Overlays are found without a deployer. The others name each overlay in an object.
const (
	Overlays Deployer = iota
	ArgoCD
	Flux
)

// Environments returns n overlays of one base with a Gateway, a route and a policy, each overlay
// an environment. The change is one in the base, which reaches all of them.
func Environments(n int, by Deployer) (before, after Files) {
	const base = "apps/base/policy.yaml"
	f := Files{}
	f.add("apps/base/kustomization.yaml", "resources: [gateway.yaml, route.yaml, policy.yaml]\n")
	f.add("apps/base/gateway.yaml", gatewayClass(), object("gateway.networking.k8s.io/v1", "Gateway", "", "web",
		"spec:\n  gatewayClassName: eg\n  listeners:\n    - {name: http, port: 80, protocol: HTTP}\n"))
	f.add("apps/base/route.yaml", route("", "shop",
		"spec:\n  parentRefs:\n    - name: web\n  rules:\n    - name: one\n      backendRefs:\n        - {name: shop, port: 80}\n"),
		object("v1", "Service", "", "shop", "spec:\n  ports:\n    - {name: http, port: 80}\n"))
	f.add(base, object(envoy, "BackendTrafficPolicy", "", "retries", "spec:\n"+targets("Gateway", "web")+"  retry:\n    numRetries: 1\n"))
	for i := range n {
		name := fmt.Sprintf("env-%05d", i)
		folder := "apps/" + name
		f.add(folder+"/kustomization.yaml", "resources: [../base]\nnamespace: "+name+"\npatches: [{path: host.yaml}]\n")
		f.add(folder+"/host.yaml", route("", "shop", "spec:\n  hostnames: ["+name+".example.com]\n"))
		switch by {
		case ArgoCD:
			f.add(fmt.Sprintf("argocd/apps-%02d.yaml", i/perFile), object("argoproj.io/v1alpha1", "Application", "argocd", name,
				"spec:\n  destination: {name: "+name+", namespace: "+name+"}\n  source: {repoURL: 'https://git.example.com/shop', path: "+folder+"}\n"))
		case Flux:
			f.add("clusters/"+name+"/flux-system/gotk-sync.yaml",
				object("source.toolkit.fluxcd.io/v1", "GitRepository", "flux-system", "flux-system", "spec:\n  url: https://git.example.com/shop\n"),
				fluxKustomization("flux-system", "clusters/"+name))
			f.add("clusters/"+name+"/apps.yaml", fluxKustomization("apps", folder))
		case Overlays: // the kustomizations themselves
		}
	}
	return f, replaced(f, base, "numRetries: 1", "numRetries: 2")
}

func fluxKustomization(name, path string) string {
	return object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "flux-system", name,
		"spec:\n  path: ./"+path+"\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n")
}

func gatewayClass() string {
	return object("gateway.networking.k8s.io/v1", "GatewayClass", "", "eg", "spec:\n  controllerName: gateway.envoyproxy.io/gatewayclass-controller\n")
}

// replaced returns the files with the first of a text in one of them replaced.
func replaced(f Files, file, before, after string) Files {
	out := maps.Clone(f)
	out[file] = bytes.Replace(f[file], []byte(before), []byte(after), 1)
	return out
}

// Routes returns n routes below ten Gateways, and as many policies as asked for, each at a route of
// its own. The change is one in the policy of a Gateway.
func Routes(n, policies int) (before, after Files) {
	f := Files{}
	f.add("infra.yaml", gatewayClass())
	for g := range 10 {
		addEnvoyGatewayTo(f, "infra.yaml", fmt.Sprintf("gw-%d", g), 2)
	}
	for i := range n {
		part, name := fmt.Sprintf("routes-%03d.yaml", i/perFile), fmt.Sprintf("r-%d", i)
		f.add(part, route("ns", name, oneRule([]string{fmt.Sprintf("gw-%d", i%10)}, fmt.Sprintf("h%d.example.com", i), fmt.Sprintf("s-%d", i))),
			service(fmt.Sprintf("s-%d", i)))
	}
	for i := range policies {
		f.add(fmt.Sprintf("policies-%03d.yaml", i/perFile), limit(i, fmt.Sprintf("r-%d", i*n/policies)))
	}
	return f, replaced(f, "infra.yaml", "connectionIdleTimeout: 10s", "connectionIdleTimeout: 20s")
}

// Contexts returns routes whose backends are reached in n contexts together: each is below ten
// listeners of each of ten Gateways. The change is one in the policy of a Gateway.
func Contexts(n int) (before, after Files) {
	const gateways, listeners = 10, 10
	f := Files{}
	f.add("infra.yaml", gatewayClass())
	var parents []string
	for g := range gateways {
		parents = append(parents, fmt.Sprintf("gw-%d", g))
		addEnvoyGatewayTo(f, "infra.yaml", parents[g], listeners)
	}
	for i := range n / (gateways * listeners) {
		f.add(fmt.Sprintf("routes-%03d.yaml", i/perFile), route("ns", fmt.Sprintf("r-%d", i), oneRule(parents, fmt.Sprintf("h%d.example.com", i), fmt.Sprintf("s-%d", i))),
			service(fmt.Sprintf("s-%d", i)))
	}
	return f, replaced(f, "infra.yaml", "connectionIdleTimeout: 10s", "connectionIdleTimeout: 20s")
}

// Changes returns n routes with a policy each. Each policy raises a limit of requests to a value of
// its own, so that a plan holds n changes and a finding about each.
func Changes(n int) (before, after Files) {
	f, _ := Routes(n, n)
	after = maps.Clone(f)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if !strings.HasPrefix(name, "policies-") {
			continue
		}
		var text strings.Builder
		for line := range strings.Lines(string(f[name])) {
			if at, number, found := strings.Cut(line, "requests: "); found {
				line = at + "requests: 9" + number
			}
			text.WriteString(line)
		}
		after[name] = []byte(text.String())
	}
	return f, after
}

func limit(i int, route string) string {
	return object(envoy, "BackendTrafficPolicy", "ns", fmt.Sprintf("btp-%d", i), "spec:\n"+targets("HTTPRoute", route)+fmt.Sprintf(
		"  rateLimit:\n    type: Local\n    local:\n      rules:\n        - limit: {unit: Minute, requests: %d}\n", 1+i))
}

func service(name string) string {
	return object("v1", "Service", "ns", name, "spec:\n  ports:\n    - {name: http, port: 80}\n")
}

func oneRule(parents []string, hostname, backend string) string {
	return fmt.Sprintf("spec:\n  parentRefs:\n    - name: %s\n  hostnames: [%s]\n  rules:\n    - name: one\n      backendRefs:\n        - {name: %s, port: 80}\n",
		strings.Join(parents, "\n    - name: "), hostname, backend)
}

// addEnvoyGatewayTo adds a Gateway with its policy to a file.
func addEnvoyGatewayTo(f Files, file, name string, listeners int) {
	var text strings.Builder
	for l := range listeners {
		fmt.Fprintf(&text, "    - {name: l-%d, port: %d, protocol: HTTP}\n", l, 8000+l)
	}
	f.add(file, object("gateway.networking.k8s.io/v1", "Gateway", "ns", name, "spec:\n  gatewayClassName: eg\n  listeners:\n"+text.String()),
		object(envoy, "BackendTrafficPolicy", "ns", "btp-"+name, "spec:\n"+targets("Gateway", name)+"  timeout:\n    http:\n      connectionIdleTimeout: 10s\n"))
}
