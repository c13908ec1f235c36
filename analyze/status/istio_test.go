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
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(statuses(t, strings.Join(append([]string{class, gateway, svc, ca}, tt.manifests...), "\n---\n"))["BackendTLSPolicy/b"])
			if !slices.Equal(got, tt.want) {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}
