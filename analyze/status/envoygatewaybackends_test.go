package status_test

import (
	"slices"
	"strings"
	"testing"
)

// What Envoy Gateway makes of its Backend, of ServiceImports and of filters at backends, by the functions of its package
// internal/gatewayapi.
func TestEnvoyGatewayBackends(t *testing.T) {
	const (
		accepted    = "g Accepted=True/Accepted"
		resolved    = accepted + " ResolvedRefs=True/ResolvedRefs"
		invalid     = "g Accepted=False/Invalid"
		fqdn        = "endpoints: [{fqdn: {hostname: a.example, port: 443}}]"
		imported    = "{apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport, metadata: {name: si, namespace: shop}, spec: {ports: [{port: 80, protocol: TCP}]}}"
		asksBackend = "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}], extAuth: {http: {backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: be}]}}"
		bundle      = "{apiVersion: certificates.k8s.io/v1beta1, kind: ClusterTrustBundle, metadata: {name: ca}, spec: {trustBundle: x}}"
	)
	unresolved := func(reason string) []string { return []string{accepted + " ResolvedRefs=False/" + reason} }
	backend := func(spec string) string {
		return "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: Backend, metadata: {name: be, namespace: shop}, spec: {" + spec + "}}"
	}
	toBackend := func(refs string) string {
		return egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: be"+refs+"}]}")
	}
	toImport := func(port string) string {
		return egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: multicluster.x-k8s.io, kind: ServiceImport, name: si"+port+"}]}")
	}
	filtered := func(kind, filter string) string {
		return egRoute(kind, "shop", "r", "", "{backendRefs: [{name: svc, port: 80, filters: ["+filter+"]}]}")
	}
	byPolicy := func(section string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: BackendTLSPolicy, metadata: {name: p, namespace: shop}, spec: {targetRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: be" + section + "}], " +
			"validation: {hostname: x.example, wellKnownCACertificates: System}}}"
	}
	plain := egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80}]}")
	for _, tt := range []struct {
		name, object string
		manifests    []string
		want         []string
	}{
		{"validateBackend: hostnames", "HTTPRoute/r", []string{backend(fqdn), toBackend("")}, []string{resolved}},
		{"validateHostname: a single label", "HTTPRoute/r", []string{backend("endpoints: [{fqdn: {hostname: local, port: 443}}]"), toBackend("")}, unresolved("InvalidAddress")},
		{"validateHostname: an address", "HTTPRoute/r", []string{backend("endpoints: [{fqdn: {hostname: 10.0.0.1, port: 443}}]"), toBackend("")}, unresolved("InvalidAddress")},
		{"validateHostname: no domain name", "HTTPRoute/r", []string{backend("endpoints: [{hostname: a_b.example, ip: {address: 10.0.0.1, port: 443}}]"), toBackend("")}, unresolved("InvalidAddress")},
		{"validateHostname: a variable may be anything", "HTTPRoute/r", []string{backend("endpoints: [{fqdn: {hostname: '${HOST}', port: 443}}]"), toBackend("")}, []string{resolved}},
		{"validateIP: loopback", "HTTPRoute/r", []string{backend("endpoints: [{ip: {address: '::1', port: 443}}]"), toBackend("")}, unresolved("InvalidAddress")},
		{"validateIP: no address", "HTTPRoute/r", []string{backend("endpoints: [{ip: {address: 10.0.0, port: 443}}]"), toBackend("")}, unresolved("InvalidAddress")},
		{"validateBackendRefBackend: a Unix socket", "HTTPRoute/r", []string{backend("endpoints: [{unix: {path: /s}}]"), toBackend("")}, unresolved("UnsupportedAddressType")},
		{"validateDestinationSettings: hostnames and addresses", "HTTPRoute/r", []string{backend("endpoints: [{ip: {address: 10.0.0.1, port: 443}}, {fqdn: {hostname: a.example, port: 443}}]"), toBackend("")}, unresolved("UnsupportedAddressType")},
		{"validateBackend: a resolver with endpoints", "HTTPRoute/r", []string{backend("type: DynamicResolver, " + fqdn), toBackend("")}, unresolved("InvalidBackendRef")},
		{"processHTTPRouteRules: a resolver alone", "HTTPRoute/r", []string{backend("type: DynamicResolver"), toBackend("")}, []string{resolved}},
		{"processHTTPRouteRules: a resolver among others", "HTTPRoute/r", []string{backend("type: DynamicResolver"), toBackend("}, {name: svc, port: 80")}, unresolved("InvalidBackendRef")},
		{"validateBackendTLSSettings: no authority", "HTTPRoute/r", []string{backend(fqdn + ", tls: {}"), toBackend("")}, unresolved("InvalidBackendRef")},
		{"validateBackendTLSSettings: nobody verifies", "HTTPRoute/r", []string{backend(fqdn + ", tls: {insecureSkipVerify: true}"), toBackend("")}, []string{resolved}},
		{"validateBackendTLSSettings: a policy has one", "HTTPRoute/r", []string{backend(fqdn + ", tls: {}"), toBackend(""), byPolicy("")}, []string{resolved}},
		{"validateBackendTLSSettings: one for each port", "HTTPRoute/r", []string{backend(fqdn + ", tls: {}"), toBackend(", port: 443"), byPolicy(", sectionName: '443'")}, []string{resolved}},
		{"validateBackendTLSSettings: one for another port", "HTTPRoute/r", []string{backend(fqdn + ", tls: {}"), toBackend(""), byPolicy(", sectionName: '80'")}, unresolved("InvalidBackendRef")},
		{"getTargetBackendReference: the port is the section", "BackendTLSPolicy/p", []string{backend(fqdn), toBackend(", port: 443"), byPolicy(", sectionName: '443'")}, []string{resolved}},
		{"getTargetBackendReference: another port", "BackendTLSPolicy/p", []string{backend(fqdn), toBackend(", port: 443"), byPolicy(", sectionName: '80'")}, nil},
		{"validateBackendServiceImport: its port", "HTTPRoute/r", []string{imported, toImport(", port: 80")}, []string{resolved}},
		{"validateBackendServiceImport: another port", "HTTPRoute/r", []string{imported, toImport(", port: 81")}, unresolved("PortNotFound")},
		{"validateBackendPort: none", "HTTPRoute/r", []string{imported, toImport("")}, unresolved("PortNotSpecified")},
		{"validateBackendRefFilters: a path", "HTTPRoute/r", []string{filtered("HTTPRoute", "{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: /x}}}")}, unresolved("UnsupportedRefValue")},
		{"validateBackendRefFilters: a host", "HTTPRoute/r", []string{filtered("HTTPRoute", "{type: URLRewrite, urlRewrite: {hostname: x.example}}")}, []string{resolved}},
		{"validateBackendRefFilters: a GRPCRoute has no extensions there", "GRPCRoute/r", []string{filtered("GRPCRoute", "{type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: f}}")}, unresolved("UnsupportedRefValue")},
		{"validateExtServiceBackendReference: a resolver", "SecurityPolicy/p", []string{plain, backend("type: DynamicResolver"), egPolicy("SecurityPolicy", asksBackend)}, []string{invalid}},
		{"processExtServiceDestination: hostnames and addresses", "SecurityPolicy/p", []string{
			plain, backend("endpoints: [{ip: {address: 10.0.0.1, port: 443}}, {fqdn: {hostname: a.example, port: 443}}]"), egPolicy("SecurityPolicy", asksBackend),
		}, []string{invalid}},
		{"processClientTLSSettings: another namespace", "SecurityPolicy/p", []string{
			plain, backend(fqdn + ", tls: {wellKnownCACertificates: System, clientCertificateRef: {name: c, namespace: other}}"), egPolicy("SecurityPolicy", asksBackend),
		}, []string{invalid}},
		{"validateBackendTLSSettings: a namespace with a variable", "HTTPRoute/r", []string{
			backend(fqdn + ", tls: {wellKnownCACertificates: System, clientCertificateRef: {name: c, namespace: '${NS}'}}"), toBackend(""), "{apiVersion: v1, kind: Secret, metadata: {name: c, namespace: shop}}",
		}, []string{resolved}},
		{"validateBackendTLSSettings: whether it is verified is not known", "HTTPRoute/r", []string{backend(fqdn + ", tls: {insecureSkipVerify: '${SKIP}'}"), toBackend("")}, []string{resolved}},
		{"validateExtServiceBackendReference: hostnames", "SecurityPolicy/p", []string{plain, backend(fqdn), egPolicy("SecurityPolicy", asksBackend)}, []string{accepted}},
		{"validateExtServiceBackendReference: another port of a ServiceImport", "SecurityPolicy/p", []string{
			plain, imported, egPolicy("SecurityPolicy", strings.Replace(asksBackend, "group: gateway.envoyproxy.io, kind: Backend, name: be", "group: multicluster.x-k8s.io, kind: ServiceImport, name: si, port: 81", 1)),
		}, []string{invalid}},
		{"processServiceDestinationSetting: ExternalName", "SecurityPolicy/p", []string{
			plain, "{apiVersion: v1, kind: Service, metadata: {name: out, namespace: shop}, spec: {type: ExternalName, externalName: a.example, ports: [{port: 80}]}}",
			egPolicy("SecurityPolicy", strings.Replace(asksBackend, "group: gateway.envoyproxy.io, kind: Backend, name: be", "name: out, port: 80", 1)),
		}, []string{invalid}},
		{"getCaCertsFromCARefs: a bundle of the cluster", "BackendTLSPolicy/p", []string{plain, bundle, strings.Replace(tlsPolicy("p", "", "ca"), "ConfigMap", "ClusterTrustBundle", 1)}, []string{resolved}},
		{"getCaCertsFromCARefs: a bundle that is not there", "BackendTLSPolicy/p", []string{plain, strings.Replace(tlsPolicy("p", "", "ca"), "ConfigMap", "ClusterTrustBundle", 1)}, []string{"g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(statuses(t, egWorld+"---\n"+strings.Join(tt.manifests, "\n---\n"))[tt.object])
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s:\n got %q\nwant %q", tt.object, got, tt.want)
			}
		})
	}
}
