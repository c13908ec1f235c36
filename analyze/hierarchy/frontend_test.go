package hierarchy_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

const (
	goodAuthority = "{group: '', kind: ConfigMap, name: ca}"
	goneAuthority = "{group: '', kind: ConfigMap, name: gone}"
	oddAuthority  = "{group: '', kind: Service, name: ca}"
	farAuthority  = "{group: '', kind: ConfigMap, name: ca, namespace: far}"

	rejected = "Accepted=false/NoValidCACertificate, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/"
)

// validation writes a frontend stanza.
func validation(refs string) string { return "validation: {caCertificateRefs: [" + refs + "]}" }

// conformance gateway-with-invalid-clientcertificate-validation,
// gateway-invalid-default-frontend-client-certificate-validation;
// Gateway API, GatewayTLSConfig.frontend: perPort replaces default whole.
func TestFrontendValidation(t *testing.T) {
	const ca = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}}"
	const farCA = "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: far, name: ca}}"
	toConfigMap := "{group: '', kind: ConfigMap}"
	listeners := "listeners: [" + https("{name: cert}") + ", " + listener("other", 8443, "HTTPS", "tls: {certificateRefs: [{name: cert}]}") + ", " +
		listener("plain", 80, "HTTP", "") + ", " + listener("tls", 9443, "TLS", "tls: {mode: Terminate, certificateRefs: [{name: cert}]}") + "]"
	for _, tt := range []struct {
		name            string
		options         inventory.Options
		byDefault, port string // of port 8443
		more            string
		l, other        string
	}{
		{"a good authority", closed(), validation(goodAuthority), "", ca, well, well},
		{"InvalidCACertificateRef and NoValidCACertificate", closed(), validation(goneAuthority), "", ca, rejected + "InvalidCACertificateRef", rejected + "InvalidCACertificateRef"},
		{"InvalidCACertificateKind", closed(), validation(oddAuthority), "", ca, rejected + "InvalidCACertificateKind", rejected + "InvalidCACertificateKind"},
		{"InvalidCACertificateKind, another group", closed(), validation("{group: acme.io, kind: ConfigMap, name: ca}"), "", ca, rejected + "InvalidCACertificateKind", rejected + "InvalidCACertificateKind"},
		{"RefNotPermitted", closed(), validation(farAuthority), "", farCA, rejected + "RefNotPermitted", rejected + "RefNotPermitted"},
		{"RefNotPermitted before existence", closed(), validation(farAuthority), "", "", rejected + "RefNotPermitted", rejected + "RefNotPermitted"},
		{"permitted", closed(), validation(farAuthority), "", farCA + "\n---\n" + grant("far", fromGateway, toConfigMap), well, well},
		{"a grant for Secrets is none", closed(), validation(farAuthority), "", farCA + "\n---\n" + grant("far", fromGateway, toSecret), rejected + "RefNotPermitted", rejected + "RefNotPermitted"},
		// NoValidCACertificate is for listeners without any good authority.
		{"one of two is good", closed(), validation(goneAuthority + ", " + goodAuthority), "", ca, badReference + "InvalidCACertificateRef", badReference + "InvalidCACertificateRef"},
		{"none of two is good", closed(), validation(goneAuthority + ", " + oddAuthority), "", ca, rejected + "InvalidCACertificateRef", rejected + "InvalidCACertificateRef"},
		{"an authority that trust-manager makes", closed(), validation(goneAuthority), "", "{apiVersion: trust.cert-manager.io/v1alpha1, kind: Bundle, metadata: {name: gone}, spec: {}}", notInInput, notInInput},
		{"an authority that is not in the input", inventory.Options{}, validation(goneAuthority), "", cert, notInInput, notInInput},

		{"perPort replaces default", closed(), validation(goneAuthority), "{port: 8443, tls: {" + validation(goodAuthority) + "}}", ca, rejected + "InvalidCACertificateRef", well},
		{"perPort replaces default with what is worse", closed(), validation(goodAuthority), "{port: 8443, tls: {" + validation(oddAuthority) + "}}", ca, well, rejected + "InvalidCACertificateKind"},
		{"perPort replaces default by nothing", closed(), validation(goneAuthority), "{port: 8443, tls: {}}", ca, rejected + "InvalidCACertificateRef", well},
		{"perPort of another port", closed(), validation(goneAuthority), "{port: 8444, tls: {}}", ca, rejected + "InvalidCACertificateRef", rejected + "InvalidCACertificateRef"},
	} {
		frontend := fmt.Sprintf("tls: {frontend: {default: {%s}, perPort: [%s]}}, ", tt.byDefault, tt.port)
		// Only HTTPS has clients to validate (Gateway API, FrontendTLSConfig).
		rule{tt.name, tt.options, []string{gatewayOf(frontend + listeners), tt.more, cert}, map[string]string{
			"Gateway/ns/g#l": tt.l, "Gateway/ns/g#other": tt.other, "Gateway/ns/g#plain": well, "Gateway/ns/g#tls": well,
		}}.check(t)
	}
}

// The listeners of a ListenerSet are validated by their Gateway's frontend, and
// the authority is looked for beside the Gateway, which names it (Gateway API,
// GatewayTLSConfig.frontend: it applies to the whole Gateway).
func TestFrontendOfListenerSet(t *testing.T) {
	frontend := func(refs string) string {
		return gatewayOf("allowedListeners: {namespaces: {from: All}}, tls: {frontend: {default: {" + validation(refs) + "}}}, listeners: [" + http + "]")
	}
	set := listenerSet("sets", "set", https("{name: cert}"))
	here, there := plain("v1", "ConfigMap", "ns", "ca"), plain("v1", "ConfigMap", "sets", "ca")
	secret := plain("v1", "Secret", "sets", "cert")
	rule{"beside the Gateway", closed(), []string{frontend(goodAuthority), set, secret, here}, map[string]string{"ListenerSet/sets/set#l": well}}.check(t)
	rule{"beside the ListenerSet", closed(), []string{frontend(goodAuthority), set, secret, there}, map[string]string{
		"ListenerSet/sets/set#l": rejected + "InvalidCACertificateRef", "ListenerSet/sets/set": fmt.Sprintf(setRejected, "ListenersNotValid"),
	}}.check(t)
}

// A bad certificate and a bad authority are one condition; the authority rejects
// the listener all the same.
func TestCertificateAndAuthority(t *testing.T) {
	listeners := "listeners: [" + https("{name: cert}") + "]"
	frontend := func(refs string) string {
		return gatewayOf("tls: {frontend: {default: {" + validation(refs) + "}}}, " + listeners)
	}
	ca := plain("v1", "ConfigMap", "ns", "ca")
	rule{"a bad certificate alone", closed(), []string{frontend(goodAuthority), ca}, map[string]string{"Gateway/ns/g#l": badReference + "InvalidCertificateRef"}}.check(t)
	rule{"both", closed(), []string{frontend(goneAuthority), ca}, map[string]string{"Gateway/ns/g#l": rejected + "InvalidCACertificateRef"}}.check(t)
	rule{"an authority that is unknown hides no bad certificate", inventory.Options{}, []string{
		gatewayOf("tls: {frontend: {default: {" + validation(goodAuthority) + "}}}, listeners: [" + https("{kind: ConfigMap, name: cert}") + "]"),
	}, map[string]string{"Gateway/ns/g#l": badReference + "InvalidCertificateRef"}}.check(t)
}

// Gateway API, GatewayReasonListenersNotResolved: a Gateway tells of references
// of its listeners, its own first.
func TestListenersNotResolved(t *testing.T) {
	const notResolved = "Accepted, ResolvedRefs=false/ListenersNotResolved"
	own := func(ref string) string { return "tls: {backend: {clientCertificateRef: " + ref + "}}, " }
	for _, tt := range []struct{ name, tls, listeners, want string }{
		{"a certificate", "", https("{name: gone}"), notResolved},
		{"a certificate of one of two", "", https("{name: gone}") + ", " + http, notResolved},
		{"kinds of route", "", listener("l", 80, "HTTP", "allowedRoutes: {kinds: [{kind: TCPRoute}]}"), notResolved},
		{"all are well", "", https("{name: cert}"), accepted},
		{"its own reference comes first", own("{name: gone}"), https("{name: gone}"), "Accepted, ResolvedRefs=false/InvalidClientCertificateRef"},
		{"its own reference and the listener's are well", own("{name: cert}"), https("{name: cert}"), "Accepted, ResolvedRefs"},
	} {
		rule{tt.name, closed(), []string{gatewayOf(tt.tls + "listeners: [" + tt.listeners + "]"), cert}, map[string]string{"Gateway/ns/g": tt.want}}.check(t)
	}
	rule{"those of a ListenerSet are its own", closed(), []string{open(http), listenerSet("ns", "set", https("{name: gone}"))}, map[string]string{"Gateway/ns/g": accepted}}.check(t)
}

// What holds authorities for a BackendTLSPolicy is its controller's own, and the
// specification's list where nobody says more.
func TestAuthorityKinds(t *testing.T) {
	specified := []string{"ConfigMap"}
	for controller, want := range map[string][]string{
		"":           specified,
		istioGateway: specified,
		envoyGateway: {"ConfigMap", "Secret", "ClusterTrustBundle"},
		nginxGateway: {"ConfigMap", "Secret"},
	} {
		g := claimed(t, under(controller), gateway("g", http))
		if got := g.AuthorityKinds(specified); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", controller, got, want)
		}
	}
}

// conformance gateway-frontend-client-certificate-validation-insecure-fallback:
// the mode of default or of any port.
func TestInsecureFrontendValidationMode(t *testing.T) {
	const insecure = "Accepted, InsecureFrontendValidationMode=true/ConfigurationChanged, ResolvedRefs"
	mode := func(mode string) string {
		return "validation: {mode: " + mode + ", caCertificateRefs: [" + goodAuthority + "]}"
	}
	listeners := "listeners: [" + https("{name: cert}") + "]"
	ca := plain("v1", "ConfigMap", "ns", "ca")
	for _, tt := range []struct{ name, byDefault, perPort, want string }{
		{"default", mode("AllowInsecureFallback"), "", insecure},
		{"one port", mode("AllowValidOnly"), "{port: 1, tls: {" + mode("AllowValidOnly") + "}}, {port: 443, tls: {" + mode("AllowInsecureFallback") + "}}", insecure},
		{"a port that takes it back does not take it from the rest", mode("AllowInsecureFallback"), "{port: 443, tls: {" + mode("AllowValidOnly") + "}}", insecure},
		{"nowhere", mode("AllowValidOnly"), "{port: 443, tls: {" + mode("AllowValidOnly") + "}}", "Accepted, ResolvedRefs"},
		{"not said", validation(goodAuthority), "", "Accepted, ResolvedRefs"},
	} {
		rule{tt.name, closed(), []string{
			gatewayOf(fmt.Sprintf("tls: {frontend: {default: {%s}, perPort: [%s]}}, %s", tt.byDefault, tt.perPort, listeners)), cert, ca,
		}, map[string]string{"Gateway/ns/g": tt.want}}.check(t)
	}
}

// conformance gateway-invalid-tls-backend-configuration,
// gateway-tls-backend-client-certificate: ResolvedRefs of the Gateway, and never
// Accepted.
func TestClientCertificate(t *testing.T) {
	const invalid, refused = "Accepted, ResolvedRefs=false/InvalidClientCertificateRef", "Accepted, ResolvedRefs=false/RefNotPermitted"
	far := "{name: cert, namespace: far}"
	for _, tt := range []struct {
		name      string
		options   inventory.Options
		ref, more string
		want      string
	}{
		{"a Secret beside the Gateway", closed(), "{name: cert}", cert, "Accepted, ResolvedRefs"},
		{"InvalidClientCertificateRef, missing", closed(), "{name: cert}", "", invalid},
		{"InvalidClientCertificateRef, another group", closed(), "{group: acme.io, name: cert}", cert, invalid},
		{"InvalidClientCertificateRef, another kind", closed(), "{kind: ConfigMap, name: cert}", cert, invalid},
		{"RefNotPermitted", closed(), far, farCert, refused},
		{"RefNotPermitted before existence", closed(), far, "", refused},
		{"permitted", closed(), far, farCert + "\n---\n" + grant("far", fromGateway, toSecret), "Accepted, ResolvedRefs"},
		{"permitted and missing", closed(), far, grant("far", fromGateway, toSecret), invalid},
		{"not in the input", inventory.Options{}, "{name: cert}", "", "Accepted, ResolvedRefs=unknown/NotInInput"},
		{"another kind is never a certificate", inventory.Options{}, "{kind: ConfigMap, name: cert}", "", invalid},
		{"another group is never a certificate", inventory.Options{}, "{group: acme.io, name: cert}", "", invalid},
	} {
		rule{tt.name, tt.options, []string{
			gatewayOf("tls: {backend: {clientCertificateRef: " + tt.ref + "}}, listeners: [" + http + "]"), tt.more,
		}, map[string]string{"Gateway/ns/g": tt.want, "Gateway/ns/g#http": well}}.check(t)
	}
}
