package refusal

import "github.com/gwplan/gwplan/loader"

// Place is a Gateway for which a controller judges a spec.
type Place struct {
	// Parameter returns a field of the parameters in force at the Gateway, and whether it is known.
	Parameter func(path ...string) (value *loader.Value, known bool)
}

// There returns what the controller refuses in a spec for a Gateway, beyond what it refuses everywhere.
type There func(spec *loader.Value, at Place) []Refusal

var places = map[string]There{
	"envoy-gateway-extension": unregisteredModules,
}

// At returns the function for Gateways with a name, or nil.
func At(name string) There { return places[name] }
