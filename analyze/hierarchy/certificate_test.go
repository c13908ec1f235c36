package hierarchy_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

const (
	cert        = "{apiVersion: v1, kind: Secret, metadata: {name: cert}}"
	farCert     = "{apiVersion: v1, kind: Secret, metadata: {namespace: far, name: cert}}"
	fromGateway = "{group: gateway.networking.k8s.io, kind: Gateway, namespace: ns}"
	fromSet     = "{group: gateway.networking.k8s.io, kind: ListenerSet, namespace: ns}"
	toSecret    = "{group: '', kind: Secret}"

	notInInput = "Accepted, NoConflicts, ResolvedRefs=unknown/NotInInput"
)

// https writes the HTTPS listener l with certificateRefs.
func https(refs string) string {
	return listener("l", 443, "HTTPS", "tls: {certificateRefs: ["+refs+"]}")
}

func TestCertificates(t *testing.T) {
	const near, far = "{name: cert}", "{name: cert, namespace: far}"
	gone := inventory.Options{Gone: map[loader.ID]bool{{Kind: "Secret", Namespace: "ns", Name: "cert"}: true}}
	external := inventory.Options{Complete: true, External: map[loader.ID]bool{{Kind: "Secret", Namespace: "ns", Name: "cert"}: true}}
	for _, tt := range []struct {
		name     string
		options  inventory.Options
		listener string
		more     []string
		want     string
	}{
		{"a Secret beside the Gateway", closed(), https(near), []string{cert}, well},
		// conformance gateway-invalid-tls-configuration.
		{"InvalidCertificateRef, missing", closed(), https(near), nil, badReference + "InvalidCertificateRef"},
		{"InvalidCertificateRef, another group", closed(), https("{group: acme.io, name: cert}"), []string{cert}, badReference + "InvalidCertificateRef"},
		{"InvalidCertificateRef, another kind", closed(), https("{kind: ConfigMap, name: cert}"), []string{plain("v1", "ConfigMap", "ns", "cert")}, badReference + "InvalidCertificateRef"},
		// Gateway API, ListenerReasonInvalidCertificateRef: at least one.
		{"InvalidCertificateRef, one of two", closed(), https(near + ", {name: other}"), []string{cert}, badReference + "InvalidCertificateRef"},
		{"TLS that ends here", closed(), "{name: l, port: 443, protocol: TLS, tls: {mode: Terminate, certificateRefs: [{name: cert}]}}", nil, badReference + "InvalidCertificateRef"},
		{"TLS that passes through has no certificates", closed(), "{name: l, port: 443, protocol: TLS, tls: {mode: Passthrough, certificateRefs: [{name: cert}]}}", nil, well},

		// What an input does not hold may be elsewhere, unless it says that it holds everything.
		{"missing is unknown", inventory.Options{}, https(near), nil, notInInput},
		{"known to be gone", gone, https(near), nil, badReference + "InvalidCertificateRef"},
		{"known to live elsewhere", external, https(near), nil, well},
		{"another kind is never a certificate", inventory.Options{}, https("{kind: ConfigMap, name: cert}"), nil, badReference + "InvalidCertificateRef"},
		{"what is sure comes before what is not", inventory.Options{}, https(near + ", {kind: ConfigMap, name: cert}"), nil, badReference + "InvalidCertificateRef"},

		// conformance gateway-secret-missing-reference-grant; since v1.7 (#5306) the Secret need not exist.
		{"RefNotPermitted", closed(), https(far), []string{farCert}, badReference + "RefNotPermitted"},
		{"RefNotPermitted before existence", closed(), https(far), nil, badReference + "RefNotPermitted"},
		{"RefNotPermitted where the input is open", inventory.Options{}, https(far), []string{farCert}, badReference + "RefNotPermitted"},
		{"a grant may be where a Secret is that lives elsewhere", inventory.Options{External: map[loader.ID]bool{{Kind: "Secret", Namespace: "far", Name: "cert"}: true}}, https(far), nil, notInInput},
		{"a grant may be where the Secret is", inventory.Options{}, https(far), nil, notInInput},
		{"permitted and missing", closed(), https(far), []string{grant("far", fromGateway, toSecret)}, badReference + "InvalidCertificateRef"},
		{"the own namespace needs no grant", closed(), https("{name: cert, namespace: ns}"), []string{cert}, well},
		{"the kind comes before the grant", closed(), https("{kind: ConfigMap, name: cert, namespace: far}"), nil, badReference + "InvalidCertificateRef"},
	} {
		rule{tt.name, tt.options, append(tt.more, gateway("g", tt.listener)), map[string]string{"Gateway/ns/g#l": tt.want}}.check(t)
	}
}

// conformance gateway-secret-invalid-reference-grant, -reference-grant-specific,
// -reference-grant-all-in-namespace; listenerset-reference-grant: nothing is
// inherited between a Gateway and its ListenerSets.
func TestCertificateGrants(t *testing.T) {
	far := https("{name: cert, namespace: far}")
	for _, tt := range []struct {
		name, grant  string
		gateway, set bool
	}{
		{"none", "", false, false},
		{"for Gateways", grant("far", fromGateway, toSecret), true, false},
		{"for ListenerSets", grant("far", fromSet, toSecret), false, true},
		{"for both", grant("far", fromGateway+", "+fromSet, toSecret), true, true},
		{"to the name", grant("far", fromGateway, "{group: '', kind: Secret, name: cert}"), true, false},
		{"to another name", grant("far", fromGateway, "{group: '', kind: Secret, name: other}"), false, false},
		{"to another kind", grant("far", fromGateway, toService), false, false},
		{"to another group", grant("far", fromGateway, "{group: acme.io, kind: Secret}"), false, false},
		{"from another kind", grant("far", fromHTTP, toSecret), false, false},
		{"from another group", grant("far", "{group: acme.io, kind: Gateway, namespace: ns}", toSecret), false, false},
		{"from another namespace", grant("far", "{group: gateway.networking.k8s.io, kind: Gateway, namespace: far}", toSecret), false, false},
		{"of another namespace", grant("ns", fromGateway, toSecret), false, false},
	} {
		want := map[bool]string{true: well, false: badReference + "RefNotPermitted"}
		rule{
			tt.name, closed(),
			[]string{open(far), listenerSet("ns", "set", strings.Replace(far, "443", "444", 1)), farCert, tt.grant},
			map[string]string{"Gateway/ns/g#l": want[tt.gateway], "ListenerSet/ns/set#l": want[tt.set]},
		}.check(t)
	}
}

// Secrets are hardly ever in Git: who makes them is named, and what somebody
// makes is not missing from an input that holds everything.
func TestProducers(t *testing.T) {
	const made = "Secret ns/cert is not in the input"
	annotated := strings.Replace(gateway("g", https("{name: cert}")), "metadata: {", "metadata: {annotations: {cert-manager.io/%}, ", 1)
	for _, tt := range []struct {
		name, producer, gateway, want string
	}{
		{
			"cert-manager, a Certificate", "{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: www}, spec: {secretName: cert}}",
			"", made + "; it is made by Certificate ns/www",
		},
		{
			"External Secrets, a name", "{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: www}, spec: {target: {name: cert}}}",
			"", made + "; it is made by ExternalSecret ns/www",
		},
		{
			"External Secrets, its own name", "{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: cert}, spec: {}}",
			"", made + "; it is made by ExternalSecret ns/cert",
		},
		{
			"Sealed Secrets", "{apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: {name: cert}, spec: {}}",
			"", made + "; it is made by SealedSecret ns/cert",
		},
		{
			"External Secrets, in many namespaces", "{apiVersion: external-secrets.io/v1, kind: ClusterExternalSecret, metadata: {name: www}, spec: {externalSecretSpec: {target: {name: cert}}}}",
			"", made + "; it is made by ClusterExternalSecret ns/www",
		},
		{
			"1Password", "{apiVersion: onepassword.com/v1, kind: OnePasswordItem, metadata: {name: cert}, spec: {}}",
			"", made + "; it is made by OnePasswordItem ns/cert",
		},
		{
			"Vault", "{apiVersion: secrets.hashicorp.com/v1beta1, kind: VaultPKISecret, metadata: {name: www}, spec: {destination: {name: cert}}}",
			"", made + "; it is made by VaultPKISecret ns/www",
		},
		{
			"Helm, the one release of the namespace", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: www}, spec: {}}",
			"", made + "; it may be rendered by HelmRelease ns/www (all.yaml:3:1)",
		},
		{
			"Helm, a release into the namespace", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {namespace: flux, name: www}, spec: {targetNamespace: ns}}",
			"", made + "; it may be rendered by HelmRelease flux/www (all.yaml:3:1)",
		},
		{
			"Helm, the release of its name", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: cert}}\n---\n" +
				"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: www}}",
			"", made + "; it may be rendered by HelmRelease ns/cert (all.yaml:3:1)",
		},
		{
			"Helm, one of several", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: a}}\n---\n" +
				"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: b}}",
			"", made + "; it may be rendered by one of the 2 HelmReleases of namespace ns",
		},
		// cert-manager makes the certificates of an annotated Gateway itself.
		{
			"cert-manager, an Issuer", "", strings.Replace(annotated, "%", "issuer: ours", 1),
			made + "; it is made by cert-manager (issuer: ours)",
		},
		{
			"cert-manager, a ClusterIssuer", "", strings.Replace(annotated, "%", "cluster-issuer: ours", 1),
			made + "; it is made by cert-manager (cluster-issuer: ours)",
		},
		// None of these makes it.
		{"a Certificate of another Secret", "{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: cert}, spec: {secretName: other}}", "", ""},
		{"a Certificate of another namespace", "{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {namespace: far, name: www}, spec: {secretName: cert}}", "", ""},
		{"a Certificate of another group", "{apiVersion: acme.io/v1, kind: Certificate, metadata: {name: www}, spec: {secretName: cert}}", "", ""},
		{"a release of another namespace", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {namespace: far, name: cert}}", "", ""},
		{"another annotation", "", strings.Replace(annotated, "%", "duration: 90d", 1), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			owner := tt.gateway
			if owner == "" {
				owner = gateway("g", https("{name: cert}"))
			}
			g := claimed(t, closed(), owner, tt.producer)
			want := notInInput
			if tt.want == "" {
				want, tt.want = badReference+"InvalidCertificateRef", "Secret ns/cert does not exist"
			}
			if got := verdict(t, g, "Gateway/ns/g#l"); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			if got := conditionOf(t, g, "Gateway/ns/g#l", hierarchy.ResolvedRefs).Message; got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// cert-manager's annotation counts on the object whose listener asks, and for
// Secrets beside it.
func TestProducerOfListenerSet(t *testing.T) {
	annotated := func(manifest string) string {
		return strings.Replace(manifest, "metadata: {", "metadata: {annotations: {cert-manager.io/issuer: ours}, ", 1)
	}
	near, far := https("{name: cert}"), https("{name: cert, namespace: far}")
	set := func(l string) string { return listenerSet("ns", "set", strings.Replace(l, "443", "444", 1)) }
	granted := grant("far", fromSet, toSecret)
	rule{"of the ListenerSet", closed(), []string{open(near), annotated(set(near))}, map[string]string{
		"Gateway/ns/g#l": badReference + "InvalidCertificateRef", "ListenerSet/ns/set#l": notInInput,
	}}.check(t)
	rule{"of the Gateway", closed(), []string{annotated(open(near)), set(near)}, map[string]string{
		"Gateway/ns/g#l": notInInput, "ListenerSet/ns/set#l": badReference + "InvalidCertificateRef",
	}}.check(t)
	rule{"in another namespace", closed(), []string{open(http), annotated(set(far)), granted}, map[string]string{
		"ListenerSet/ns/set#l": badReference + "InvalidCertificateRef",
	}}.check(t)
	rule{"beside a Secret that is there", closed(), []string{annotated(open(near)), cert}, map[string]string{"Gateway/ns/g#l": well}}.check(t)
}

// While something could not be rendered, nothing where it could be is missing.
func TestGapsHideCertificates(t *testing.T) {
	for _, tt := range []struct{ name, namespace, want string }{
		{"anywhere", "", notInInput},
		{"here", "ns", notInInput},
		{"elsewhere", "far", badReference + "InvalidCertificateRef"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := environment(t, gateway("g", https("{name: cert}")), class("controllerName: acme.io/controller"))
			env.Gaps = []loader.Gap{{Kind: "chart", Name: "www", Namespace: tt.namespace}}
			g := hierarchy.Build(env, closed())
			if got := verdict(t, g, "Gateway/ns/g#l"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			message := conditionOf(t, g, "Gateway/ns/g#l", hierarchy.ResolvedRefs).Message
			if named := strings.Contains(message, "chart www"); named != (tt.want == notInInput) {
				t.Errorf("message %q", message)
			}
		})
	}
}
