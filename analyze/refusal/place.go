package refusal

import "github.com/gwplan/gwplan/loader"

// Place is a listener for which a controller judges a spec, or a Gateway.
type Place struct {
	// Parameter returns a field of the parameters in force at the Gateway, and whether it is known.
	Parameter func(path ...string) (value *loader.Value, known bool)
	// Clients returns what the policy for the clients of the listener sets, and whether it is known. It is nil for a Gateway.
	Clients func(path ...string) (value *loader.Value, known bool)
	// Hostname is that of the listener. NamedWays counts the matches of its routes for a hostname without a wildcard, up to two, and says
	// whether the number is known: that there are no others.
	Hostname  string
	NamedWays func() (n int, known bool)
}

// There returns what the controller refuses in a spec at a place, beyond what it refuses everywhere.
type There func(spec *loader.Value, at Place) []Refusal

var (
	atGateways  = map[string]There{"envoy-gateway-extension": unregisteredModules}
	atListeners = map[string]There{"envoy-gateway-security": geography, "envoy-gateway-client-traffic": defaultHost}
)

// AtGateway returns the function for Gateways with a name, or nil.
func AtGateway(name string) There { return atGateways[name] }

// AtListener returns the function for listeners of HTTP with a name, or nil.
func AtListener(name string) There { return atListeners[name] }
