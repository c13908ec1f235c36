// Package flags switches on, as an installation does through istiod's environment, what its default leaves off: ambient
// mode (waypoints are a part of it), its gateways between networks, and the alpha kinds of Gateway API (XBackendTrafficPolicy).
//
// Istio reads its environment while its packages initialise. Go initialises packages in the order of their import paths
// where their imports allow, so this one, which imports only the standard library, comes before all of istio.io.
package flags

import "os"

func init() {
	for _, name := range []string{"PILOT_ENABLE_AMBIENT", "PILOT_ENABLE_ALPHA_GATEWAY_API", "AMBIENT_ENABLE_MULTI_NETWORK"} {
		if err := os.Setenv(name, "true"); err != nil {
			panic(err) // the name is a valid one
		}
	}
}
