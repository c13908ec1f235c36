package refusal

import "github.com/gwplan/gwplan/loader"

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
