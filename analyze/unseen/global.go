package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// unattached are kinds of objects that decide about requests without being attached to a target of the hierarchy, with what they
// are for (Kong Ingress Controller internal/dataplane/kongstate/kongstate.go, globalKongClusterPlugins and
// FillConsumersAndCredentials; Istio, Traffic Management reference and IstioOperator; Linkerd, Server; Envoy AI Gateway
// api/v1beta1/ai_service_backend.go; Traefik, TLS Options: the one named default is for every router that names none; Cilium,
// L7-Aware Traffic Management).
var unattached = map[[2]string]string{
	{"configuration.konghq.com", "KongClusterPlugin"}: "all requests",
	{"configuration.konghq.com", "KongConsumer"}:      "the requests of its consumers",
	{"configuration.konghq.com", "KongConsumerGroup"}: "the requests of its consumers",
	{"networking.istio.io", "VirtualService"}:         "requests in the mesh",
	{"networking.istio.io", "Sidecar"}:                "requests of pods in the mesh",
	{"networking.istio.io", "ServiceEntry"}:           "requests in the mesh",
	{"networking.istio.io", "WorkloadEntry"}:          "requests in the mesh",
	{"install.istio.io", "IstioOperator"}:             "the whole mesh",
	{"sailoperator.io", "Istio"}:                      "the whole mesh",
	{"policy.linkerd.io", "Server"}:                   "the pods that it selects",
	{"aigateway.envoyproxy.io", "AIServiceBackend"}:   "the requests of its routes",
	{"traefik.io", "TLSOption"}:                       "the TLS connections of its routers",
	{"traefik.io", "TLSStore"}:                        "the TLS connections of all routers",
	{"authorino.kuadrant.io", "AuthConfig"}:           "the requests of its hosts",
	{"cilium.io", "CiliumEnvoyConfig"}:                "the requests of its Services",
	{"cilium.io", "CiliumClusterwideEnvoyConfig"}:     "the requests of its Services",
	{"projectcontour.io", "HTTPProxy"}:                "the requests of its host",
	{"configuration.konghq.com", "KongIngress"}:       "the routes and Services that name it",
}

// global finds objects that decide about requests without being attached to anything, which the analysis does not follow, if
// the plan does not tell of them.
func global(s *search, pair applied.Pair, told map[string]bool) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := pair.Base.ByID(), pair.Head.ByID()
	for _, o := range pair.Head.Objects {
		was := before[o.ID]
		switch what := forAll(o, was); {
		case what == "" || o.Context || told[o.ID.String()]:
		case was == nil:
			s.add(o.ID.Spoken(), "added", pair.Name(), o.First(), []string{what}).Global = true
		case was.Digest != o.Digest:
			s.add(o.ID.Spoken(), "changed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
	for _, o := range pair.Head.Objects { // what backends of models lead to
		backend := o.Spec().Get("backendRef")
		if o.ID.Group != "aigateway.envoyproxy.io" || o.ID.Kind != "AIServiceBackend" || backend == nil {
			continue
		}
		id := loader.ID{Group: backend.Str("group"), Kind: backend.Str("kind"), Namespace: cmp.Or(backend.Str("namespace"), o.ID.Namespace), Name: backend.Str("name")}
		if was, is := before[id], after[id]; was != nil && is != nil && was.Digest != is.Digest && !told[id.String()] {
			s.add(id.Spoken(), "changed", pair.Name(), is.First(), []string{"the requests of " + o.ID.Spoken()}).Global = true
		}
	}
	for _, o := range pair.Base.Objects {
		if what := forAll(o, nil); what != "" && !o.Context && after[o.ID] == nil && !told[o.ID.String()] {
			s.add(o.ID.Spoken(), "removed", pair.Name(), o.First(), []string{what}).Global = true
		}
	}
}

// Unattached reports whether objects of a kind decide about requests although nothing attaches them to a target.
func Unattached(group, kind string) bool { return unattached[[2]string{group, kind}] != "" }

// forAll says which requests an object is for that is attached to nothing, in either of its two forms; the second may be nil.
func forAll(o, other *loader.Object) string {
	isGlobal := func(o *loader.Object) bool { return o != nil && o.Labels()["global"] == "true" }
	if o.ID.Kind == "KongClusterPlugin" && !isGlobal(o) && !isGlobal(other) {
		return "" // named by what it is for
	}
	if o.ID.Group == "" && o.ID.Kind == "ConfigMap" && strings.HasPrefix(o.ID.Name, "istio") && (o.Root.Get("data", "mesh") != nil || other != nil && other.Root.Get("data", "mesh") != nil) {
		return "the whole mesh" // Istio, Global Mesh Options; istio-REVISION for a revision
	}
	if o.ID.Group == "" && o.ID.Kind == "ConfigMap" && o.ID.Name == "cilium-config" && enforces(o, other) {
		return "all network policies"
	}
	return unattached[[2]string{o.ID.Group, o.ID.Kind}]
}

// enforces reports whether two forms of the agent's configuration differ in what switches all network policies off
// (Cilium, Policy Enforcement Modes and Policy Audit Mode). With one form it says nothing: an agent without configuration
// enforces them.
func enforces(o, other *loader.Object) bool {
	return other != nil && slices.ContainsFunc([]string{"enable-policy", "policy-audit-mode"}, func(key string) bool {
		return !loader.Equal(o.Root.Get("data", key), other.Root.Get("data", key))
	})
}
