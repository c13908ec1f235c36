package hierarchy

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Parameter returns a field of the parameters of a Gateway, or else of those of its class. It is nil
// if the object is not in the input.
func (g *gateways) Parameter(gateway *Node, path ...string) *loader.Value {
	if ref := gateway.Value.Get("infrastructure", "parametersRef"); !ref.IsNull() {
		return g.parametersAt(ref, gateway.Namespace()).Get(path...)
	}
	class := classOf(gateway)
	if class == nil {
		return nil
	}
	return g.parametersOf(class).Get(path...)
}

// parametersOf returns the parameters of a GatewayClass as a whole object, or nil.
func (g *gateways) parametersOf(class *Node) *loader.Value {
	ref := class.Value.Get("parametersRef")
	return g.parametersAt(ref, cmp.Or(ref.Str("namespace"), implementation.For(g.controllerOf(class)).Gateways.ParametersNamespace))
}

func (g *gateways) parametersAt(ref *loader.Value, namespace string) *loader.Value {
	if ref.IsNull() {
		return nil
	}
	o := g.Object(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")})
	if o == nil {
		return nil
	}
	return o.Root
}
