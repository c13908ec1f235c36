// Package feature reads which features of a controller its installation switches on: those that the
// controller's own configuration decides, which is in the values of its chart. Policies that use a
// feature name it in their entry of the catalogue, at features.
package feature

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// State says whether a controller has a feature. Where it has not, Why says so.
type State struct {
	On  fact.Fact
	Why string
}

var features = map[string]func(*loader.Environment) State{
	"envoy-gateway-lua": envoyGatewayLua,
}

// Of returns the state of a feature by its name. It is unknown unless the environment installs the
// controller from a chart whose version and values are known.
func Of(env *loader.Environment, name string) State {
	if of := features[name]; of != nil {
		return of(env)
	}
	return State{On: fact.Unknown}
}

// Same reports whether controllers have the same features in two environments, as far as that is known.
func Same(a, b *loader.Environment) bool {
	return !slices.ContainsFunc(Words(), func(name string) bool { return Of(a, name).On != Of(b, name).On })
}

// Words are the names of the features.
func Words() []string { return slices.Sorted(maps.Keys(features)) }
