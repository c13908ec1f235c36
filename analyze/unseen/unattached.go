package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// unattached are kinds of objects that decide about requests, or about what the cluster holds, without being attached to a
// target of the hierarchy, with what they are for.
var unattached = map[[2]string]string{
	// Kong Ingress Controller internal/dataplane/kongstate/kongstate.go, globalKongClusterPlugins and FillConsumersAndCredentials.
	{"configuration.konghq.com", "KongClusterPlugin"}: "all requests",
	{"configuration.konghq.com", "KongConsumer"}:      "the requests of its consumers",
	{"configuration.konghq.com", "KongConsumerGroup"}: "the requests of its consumers",
	{"configuration.konghq.com", "KongIngress"}:       "the routes and Services that name it",
	// Istio, Traffic Management reference and IstioOperator.
	{"networking.istio.io", "VirtualService"}: "requests of its hosts, in the mesh or at the Gateways that it names",
	{"networking.istio.io", "Gateway"}:        "requests of its hosts",
	{"networking.istio.io", "Sidecar"}:        "requests of pods in the mesh",
	{"networking.istio.io", "ServiceEntry"}:   "requests in the mesh",
	{"networking.istio.io", "WorkloadEntry"}:  "requests in the mesh",
	{"install.istio.io", "IstioOperator"}:     "the whole mesh",
	{"sailoperator.io", "Istio"}:              "the whole mesh",
	// Linkerd, Server.
	{"policy.linkerd.io", "Server"}:        "the pods that it selects",
	{"policy.linkerd.io", "EgressNetwork"}: "the connections of the mesh to addresses outside",
	// Envoy AI Gateway api/v1beta1/ai_service_backend.go.
	{"aigateway.envoyproxy.io", "AIServiceBackend"}: "the requests of its routes",
	// Traefik, Routing Configuration; TLS Options: the one named default is for every router that names none.
	{"traefik.io", "IngressRoute"}:        "the requests that it matches",
	{"traefik.io", "IngressRouteTCP"}:     "the connections that it matches",
	{"traefik.io", "IngressRouteUDP"}:     "the traffic of its entry points",
	{"traefik.io", "TraefikService"}:      "the requests of the routers that name it",
	{"traefik.io", "ServersTransport"}:    "the requests to the Services that name it",
	{"traefik.io", "ServersTransportTCP"}: "the connections to the Services that name it",
	{"traefik.io", "TLSOption"}:           "the TLS connections of its routers",
	{"traefik.io", "TLSStore"}:            "the TLS connections of all routers",
	// Kuadrant, authorino and limitador: what all its policies are enforced by.
	{"authorino.kuadrant.io", "AuthConfig"}:         "the requests of its hosts",
	{"kuadrant.io", "Kuadrant"}:                     "all policies of Kuadrant",
	{"limitador.kuadrant.io", "Limitador"}:          "all rate limits of Kuadrant",
	{"operator.authorino.kuadrant.io", "Authorino"}: "all authentication of Kuadrant",
	// Cilium, L7-Aware Traffic Management.
	{"cilium.io", "CiliumEnvoyConfig"}:            "the requests of its Services",
	{"cilium.io", "CiliumClusterwideEnvoyConfig"}: "the requests of its Services",
	// Flagger, How it works: it makes or edits the Services and routes by which a new version gets its share.
	{"flagger.app", "Canary"}:          "the requests of what it rolls out",
	{"projectcontour.io", "HTTPProxy"}: "the requests of its host",
	{"networking.k8s.io", "Ingress"}:   "the requests of its hosts",
	// cert-manager, Issuer Configuration.
	{"cert-manager.io", "Issuer"}:        "the certificates that it issues",
	{"cert-manager.io", "ClusterIssuer"}: "the certificates that it issues",
	// What edits or makes objects when they are applied (Kyverno, Mutate and Generate Rules; Gatekeeper, Mutation; Kubernetes,
	// Mutating Admission Policy).
	{"kyverno.io", "ClusterPolicy"}:                                    "the objects that it edits or makes",
	{"kyverno.io", "Policy"}:                                           "the objects that it edits or makes",
	{"policies.kyverno.io", "MutatingPolicy"}:                          "the objects that it edits",
	{"policies.kyverno.io", "NamespacedMutatingPolicy"}:                "the objects that it edits",
	{"policies.kyverno.io", "GeneratingPolicy"}:                        "the objects that it makes",
	{"policies.kyverno.io", "NamespacedGeneratingPolicy"}:              "the objects that it makes",
	{"mutations.gatekeeper.sh", "Assign"}:                              "the objects that it edits",
	{"mutations.gatekeeper.sh", "AssignMetadata"}:                      "the objects that it edits",
	{"mutations.gatekeeper.sh", "ModifySet"}:                           "the objects that it edits",
	{"kyverno.io", "PolicyException"}:                                  "what Kyverno edits or makes",
	{"policies.kyverno.io", "PolicyException"}:                         "what Kyverno edits or makes",
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"}:        "the objects that it edits",
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"}: "the objects that its policy edits",
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:   "the objects that its webhooks edit",
}

// Unattached reports whether objects of a kind decide about requests although nothing attaches them to a target.
func Unattached(group, kind string) bool { return unattached[[2]string{group, kind}] != "" }

// ClusterScoped reports whether objects of an unattached kind have no namespace.
func ClusterScoped(group, kind string) bool {
	switch {
	case !Unattached(group, kind):
		return false
	case group == "mutations.gatekeeper.sh", group == "admissionregistration.k8s.io", group == "sailoperator.io":
		return true
	case group == "policies.kyverno.io":
		return !strings.HasPrefix(kind, "Namespaced")
	}
	return strings.Contains(kind, "Cluster")
}

// forAll says what an object is for that is attached to nothing, in either of its two forms; the second may be nil.
func forAll(o, other *loader.Object) string {
	either := func(is func(*loader.Object) bool) bool { return is(o) || other != nil && is(other) }
	switch {
	case o.ID.Kind == "KongClusterPlugin" && !either(func(o *loader.Object) bool { return o.Labels()["global"] == "true" }):
		return "" // named by what it is for
	case o.ID.Group == "kyverno.io" && o.ID.Kind != "PolicyException" && !either(shapes):
		return "" // it only judges
	case o.ID.Group == "" && o.ID.Kind == "ConfigMap":
		return configures(o, other, either)
	}
	return unattached[[2]string{o.ID.Group, o.ID.Kind}]
}

// shapes reports whether a policy of Kyverno has a rule that edits or makes objects.
func shapes(o *loader.Object) bool {
	return slices.ContainsFunc(o.Spec().List("rules"), func(rule *loader.Value) bool {
		return rule.Get("mutate") != nil || rule.Get("generate") != nil
	})
}

// configures says what a ConfigMap is for that is the configuration of a whole mesh, network or deployer.
func configures(o, other *loader.Object, either func(func(*loader.Object) bool) bool) string {
	differ := func(keys ...string) bool {
		return other != nil && slices.ContainsFunc(keys, func(key string) bool {
			return !loader.Equal(o.Root.Get("data", key), other.Root.Get("data", key))
		})
	}
	switch {
	case strings.HasPrefix(o.ID.Name, "istio") && either(func(o *loader.Object) bool { return o.Root.Get("data", "mesh") != nil }):
		return "the whole mesh" // Istio, Global Mesh Options; istio-REVISION for a revision
	case o.ID.Name == "cilium-config" && differ("enable-policy", "policy-audit-mode"):
		// What switches all network policies off (Cilium, Policy Enforcement Modes and Policy Audit Mode). With one form it says
		// nothing: an agent without configuration enforces them.
		return "all network policies"
	case o.ID.Name == "argocd-cm" && differ("resource.exclusions", "resource.inclusions"):
		return "which kinds of objects Argo CD applies" // Argo CD, Declarative Setup, Resource Exclusion
	}
	return ""
}
