package hierarchy

import "github.com/gwplan/gwplan/loader"

// Reference is how an object of Gateway API refers to an object of any kind by its group, kind and name.
type Reference string

// The references (Gateway API: HTTPRouteFilter.extensionRef and ListenerFilter.extensionRef,
// GatewayClassSpec.parametersRef and GatewayInfrastructure.parametersRef, BackendObjectReference).
const (
	ByFilter     Reference = "extensionRef"
	ByParameters Reference = "parametersRef"
	ByBackend    Reference = "backendRef"
)

// EachReference visits the references of an object to objects of any kind, with their group and kind. spec is that
// of the object.
func EachReference(group, kind string, spec *loader.Value, visit func(by Reference, group, kind string)) {
	at := lookup(group, kind)
	if at == nil {
		return
	}
	each := func(by Reference, ref *loader.Value) {
		if name := ref.Str("kind"); name != "" {
			visit(by, ref.Str("group"), name)
		}
	}
	listeners := func() {
		for _, listener := range spec.List("listeners") {
			for _, filter := range listener.List("filters", "requests") {
				each(ByFilter, filter.Get("extensionRef"))
			}
		}
	}
	switch at.level {
	case LevelGatewayClass:
		each(ByParameters, spec.Get("parametersRef"))
	case LevelGateway:
		each(ByParameters, spec.Get("infrastructure", "parametersRef"))
		listeners()
	case LevelListenerSet:
		listeners()
	case LevelRoute:
		for _, rule := range spec.List("rules") {
			for _, filter := range rule.List("filters") {
				each(ByFilter, filter.Get("extensionRef"))
			}
			for _, backend := range rule.List("backendRefs") {
				each(ByBackend, backend)
				for _, filter := range backend.List("filters") {
					each(ByFilter, filter.Get("extensionRef"))
				}
			}
		}
	default:
	}
}
