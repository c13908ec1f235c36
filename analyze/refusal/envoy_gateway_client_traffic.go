package refusal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// envoyGatewayClientTraffic follows Envoy Gateway, internal/gatewayapi/clienttrafficpolicy.go, translateListenerHeaderSettings,
// translateHeaderModifier and buildConnection; http.go, buildIRHTTP2Settings; tls.go, validateCipherSuites.
func envoyGatewayClientTraffic(spec *loader.Value) []Refusal {
	out := slices.Concat(
		modifiers(spec.Get("headers"), "earlyRequestHeaders"), modifiers(spec.Get("headers"), "lateResponseHeaders"),
		within(spec, "connection.bufferLimit", "0", maxUint32), windows(spec, "http2"),
	)
	validation := spec.At("tls.clientValidation")
	out = append(out, holders(validation.List("caCertificateRefs"), "tls.clientValidation.caCertificateRefs")...)
	out = append(out, holders(validation.Get("crl").List("refs"), "tls.clientValidation.crl")...)
	for _, cipher := range spec.At("tls.ciphers").ItemList() {
		if text, known := written(cipher); known && !ciphers[text] {
			return append(out, Refusal{Path: "tls.ciphers", At: cipher, Why: "Envoy does not know the cipher " + text})
		}
	}
	return out
}

// holders judges references to what holds certificates (clienttrafficpolicy.go, validateAndGetDataAtKeyInRef). They mean Secrets where
// they name no kind.
func holders(refs []*loader.Value, path string) []Refusal {
	for _, ref := range refs {
		if kind, known := written(ref.Get("kind")); known && !slices.Contains([]string{"Secret", "ConfigMap", "ClusterTrustBundle"}, kind) {
			return []Refusal{{Path: path, At: ref.Get("kind"), Why: "a " + kind + " holds no certificates"}}
		}
	}
	return nil
}

const maxUint32 = "4294967295"

// ciphers are those that Envoy takes, by their names of OpenSSL and of IANA (internal/gatewayapi/tls.go, validCipherSuites).
var ciphers = map[string]bool{
	"ECDHE-ECDSA-AES128-GCM-SHA256": true, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": true,
	"ECDHE-RSA-AES128-GCM-SHA256": true, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": true,
	"ECDHE-ECDSA-AES256-GCM-SHA384": true, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": true,
	"ECDHE-RSA-AES256-GCM-SHA384": true, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": true,
	"ECDHE-ECDSA-CHACHA20-POLY1305": true, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": true,
	"ECDHE-RSA-CHACHA20-POLY1305": true, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": true,
	"ECDHE-ECDSA-AES128-SHA": true, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA": true,
	"ECDHE-RSA-AES128-SHA": true, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": true,
	"AES128-GCM-SHA256": true, "TLS_RSA_WITH_AES_128_GCM_SHA256": true,
	"AES128-SHA": true, "TLS_RSA_WITH_AES_128_CBC_SHA": true,
	"ECDHE-ECDSA-AES256-SHA": true, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA": true,
	"ECDHE-RSA-AES256-SHA": true, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA": true,
	"AES256-GCM-SHA384": true, "TLS_RSA_WITH_AES_256_GCM_SHA384": true,
	"AES256-SHA": true, "TLS_RSA_WITH_AES_256_CBC_SHA": true,
}

// windows judges the flow control of HTTP/2 (http.go, buildIRHTTP2Settings).
func windows(spec *loader.Value, at string) []Refusal {
	const least, most = "65535", "2147483647"
	return append(within(spec, at+".initialStreamWindowSize", least, most), within(spec, at+".initialConnectionWindowSize", least, most)...)
}

// headerValue is what the value of a header may be (internal/gatewayapi/filters.go, HeaderValueRegexp).
var headerValue = regexp.MustCompile(`^[!-~]+([\t ]?[!-~]+)*$`)

// modifiers judges edits of headers for a whole listener (translateHeaderModifier).
func modifiers(headers *loader.Value, field string) []Refusal {
	at := headers.Get(field)
	path := "headers." + field
	if at.IsNull() {
		return nil
	}
	edits := 0
	for _, list := range []string{"add", "set", "addIfAbsent"} {
		for _, one := range at.List(list) {
			edits++
			if name, known := written(one.Get("name")); known && (name == "" || strings.ContainsAny(name, "/:")) {
				return []Refusal{{Path: path, At: one.Get("name"), Why: "a header has a name that no header can have"}}
			}
			if value, known := written(one.Get("value")); known && !headerValue.MatchString(value) {
				return []Refusal{{Path: path, At: one.Get("value"), Why: "a header has a value that no header can have"}}
			}
		}
	}
	for _, one := range at.List("remove") {
		edits++
		if one.Shape == loader.String && one.Text == "" {
			return []Refusal{{Path: path, At: one, Why: "a header without a name cannot be removed"}}
		}
	}
	if edits+len(at.List("removeOnMatch")) == 0 && !at.Opaque {
		return []Refusal{{Path: path, At: at, Why: "it neither adds, sets nor removes a header"}}
	}
	return nil
}
