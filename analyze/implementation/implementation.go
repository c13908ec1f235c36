// Package implementation describes where controllers of Gateway API differ from each other:
// where the specification allows a choice, and where they depart from it. It is data, with one
// file for each project. The controllerName of a GatewayClass selects the project, so the code
// that uses the data names no project.
//
// The zero value of every field means the behaviour of the specification. An unknown controller
// has this behaviour.
package implementation

import "slices"

// Implementation describes the behaviour of one controller.
type Implementation struct {
	// Name is the name of the project, empty for the specification.
	Name string
	// OnlyMatching means that only the order of matches is known. Objects are judged by the specification.
	OnlyMatching bool
	// Controllers are the controllerNames of its GatewayClasses. Classes are the GatewayClasses
	// that the controller itself creates, which are therefore in no repository, with their
	// controllerNames.
	Controllers []string
	Classes     map[string]string
	// Signs are kinds of its own whose objects show, in an input that is complete, that the controller is installed though there is
	// no Gateway or GatewayClass of a known one.
	Signs []Kind
	// PodLabel is a label KEY=VALUE that the pods of its Gateways have in addition to those of
	// the specification.
	PodLabel string
	// Proxies describes the pods of its Gateways where they are not those of the specification.
	Proxies Proxies
	// MeshController is the controllerName in the status of a route whose parent
	// is a Service.
	MeshController string

	Listeners Listeners
	Sets      ListenerSets
	Gateways  Gateways
	Routes    Routes
	Matching  Matching
	Policies  Policies
}

// Specification is the behaviour that is assumed for an unknown controller.
func Specification() *Implementation { return &specification }

var specification = Implementation{}

// All are the implementations that differ from the specification.
func All() []*Implementation {
	return []*Implementation{&envoyGateway, &istio, openshift(), &agentgateway, &kgateway, &gloo, &nginxGatewayFabric, &cilium, &kong, &traefik, &apisix, &awsLoadBalancer}
}

// For finds the implementation of a controllerName.
func For(controller string) *Implementation {
	for _, i := range All() {
		if slices.Contains(i.Controllers, controller) {
			return i
		}
	}
	return Specification()
}

// Judges reports whether it is known how the controller judges objects.
func (i *Implementation) Judges() bool { return i.Name != "" && !i.OnlyMatching }

// Kind identifies a kind of object.
type Kind struct{ Group, Name string }

// Refers reports whether some implementation's routes or Gateways refer to objects
// of a kind.
func Refers(group, kind string) bool {
	one := Kind{group, kind}
	for _, i := range All() {
		if slices.Contains(i.Routes.Backends, one) || slices.Contains(i.Routes.Extensions, one) || slices.Contains(i.Routes.Frontends, one) || slices.Contains(i.Gateways.Parameters, one) {
			return true
		}
	}
	return false
}
