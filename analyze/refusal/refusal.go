// Package refusal says what controllers refuse in the spec of a policy where fields depend on each
// other, which the tables of the catalogue cannot express. Each kind has its own file. A catalogue
// entry names its function at refusals.
package refusal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Refusal is a part of a spec for which the controller refuses the policy. Path is the path of the
// part, At the value to correct and Why says what is wrong, in words that follow "Path: ".
type Refusal struct {
	Path string
	At   *loader.Value
	Why  string
	// Untaken means that the controller refuses the policy before it translates it for a route, so that
	// less specific policies are in force there. Of Gateways it does not ask.
	Untaken bool
}

// Check returns what a controller refuses in a spec, in the order in which it checks.
type Check func(spec *loader.Value) []Refusal

var kinds = map[string]Check{
	"envoy-gateway-backend-traffic": envoyGatewayBackendTraffic,
	"envoy-gateway-client-traffic":  envoyGatewayClientTraffic,
	"envoy-gateway-extension":       envoyGatewayExtension,
	"envoy-gateway-security":        envoyGatewaySecurity,
	"kgateway-backend-config":       kgatewayBackendConfig,
	"kgateway-traffic":              kgatewayTraffic,
	"nginx-proxy-settings":          nginxProxySettings,
}

// By returns the function with a name, or nil.
func By(name string) Check { return kinds[name] }

// Words are the names of the functions.
func Words() []string { return slices.Sorted(maps.Keys(kinds)) }

// written returns the text of a scalar, and whether it is known: it is there and no placeholder for
// what a cluster or a later step fills in.
func written(v *loader.Value) (string, bool) {
	if v.IsNull() || v.Opaque || loader.Placeholder(v.Text) {
		return "", false
	}
	return v.Text, true
}

// within judges an amount that must be in a range.
func within(spec *loader.Value, path, least, most string) []Refusal {
	at := spec.At(path)
	text, known := written(at)
	if !known {
		return nil
	}
	below, ok := merge.CompareAmounts(text, least)
	above, _ := merge.CompareAmounts(text, most)
	if !ok || below >= 0 && above <= 0 {
		return nil
	}
	return []Refusal{{Path: path, At: at, Why: fmt.Sprintf("%s is not between %s and %s", text, least, most)}}
}

// duration returns a duration as Gateway API writes it (GEP-2257), and whether it is known.
func duration(v *loader.Value) (time.Duration, bool) {
	text, known := written(v)
	if !known {
		return 0, false
	}
	d, err := time.ParseDuration(strings.TrimSpace(text))
	return d, err == nil
}
