package status_test

import (
	"slices"
	"strings"
	"testing"
)

// The statuses that Istio writes for BackendTLSPolicies (pilot/pkg/config/kube/gateway,
// backend_policies.go, BackendTLSPolicyCollection).
func TestIstio(t *testing.T) {
	const (
		class   = "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: istio}, spec: {controllerName: istio.io/gateway-controller}}"
		gateway = "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: shop}, spec: {gatewayClassName: istio, listeners: [{name: l, port: 80, protocol: HTTP}]}}"
		svc     = "{apiVersion: v1, kind: Service, metadata: {name: svc, namespace: shop}, spec: {ports: [{name: http, port: 80}]}}"
		ca      = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: shop}, data: {ca.crt: x}}"
		good    = " Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs"
		lost    = " Accepted=False/TargetNotFound ResolvedRefs=True/ResolvedRefs"
	)
	toSvc := egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80}]}")
	plain := tlsPolicy("b", "", "ca")
	for _, tt := range []struct {
		name      string
		manifests []string
		want      []string
	}{
		{"the Service and its Gateways", []string{toSvc, plain}, []string{"svc" + good, "g" + good}},
		{"an ignored policy", []string{toSvc, strings.Replace(plain, "namespace: shop}", "namespace: shop, annotations: {istio.io/ignore-policy-attachment: 'TRUE'}}", 1)}, []string{"svc Accepted=False/IgnoredByIstio"}},
		{"an ignored policy takes part in no conflict", []string{
			toSvc, plain, strings.Replace(tlsPolicy("a", "", "ca"), "namespace: shop}", "namespace: shop, annotations: {istio.io/ignore-policy-attachment: 'true'}}", 1),
		}, []string{"svc" + good, "g" + good}},
		{"an error also holds for later targets", []string{
			toSvc, strings.Replace(plain, "targetRefs: [", "targetRefs: [{group: '', kind: Service, name: gone}, ", 1),
		}, []string{"gone" + lost, "svc" + lost, "g" + lost}},
		{"a Gateway that refuses the route", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: gone", "{backendRefs: [{name: svc, port: 80}]}"), plain,
		}, []string{"svc" + good, "g" + good}},
		{"the first authority counts", []string{
			toSvc, strings.Replace(plain, "caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}", "caCertificateRefs: [{group: '', kind: ConfigMap, name: gone}, {group: '', kind: ConfigMap, name: ca}", 1),
		}, []string{
			"svc Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef", "g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef",
		}},
		{"a missing target counts before a bad authority, and holds for what comes after it", []string{
			toSvc, strings.Replace(tlsPolicy("b", "", "gone"), "targetRefs: [", "targetRefs: [{group: '', kind: Service, name: gone}, ", 1),
		}, []string{
			"gone Accepted=False/TargetNotFound ResolvedRefs=False/InvalidCACertificateRef", "svc Accepted=False/TargetNotFound ResolvedRefs=False/InvalidCACertificateRef",
			"g Accepted=False/TargetNotFound ResolvedRefs=False/InvalidCACertificateRef",
		}},
		{"a target of another kind is missing", []string{strings.Replace(plain, "kind: Service, name: svc", "kind: ConfigMap, name: ca", 1)}, []string{"ca" + lost}},
		{"a target of another kind beside a Gateway of somebody else's", []string{
			strings.Replace(plain, "group: '', kind: Service, name: svc", "group: gateway.envoyproxy.io, kind: Backend, name: there", 1),
			"{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: Backend, metadata: {name: there, namespace: shop}, spec: {endpoints: [{fqdn: {hostname: a.example, port: 443}}]}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: eg}, spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: z, namespace: shop}, spec: {gatewayClassName: eg, listeners: [{name: l, port: 80, protocol: HTTP}]}}",
		}, []string{"there" + good}},
		{"a Secret that does not exist is missing, one that does is of a wrong kind", []string{
			toSvc, strings.Replace(plain, "kind: ConfigMap, name: ca", "kind: Secret, name: gone", 1),
		}, []string{
			"svc Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef", "g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef",
		}},
		{"a ConfigMap of another group is of a wrong kind", []string{
			toSvc, strings.Replace(plain, "{group: '', kind: ConfigMap, name: ca", "{group: acme.io, kind: ConfigMap, name: ca", 1),
		}, []string{
			"svc Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidKind", "g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidKind",
		}},
		{"a Gateway that does not exist", []string{strings.Replace(toSvc, "name: g", "name: gone", 1), plain}, []string{"svc" + good, "gone" + good}},
		{"an unknown well-known authority", []string{
			toSvc, strings.Replace(plain, "caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}]", "wellKnownCACertificates: acme.io/own", 1),
		}, []string{"svc Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs", "g Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(statuses(t, strings.Join(append([]string{class, gateway, svc, ca}, tt.manifests...), "\n---\n"))["BackendTLSPolicy/b"])
			if !slices.Equal(got, tt.want) {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Policies about traffic share a target, which must be a Service, and have no Gateway as an ancestor
// (BackendTrafficPolicyCollection).
func TestIstioBackendTraffic(t *testing.T) {
	manifests := strings.Join([]string{
		"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: istio}, spec: {controllerName: istio.io/gateway-controller}}",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: shop}, spec: {gatewayClassName: istio, listeners: [{name: l, port: 80, protocol: HTTP}]}}",
		"{apiVersion: v1, kind: Service, metadata: {name: svc, namespace: shop}, spec: {ports: [{name: http, port: 80}]}}",
		egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80}]}"),
		"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackendTrafficPolicy, metadata: {name: a, namespace: shop}, spec: {targetRefs: [{group: '', kind: Service, name: svc}]}}",
		"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackendTrafficPolicy, metadata: {name: b, namespace: shop}, spec: {targetRefs: [{group: '', kind: Service, name: svc}, {group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}]}}",
		"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackendTrafficPolicy, metadata: {name: c, namespace: shop, annotations: {istio.io/ignore-policy-attachment: 'true'}}, spec: {targetRefs: [{group: '', kind: Service, name: svc}]}}",
	}, "\n---\n")
	for name, want := range map[string][]string{
		"a": {"svc Accepted=True/Accepted"}, "b": {"svc Accepted=True/Accepted", "r Accepted=False/TargetNotFound"}, "c": {"svc Accepted=False/IgnoredByIstio"},
	} {
		if got := shown(statuses(t, manifests)["XBackendTrafficPolicy/"+name]); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

// An XBackend has an entry for itself, and one for each Gateway that routes to it name
// (BackendResourcePolicyCollection, backendResourceTLSSettings).
func TestIstioXBackend(t *testing.T) {
	const good = " Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs"
	for spec, want := range map[string]string{
		"type: ExternalHostname, externalHostname: {hostname: a.example}, port: {port: 443}": good,
		"type: Endpoints": " Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs",
		"type: ExternalHostname, externalHostname: {hostname: a.example}, tls: {mode: None, validation: {caCertificateRefs: [{name: gone}]}}":                                   good,
		"type: ExternalHostname, externalHostname: {hostname: a.example}, tls: {mode: ClientAndServer}":                                                                         " Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs",
		"type: ExternalHostname, externalHostname: {hostname: a.example}, tls: {mode: ServerOnly, validation: {wellKnownCACertificates: Own}}":                                  " Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs",
		"type: ExternalHostname, externalHostname: {hostname: a.example}, tls: {mode: ServerOnly, validation: {caCertificateRefs: [{group: '', kind: ConfigMap, name: gone}]}}": " Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef",
	} {
		got := statuses(t, strings.Join([]string{
			"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: istio}, spec: {controllerName: istio.io/gateway-controller}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: shop}, spec: {gatewayClassName: istio, listeners: [{name: l, port: 80, protocol: HTTP}]}}",
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: gateway.networking.x-k8s.io, kind: XBackend, name: x}]}"),
			"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackend, metadata: {name: x, namespace: shop}, spec: {" + spec + "}}",
		}, "\n---\n"))["XBackend/x"]
		var entries []string
		for _, p := range got.Parents {
			text := p.ParentRef.Kind + "/" + p.ParentRef.Name + " by " + p.ControllerName
			for _, c := range p.Conditions {
				text += " " + c.Type + "=" + c.Status + "/" + c.Reason
			}
			entries = append(entries, text)
		}
		if want := []string{"XBackend/x by istio.io/mesh-controller" + want, "Gateway/g by istio.io/gateway-controller" + want}; !slices.Equal(entries, want) {
			t.Errorf("%s:\n got %q\nwant %q", spec, entries, want)
		}
	}
}
