package refusal

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// defaultHost judges a listener for clients of HTTP/1.0, which send no hostname: its own or the only one of its routes stands in for it
// (Envoy Gateway, internal/gatewayapi/clienttrafficpolicy.go, translateHTTP1Settings).
func defaultHost(spec *loader.Value, at Place) []Refusal {
	const path = "http1.http10.useDefaultHost"
	use := spec.At(path)
	if text, known := written(use); !known || text != "true" || at.Hostname != "" && !strings.Contains(at.Hostname, "*") || loader.Placeholder(at.Hostname) {
		return nil
	}
	switch n, known := at.NamedWays(); {
	case n > 1:
		return []Refusal{{Path: path, At: use, Why: "the listener has a wildcard as its hostname or none, and its routes more than one match with a hostname"}}
	case n == 0 && known:
		return []Refusal{{Path: path, At: use, Why: "neither the listener nor one of its routes has a hostname without a wildcard"}}
	}
	return nil
}

// geography judges rules for clients of places: the listener must know its clients' addresses in one way, and the EnvoyProxy must have
// the data for what the rules ask (Envoy Gateway, internal/gatewayapi/securitypolicy.go, validateAuthorizationGeoIP).
func geography(spec *loader.Value, at Place) []Refusal {
	var first *loader.Value
	asked := map[string]bool{}
	for _, rule := range spec.Get("authorization").List("rules") {
		for _, place := range rule.Get("principal").List("clientIPGeoLocations") {
			if first == nil {
				first = place
			}
			for _, field := range place.FieldList() {
				asked[field.Key] = true
			}
		}
	}
	refuse := func(why string) []Refusal {
		return []Refusal{{Path: "authorization.rules.principal.clientIPGeoLocations", At: first, Why: why}}
	}
	if first == nil {
		return nil
	}
	detection, known := at.Clients("clientIPDetection")
	switch {
	case !known || detection != nil && detection.Opaque:
		return nil
	case detection.IsNull():
		return refuse("it needs clientIPDetection of a ClientTrafficPolicy for the listener")
	case len(detection.FieldList()) != 1:
		return refuse("it needs exactly one way of clientIPDetection for the listener")
	case len(detection.Get("xForwardedFor").List("trustedCIDRs")) > 0:
		return refuse("it cannot be used with xForwardedFor.trustedCIDRs of clientIPDetection for the listener")
	}
	has := func(sources ...string) bool {
		for _, source := range sources {
			if v, known := at.Parameter("geoIP", "provider", "maxMind", source); v != nil || !known {
				return true
			}
		}
		return false
	}
	if v, known := at.Parameter("geoIP"); known && v.IsNull() {
		return refuse("it needs geoIP of the EnvoyProxy")
	}
	for _, need := range []struct {
		field   string
		sources []string
	}{
		{"country", []string{"countryDbSource", "cityDbSource"}},
		{"region", []string{"cityDbSource"}},
		{"city", []string{"cityDbSource"}},
		{"asn", []string{"asnDbSource"}},
		{"isp", []string{"ispDbSource"}},
		{"anonymous", []string{"anonymousIpDbSource"}},
	} {
		if asked[need.field] && !has(need.sources...) {
			return refuse(need.field + " needs " + need.sources[0] + " of the EnvoyProxy's geoIP")
		}
	}
	return nil
}
