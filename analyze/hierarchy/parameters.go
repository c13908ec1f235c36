package hierarchy

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Parameter returns a field of the parameters of a Gateway, or else of those of its class. It is nil
// if the object is not in the input.
func (g *gateways) Parameter(gateway *Node, path ...string) *loader.Value {
	return rootOf(g.ParametersOf(gateway)).Get(path...)
}

// ParametersOf returns the parameters of a Gateway, or else those of its class, or nil.
func (g *gateways) ParametersOf(gateway *Node) *loader.Object {
	if ref := gateway.Value.Get("infrastructure", "parametersRef"); !ref.IsNull() {
		return g.parametersAt(ref, gateway.Namespace())
	}
	class := classOf(gateway)
	if class == nil {
		return nil
	}
	return g.classParameters(class)
}

// ofClass returns the parameters of the class of a Gateway as a whole object, or nil.
func (g *gateways) ofClass(gateway *Node) *loader.Value {
	if class := classOf(gateway); class != nil {
		return g.parametersOf(class)
	}
	return nil
}

// classIsBare reports whether the class of a Gateway is in the input and has no parameters.
func (g *gateways) classIsBare(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && class.Object != nil && class.Value.Get("parametersRef").IsNull()
}

// parametersOf returns the parameters of a GatewayClass as a whole object, or nil.
func (g *gateways) parametersOf(class *Node) *loader.Value { return rootOf(g.classParameters(class)) }

func (g *gateways) classParameters(class *Node) *loader.Object {
	ref := class.Value.Get("parametersRef")
	return g.parametersAt(ref, cmp.Or(ref.Str("namespace"), implementation.For(g.controllerOf(class)).Gateways.ParametersNamespace))
}

func (g *gateways) parametersAt(ref *loader.Value, namespace string) *loader.Object {
	if ref.IsNull() {
		return nil
	}
	return g.Object(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")})
}

func rootOf(o *loader.Object) *loader.Value {
	if o == nil {
		return nil
	}
	return o.Root
}
