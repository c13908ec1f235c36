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
	{"sailoperator.io", "IstioCNI"}:           "the proxies of the whole mesh",
	{"sailoperator.io", "ZTunnel"}:            "the proxies of the whole mesh",
	// OpenShift Service Mesh 2, Red Hat's reference.
	{"maistra.io", "ServiceMeshControlPlane"}: "the whole mesh",
	{"maistra.io", "ServiceMeshMemberRoll"}:   "the namespaces of the mesh",
	// Coraza Kubernetes Operator, README: an Engine makes a WasmPlugin for the Gateways whose pods it selects.
	{"waf.k8s.coraza.io", "Engine"}:  "the requests of the proxies that it selects",
	{"waf.k8s.coraza.io", "RuleSet"}: "the requests of the engines that name it",
	// Flux source-watcher, ArtifactGenerator: what is copied from where into the artifacts that Kustomizations and
	// HelmReleases apply.
	{"source.extensions.fluxcd.io", "ArtifactGenerator"}: "what is applied of its artifacts",
	{"source.toolkit.fluxcd.io", "ExternalArtifact"}:     "what is applied of it",
	// Linkerd, Server.
	{"policy.linkerd.io", "Server"}:        "the pods that it selects",
	{"policy.linkerd.io", "EgressNetwork"}: "the connections of the mesh to addresses outside",
	// Envoy AI Gateway api/v1beta1/ai_service_backend.go.
	{"aigateway.envoyproxy.io", "AIServiceBackend"}: "the requests of its routes",
	// Traefik, Routing Configuration; TLS Options: the one named default is for every router that names none.
	{"traefik.io", "IngressRoute"}:            "the requests that it matches",
	{"traefik.io", "IngressRouteTCP"}:         "the connections that it matches",
	{"traefik.io", "IngressRouteUDP"}:         "the traffic of its entry points",
	{"traefik.io", "TraefikService"}:          "the requests of the routers that name it",
	{"traefik.io", "ServersTransport"}:        "the requests to the Services that name it",
	{"traefik.io", "ServersTransportTCP"}:     "the connections to the Services that name it",
	{"traefik.io", "TLSOption"}:               "the TLS connections of its routers",
	{"traefik.io", "TLSStore"}:                "the TLS connections of all routers",
	{"traefik.io", "MiddlewareTCP"}:           "the connections of the routers that name it",
	{"hub.traefik.io", "AccessControlPolicy"}: "the requests of the routers that name it",
	// APISIX Ingress Controller, Resources.
	{"apisix.apache.org", "ApisixGlobalRule"}:   "all requests",
	{"apisix.apache.org", "ApisixRoute"}:        "the requests that it matches",
	{"apisix.apache.org", "ApisixUpstream"}:     "the requests to its Service",
	{"apisix.apache.org", "ApisixPluginConfig"}: "the requests of the routes that name it",
	{"apisix.apache.org", "ApisixConsumer"}:     "the requests of its consumers",
	{"apisix.apache.org", "ApisixTls"}:          "the TLS connections of its hosts",
	// Kuadrant, authorino and limitador: what all its policies are enforced by.
	{"authorino.kuadrant.io", "AuthConfig"}:         "the requests of its hosts",
	{"kuadrant.io", "Kuadrant"}:                     "all policies of Kuadrant",
	{"limitador.kuadrant.io", "Limitador"}:          "all rate limits of Kuadrant",
	{"operator.authorino.kuadrant.io", "Authorino"}: "all authentication of Kuadrant",
	// Cilium, L7-Aware Traffic Management.
	{"cilium.io", "CiliumEnvoyConfig"}:            "the requests of its Services",
	{"cilium.io", "CiliumClusterwideEnvoyConfig"}: "the requests of its Services",
	// Cilium, Local Redirect Policy and Egress Gateway.
	{"cilium.io", "CiliumLocalRedirectPolicy"}: "the connections to its Service or address",
	{"cilium.io", "CiliumEgressGatewayPolicy"}: "the connections of the pods that it selects to addresses outside",
	// Calico, Felix configuration, Host endpoint and Kubernetes controllers configuration.
	{"projectcalico.org", "FelixConfiguration"}:               "all network policies of Calico",
	{"crd.projectcalico.org", "FelixConfiguration"}:           "all network policies of Calico",
	{"projectcalico.org", "HostEndpoint"}:                     "the connections of its node",
	{"crd.projectcalico.org", "HostEndpoint"}:                 "the connections of its node",
	{"projectcalico.org", "KubeControllersConfiguration"}:     "the endpoints of nodes that policies of Calico select",
	{"crd.projectcalico.org", "KubeControllersConfiguration"}: "the endpoints of nodes that policies of Calico select",
	// Capsule, Tenant and Tenant resources: network policies and other objects in the namespaces of a tenant.
	{"capsule.clastix.io", "Tenant"}:               "the network policies of the tenant's namespaces",
	{"capsule.clastix.io", "TenantResource"}:       "the objects that it makes in namespaces",
	{"capsule.clastix.io", "GlobalTenantResource"}: "the objects that it makes in namespaces",
	// Kubeflow profile-controller: a Namespace in the mesh, with AuthorizationPolicies.
	{"kubeflow.org", "Profile"}: "the policies of the namespace that it makes",
	// NAIS and Skiperator, Application: routes and network policies by what it says of access.
	{"nais.io", "Application"}:                  "the routes and network policies that it makes",
	{"skiperator.kartverket.no", "Application"}: "the routes and network policies that it makes",
	{"skiperator.kartverket.no", "Routing"}:     "the routes that it makes",
	// Flagger, How it works: it makes or edits the Services and routes by which a new version gets its share.
	{"flagger.app", "Canary"}: "the requests of what it rolls out",
	// Contour, API Reference.
	{"projectcontour.io", "HTTPProxy"}:                "the requests of its host",
	{"projectcontour.io", "ContourConfiguration"}:     "all requests of Contour",
	{"projectcontour.io", "ContourDeployment"}:        "the proxies of Contour",
	{"projectcontour.io", "ExtensionService"}:         "the authorization and rate limits that name it",
	{"projectcontour.io", "TLSCertificateDelegation"}: "the certificates of other namespaces",
	// Consul, Configuration Entries on Kubernetes; API Gateway.
	{"consul.hashicorp.com", "ServiceIntentions"}:  "the requests to its destination",
	{"consul.hashicorp.com", "ServiceDefaults"}:    "the requests to its service",
	{"consul.hashicorp.com", "ServiceResolver"}:    "the requests to its service",
	{"consul.hashicorp.com", "ServiceRouter"}:      "the requests to its service",
	{"consul.hashicorp.com", "ServiceSplitter"}:    "the requests to its service",
	{"consul.hashicorp.com", "ProxyDefaults"}:      "all requests of the mesh",
	{"consul.hashicorp.com", "Mesh"}:               "the whole mesh",
	{"consul.hashicorp.com", "IngressGateway"}:     "the requests of its listeners",
	{"consul.hashicorp.com", "TerminatingGateway"}: "the requests of the mesh to services outside",
	{"consul.hashicorp.com", "RouteAuthFilter"}:    "the requests of the routes that name it",
	{"consul.hashicorp.com", "RouteRetryFilter"}:   "the requests of the routes that name it",
	{"consul.hashicorp.com", "RouteTimeoutFilter"}: "the requests of the routes that name it",
	{"consul.hashicorp.com", "GatewayPolicy"}:      "the requests of its Gateway",
	{"consul.hashicorp.com", "JWTProvider"}:        "the authentication of the policies that name it",
	// NGINX Ingress Controller, VirtualServer and Policy resources.
	{"k8s.nginx.org", "Policy"}:              "the requests of what names it",
	{"k8s.nginx.org", "VirtualServer"}:       "the requests of its host",
	{"k8s.nginx.org", "VirtualServerRoute"}:  "the requests of its host",
	{"k8s.nginx.org", "TransportServer"}:     "the connections of its listener",
	{"k8s.nginx.org", "GlobalConfiguration"}: "the listeners of the controller",
	// GKE Ingress, BackendConfig and FrontendConfig.
	{"cloud.google.com", "BackendConfig"}:       "the requests to the Services that name it",
	{"networking.gke.io", "FrontendConfig"}:     "the requests of the Ingresses that name it",
	{"networking.gke.io", "ManagedCertificate"}: "the TLS connections of its domains",
	// Emissary, Custom Resource Definitions.
	{"getambassador.io", "AuthService"}:      "all requests",
	{"getambassador.io", "Filter"}:           "the requests of the policies that name it",
	{"getambassador.io", "FilterPolicy"}:     "the requests that it matches",
	{"getambassador.io", "Host"}:             "the requests of its hostname",
	{"getambassador.io", "Listener"}:         "the requests of its port",
	{"getambassador.io", "Mapping"}:          "the requests that it matches",
	{"getambassador.io", "Module"}:           "all requests",
	{"getambassador.io", "RateLimitService"}: "all rate limits",
	{"getambassador.io", "TLSContext"}:       "the TLS connections of its hosts",
	// OpenShift, Route configuration; Skipper, RouteGroups.
	{"route.openshift.io", "Route"}:  "the requests of its host",
	{"zalando.org", "RouteGroup"}:    "the requests of its hosts",
	{"networking.k8s.io", "Ingress"}: "the requests of its hosts",
	// Knative Serving, Private services; KServe, ingress; UDS Core, Package resource.
	{"serving.knative.dev", "Service"}:           exposed,
	{"serving.knative.dev", "Route"}:             exposed,
	{"serving.knative.dev", "DomainMapping"}:     "the requests of its host",
	{"serving.kserve.io", "LLMInferenceService"}: "the requests to its model",
	{"serving.kserve.io", "InferenceService"}:    exposed,
	{"uds.dev", "Package"}:                       "the requests and connections that it allows",
	// Gloo Edge, AuthConfig and Settings.
	{"enterprise.gloo.solo.io", "AuthConfig"}: "the requests of the routes that name it",
	{"gloo.solo.io", "Settings"}:              "all requests",
	// OVN-Kubernetes, Egress firewall and Egress IP; OpenShift, Cluster Network Operator; Amazon VPC, Security groups for pods.
	{"k8s.ovn.org", "EgressFirewall"}:               "the connections of its namespace to addresses outside",
	{"k8s.ovn.org", "EgressIP"}:                     "the connections of its namespaces to addresses outside",
	{"operator.openshift.io", "Network"}:            "all connections",
	{"vpcresources.k8s.aws", "SecurityGroupPolicy"}: "the connections of the pods that it selects",
	// What applies objects in ways that are not followed (RKE2 and k3s, Helm integration; Cluster API, ClusterResourceSet and
	// HelmChartProxy; Sveltos, Profiles; Fleet, GitRepo and Bundle; Crossplane, provider-kubernetes, provider-helm and
	// Compositions; kro, ResourceGraphDefinitions).
	{"helm.cattle.io", "HelmChartConfig"}:             "the chart of its name",
	{"helm.cattle.io", "HelmChart"}:                   ofChart,
	{"addons.cluster.x-k8s.io", "HelmChartProxy"}:     ofChart,
	{"helm.crossplane.io", "Release"}:                 ofChart,
	{"helm.m.crossplane.io", "Release"}:               ofChart,
	{"addons.cluster.x-k8s.io", "ClusterResourceSet"}: "the objects that it applies",
	{"config.projectsveltos.io", "ClusterProfile"}:    "the objects that it applies",
	{"config.projectsveltos.io", "Profile"}:           "the objects that it applies",
	{"fleet.cattle.io", "GitRepo"}:                    "the objects that it applies",
	{"fleet.cattle.io", "Bundle"}:                     "the objects that it applies",
	{"kubernetes.crossplane.io", "Object"}:            "the object that it applies",
	{"kubernetes.m.crossplane.io", "Object"}:          "the object that it applies",
	{"apiextensions.crossplane.io", "Composition"}:    "the objects that it makes",
	{"kro.run", "ResourceGraphDefinition"}:            "the objects that its instances make",
	// cert-manager, Issuer Configuration.
	{"cert-manager.io", "Issuer"}:        "the certificates that it issues",
	{"cert-manager.io", "ClusterIssuer"}: "the certificates that it issues",
	// What edits or makes objects when they are applied (Kyverno, Mutate and Generate Rules; Gatekeeper, Mutation; Kubernetes,
	// Mutating Admission Policy).
	{"kyverno.io", "ClusterPolicy"}:                       "the objects that it edits or makes",
	{"kyverno.io", "Policy"}:                              "the objects that it edits or makes",
	{"policies.kyverno.io", "MutatingPolicy"}:             "the objects that it edits",
	{"policies.kyverno.io", "NamespacedMutatingPolicy"}:   "the objects that it edits",
	{"policies.kyverno.io", "GeneratingPolicy"}:           "the objects that it makes",
	{"policies.kyverno.io", "NamespacedGeneratingPolicy"}: "the objects that it makes",
	// What deletes objects (Kyverno, Cleanup Rules and DeletingPolicy).
	{"kyverno.io", "CleanupPolicy"}:                     "the objects that it deletes",
	{"kyverno.io", "ClusterCleanupPolicy"}:              "the objects that it deletes",
	{"policies.kyverno.io", "DeletingPolicy"}:           "the objects that it deletes",
	{"policies.kyverno.io", "NamespacedDeletingPolicy"}: "the objects that it deletes",
	// Cilium, Per-node configuration.
	{"cilium.io", "CiliumNodeConfig"}:                                  "the agents of the nodes that it selects",
	{"mutations.gatekeeper.sh", "Assign"}:                              "the objects that it edits",
	{"mutations.gatekeeper.sh", "AssignMetadata"}:                      "the objects that it edits",
	{"mutations.gatekeeper.sh", "ModifySet"}:                           "the objects that it edits",
	{"kyverno.io", "PolicyException"}:                                  "what Kyverno edits or makes",
	{"policies.kyverno.io", "PolicyException"}:                         "what Kyverno edits or makes",
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"}:        "the objects that it edits",
	{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"}: "the objects that its policy edits",
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:   "the objects that its webhooks edit",
}

// What some kinds are for, of which only a part of the changes counts.
const (
	exposed = "who can send it requests"
	ofChart = "what its chart installs"
)

// Unattached reports whether objects of a kind decide about requests although nothing attaches them to a target.
func Unattached(group, kind string) bool { return unattached[[2]string{group, kind}] != "" }

// ClusterScoped reports whether objects of an unattached kind have no namespace.
func ClusterScoped(group, kind string) bool {
	switch {
	case !Unattached(group, kind):
		return false
	case slices.Contains([]string{
		"mutations.gatekeeper.sh", "admissionregistration.k8s.io", "sailoperator.io", "kubernetes.crossplane.io", "helm.crossplane.io",
		"apiextensions.crossplane.io", "kro.run", "operator.openshift.io",
	}, group), kind == "EgressIP", kind == "Profile", kind == "Tenant", kind == "GlobalTenantResource":
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
	case o.ID.Group == "kyverno.io" && (o.ID.Kind == "Policy" || o.ID.Kind == "ClusterPolicy") && !either(shapes):
		return "" // it only judges
	case o.ID.Kind == "ArtifactGenerator" && other != nil && loader.Equal(unfollowedCopies(o), unfollowedCopies(other)):
		return "" // what it copies is followed
	case unattached[[2]string{o.ID.Group, o.ID.Kind}] == exposed && other != nil && loader.Equal(exposure(o), exposure(other)):
		return "" // it runs something else
	case unattached[[2]string{o.ID.Group, o.ID.Kind}] == ofChart && !either(installsEnforcing):
		return ""
	case o.ID.Group == "" && o.ID.Kind == "ConfigMap":
		return configures(o, other, either)
	}
	return unattached[[2]string{o.ID.Group, o.ID.Kind}]
}

// unfollowedCopies are the sources of an ArtifactGenerator and what of its rules is more than a copy of a whole folder. Where there
// are several sources it is all of them, because some may be other repositories.
func unfollowedCopies(o *loader.Object) *loader.Value {
	spec := o.Spec()
	out := &loader.Value{Shape: loader.List, Items: slices.Clone(spec.List("sources"))}
	several := len(out.Items) > 1
	for _, artifact := range spec.List("artifacts") {
		for _, rule := range artifact.List("copy") {
			from := strings.TrimSuffix(rule.Str("from"), "/**")
			if several || len(rule.FieldList()) > 2 || strings.ContainsAny(from, "*?[") {
				out.Items = append(out.Items, artifact.Get("name"), rule)
			}
		}
	}
	return out
}

// shapes reports whether a policy of Kyverno has a rule that edits or makes objects.
func shapes(o *loader.Object) bool {
	return slices.ContainsFunc(o.Spec().List("rules"), func(rule *loader.Value) bool {
		return rule.Get("mutate") != nil || rule.Get("generate") != nil
	})
}

// exposure is what of a service of Knative or KServe says who can send it requests: the label of its visibility, and how they are
// divided (Knative Serving, Configuring private services and Traffic management).
func exposure(o *loader.Object) *loader.Value {
	meta := o.Root.Get("metadata")
	return &loader.Value{Shape: loader.List, Items: []*loader.Value{
		meta.Get("labels", "networking.knative.dev/visibility"), meta.Get("labels", "networking.kserve.io/visibility"), o.Spec().Get("traffic"), o.Spec().Get("ref"),
	}}
}

// installsEnforcing reports whether an object that installs a chart installs one that serves, checks or filters requests.
func installsEnforcing(o *loader.Object) bool {
	for _, path := range [][]string{{"chart"}, {"chartName"}, {"forProvider", "chart", "name"}} {
		if v := o.Spec().Get(path...); v != nil && v.Shape == loader.String {
			name := v.Text[strings.LastIndex(v.Text, "/")+1:]
			return controllerChart.MatchString(name) || enforcing.MatchString(name)
		}
	}
	return false
}

// ciliumEnforcement are the settings of Cilium that switch network policies or a part of them off, or decide what they select
// (Cilium, Policy Enforcement Modes, Policy Audit Mode, Limiting Identity-Relevant Labels; daemon/cmd, options).
var ciliumEnforcement = []string{
	"enable-policy", "policy-audit-mode", "enable-k8s-networkpolicy", "enable-cilium-network-policy", "enable-cilium-clusterwide-network-policy",
	"enable-l7-proxy", "enable-host-firewall", "policy-cidr-match-mode", "labels", "enable-wireguard", "enable-ipsec", "enable-encryption-strict-mode",
	"mesh-auth-enabled",
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
	case strings.HasPrefix(o.ID.Name, "istio-sidecar-injector") && differ("config", "values"):
		return "the proxies of the whole mesh" // Istio pkg/kube/inject/inject.go, UnmarshalConfig and its values
	case o.ID.Name == "cilium-config" && differ(ciliumEnforcement...):
		// With one form it says nothing: an agent without configuration enforces them.
		return "all network policies"
	case o.ID.Name == "amazon-vpc-cni" && differ("enable-network-policy-controller"):
		return "all network policies" // EKS, Auto Mode, Use network policies
	case strings.HasPrefix(o.ID.Name, "antrea-config") && differ("antrea-agent.conf", "antrea-controller.conf"):
		return "all network policies" // Antrea, feature gates
	case o.ID.Name == "argocd-cm" && differ("resource.exclusions", "resource.inclusions"):
		return "which kinds of objects Argo CD applies" // Argo CD, Declarative Setup, Resource Exclusion
	}
	return ""
}
