package hierarchy

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Parameter returns a field of the parameters of a Gateway, or else of those of its class. It is nil
// if the object is not in the input.
func (g *gateways) Parameter(gateway *Node, path ...string) *loader.Value {
	return rootOf(g.parametersOf(gateway)).Get(path...)
}

// parametersOf returns the parameters of a Gateway, or else those of its class, or nil.
func (g *gateways) parametersOf(gateway *Node) *loader.Object {
	if ref := gateway.Value.Get("infrastructure", "parametersRef"); !ref.IsNull() {
		return parametersAt(g, ref, gateway.Namespace())
	}
	class := classOf(gateway)
	if class == nil {
		return nil
	}
	return g.classParameters(class)
}

// Setting returns a field of the parameters of a Gateway, or of those of its class where they do not set it. bare means that neither
// has parameters that are there; known is false if it is not known whether some are.
func (g *gateways) Setting(gateway *Node, path ...string) (bare bool, value *loader.Value, known bool) {
	bare, known = true, true
	if ref := gateway.Value.Get("infrastructure", "parametersRef"); !ref.IsNull() {
		o := parametersAt(g, ref, gateway.Namespace())
		if v := rootOf(o).Get(path...); v != nil {
			return false, v, true
		}
		bare, known = o == nil, o != nil || lacks(g, ref, gateway.Namespace())
	}
	class := classOf(gateway)
	if class == nil || class.Object == nil {
		return bare, nil, false
	}
	if !class.Value.Get("parametersRef").IsNull() {
		o := g.classParameters(class)
		if v := rootOf(o).Get(path...); v != nil {
			return false, v, true
		}
		bare, known = bare && o == nil, known && (o != nil || lacks(g, class.Value.Get("parametersRef"), class.Value.Str("parametersRef", "namespace")))
	}
	return bare, nil, known
}

// SettingsOf returns the objects that the parametersRefs of a Gateway and of its class name.
func (g *gateways) SettingsOf(gateway *Node) (out []loader.ID) {
	add := func(ref *loader.Value, namespace string) {
		if !ref.IsNull() {
			out = append(out, loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")})
		}
	}
	add(gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	if class := classOf(gateway); class != nil {
		ref := class.Value.Get("parametersRef")
		add(ref, ref.Str("namespace"))
	}
	return out
}

// settingOf is Setting of a field that an implementation may not have.
func settingOf(g *gateways, gateway *Node, path []string) (value *loader.Value, known bool) {
	if len(path) == 0 || gateway.Object == nil {
		return nil, true
	}
	_, value, known = g.Setting(gateway, path...)
	return value, known
}

// lacks reports whether the object that a parametersRef names is known not to exist.
func lacks(g *gateways, ref *loader.Value, namespace string) bool {
	return g.ExistsOutside(loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}) == fact.False
}

// lacksParameters reports whether the parameters of a class are known not to exist. What is attached to its Gateways is translated
// without them (Envoy Gateway internal/provider/kubernetes/controller.go, Reconcile).
func (g *gateways) lacksParameters(class *Node) bool {
	ref := class.Value.Get("parametersRef")
	return !ref.IsNull() && g.classParameters(class) == nil && lacks(g, ref, cmp.Or(ref.Str("namespace"), implementation.For(g.controllerOf(class)).Gateways.ParametersNamespace))
}

// ofClass returns the parameters of the class of a Gateway as a whole object, or nil.
func ofClass(g *gateways, gateway *Node) *loader.Value {
	if class := classOf(gateway); class != nil {
		return parametersOf(g, class)
	}
	return nil
}

// classIsBare reports whether the class of a Gateway is in the input and has no parameters.
func classIsBare(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && class.Object != nil && class.Value.Get("parametersRef").IsNull()
}

// parametersOf returns the parameters of a GatewayClass as a whole object, or nil.
func parametersOf(g *gateways, class *Node) *loader.Value { return rootOf(g.classParameters(class)) }

func (g *gateways) classParameters(class *Node) *loader.Object {
	ref := class.Value.Get("parametersRef")
	return parametersAt(g, ref, cmp.Or(ref.Str("namespace"), implementation.For(g.controllerOf(class)).Gateways.ParametersNamespace))
}

func parametersAt(g *gateways, ref *loader.Value, namespace string) *loader.Object {
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

// InForce returns a field of the parameters in force at a Gateway, and whether it is known: its own parameters replace those of its
// class, and these the controller's own defaults, unless they say that both are merged (Envoy Gateway
// internal/gatewayapi/envoyproxy_merge.go, MergeEnvoyProxyConfigs). The defaults are not in the input.
func InForce(graph *Graph, gateway *Node, path ...string) (value *loader.Value, known bool) {
	g := graph.gateways
	if ref := gateway.Value.Get("infrastructure", "parametersRef"); !ref.IsNull() {
		own := parametersAt(g, ref, gateway.Namespace())
		if own == nil {
			return nil, false
		}
		value, alone := own.Root.Get(path...), replaces(own)
		switch {
		case alone == fact.True:
			return value, true
		case alone == fact.Unknown:
			return nil, false
		case value != nil:
			return value, value.Shape != loader.List || len(value.Items) > 0 && path[1] != "provider" // of which others have items, too
		}
	}
	class := classOf(gateway)
	if class == nil || class.Object == nil {
		return nil, false
	}
	of := g.classParameters(class)
	if of == nil && !class.Value.Get("parametersRef").IsNull() && !g.lacksParameters(class) {
		return nil, false
	}
	value = rootOf(of).Get(path...)
	return value, graph.Whole() || of != nil && (value != nil || replaces(of) == fact.True)
}

// owned is a value with the object that has it.
type owned struct {
	owner *loader.Object
	value *loader.Value
}

// items are those of a list.
func (o owned) items() (out []owned) {
	for _, item := range o.value.ItemList() {
		out = append(out, owned{o.owner, item})
	}
	return out
}

// inForce returns the field of the parameters of a Gateway, or of those of its class if both are merged and the Gateway's do not set
// it. A list is never empty in them: it counts as not set.
func (g *gateways) inForce(gateway *Node, path ...string) owned {
	own := g.parametersOf(gateway)
	if v := rootOf(own).Get(path...); v != nil && (v.Shape != loader.List || len(v.Items) > 0) {
		return owned{own, v}
	}
	class := classOf(gateway)
	if class == nil || own != nil && replaces(own) != fact.False {
		return owned{}
	}
	of := g.classParameters(class)
	return owned{of, rootOf(of).Get(path...)}
}

// replaces reports whether parameters take the place of those that would be in force without them.
func replaces(parameters *loader.Object) fact.Fact {
	switch merges := parameters.Spec().Get("mergeType"); {
	case merges == nil || merges.Text == "Replace":
		return fact.True
	case opaque(merges.Text):
		return fact.Unknown
	}
	return fact.False
}
