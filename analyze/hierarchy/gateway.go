package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

func (b *builder) addGateway(o *loader.Object) {
	gateway := b.object(o.ID, LevelGateway)
	if ref := o.Spec().Get("gatewayClassName"); !ref.IsEmpty() {
		// A class is usually part of the controller's chart, so a missing class is assumed to exist
		// and to be accepted.
		class := b.object(loader.ID{Group: loader.GatewayGroup, Kind: "GatewayClass", Name: ref.Text}, LevelGatewayClass)
		b.link(&Edge{Parent: class, Child: gateway, Admitted: fact.True, Owner: o, Ref: ref})
	}
	b.addListeners(gateway, gateway)
}

func (b *builder) addListeners(owner, parent *Node) {
	for i, listener := range owner.Value.List("listeners") {
		name := listener.Str("name")
		n := b.section(owner, name, LevelListener)
		if n.Value != nil {
			continue // the API server rejects a second listener of the same name
		}
		n.Value, n.Index, n.Named = listener, i, true
		b.link(&Edge{Parent: parent, Child: n, Admitted: fact.True, Owner: owner.Object, Ref: listener})
	}
}

// judgeClass evaluates the parameters of a GatewayClass.
func (b *builder) judgeClass(class *Node) {
	its := implementation.For(b.controllerOf(class))
	own := its.Gateways
	switch {
	case b.servedInstead(class) != "":
		class.Conditions.set(class.condition(Accepted, fact.False, "GatewayClassConflict", "the controller serves GatewayClass "+b.servedInstead(class)+" alone", class.Value.Get("controllerName")))
		return
	case own.IgnoresParameters:
		class.Conditions.set(good(Accepted, Accepted))
		return
	case own.KeepsParameters:
		reportParameters(b, class, its)
		return
	}
	ref := class.Value.Get("parametersRef")
	kind := implementation.Kind{Group: ref.Str("group"), Name: ref.Str("kind")}
	if own.FailsWhole && !ref.IsNull() && !slices.Contains(own.Parameters, kind) { // controller.go, processGatewayClassParamsRef
		class.Conditions.set(class.condition(Accepted, fact.False, invalidParameters, "kind "+kind.Name+" is not supported as parameters", ref))
		return
	}
	if c := b.judgeParameters(class, ref, cmp.Or(ref.Str("namespace"), own.ParametersNamespace)); c != nil {
		class.Conditions.set(*c)
		return
	}
	if c := judgeProxy(class, b.classParameters(class)); c != nil {
		class.Conditions.set(*c)
		return
	}
	class.Conditions.set(good(Accepted, Accepted))
}

// judgeGateway sets the conditions of a Gateway from its listeners, parameters and references.
func (b *builder) judgeGateway(gateway *Node, own *implementation.Implementation) {
	if b.WithoutController(gateway) {
		gateway.Conditions.set(gateway.condition(Accepted, fact.Unknown, pending,
			"no controller manages the Gateway: "+b.whyUnclaimed(gateway), gateway.Value.Get("gatewayClassName")))
		return
	}
	if whole := b.judgeWhole(gateway); whole != nil && own.Gateways.FailsWhole {
		gateway.Conditions.set(*whole)
		return
	}
	if b.WithoutListenerStatus(gateway) {
		gateway.Conditions.set(good(Accepted, Accepted))
		return
	}
	b.certificates.judgeGatewayTLS(gateway, own)
	written := own.Gateways.AlwaysResolved || gateway.Value.Get("tls") != nil
	if c := gateway.unresolvedListener(); c != nil && !own.Gateways.IgnoresListenerRefs && (written || c.Status == fact.False) {
		gateway.Conditions.worsen(*c)
	}
	if own.Gateways.ResolvedWithBackend {
		written = gateway.Value.Get("tls", "backend") != nil
	}
	if refs := gateway.Condition(ResolvedRefs); own.Listeners.ClientCertificate && refs != nil && refs.Status == fact.False && !gateway.showsClientCertificate() {
		gateway.Conditions.remove(ResolvedRefs) // it is read from the listeners (agentgateway, reports/status.go, BuildGWStatus)
	}
	if gateway.Condition(ResolvedRefs) == nil && written {
		gateway.Conditions.set(good(ResolvedRefs, ResolvedRefs))
	}
	if own.Gateways.KeepsParameters {
		resolveParameters(b, gateway, own)
	}
	accepted := b.judgeAddresses(gateway)
	if accepted == nil && own.Gateways.KeepsParameters {
		accepted = acceptWithParameters(b, gateway, own)
	}
	if accepted == nil {
		accepted = b.judgeParameters(gateway, gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	}
	if accepted == nil {
		accepted = b.judgeTelemetry(gateway, own)
	}
	if accepted == nil {
		c := sumUp(gateway, own)
		if _, wrong := annotatedPorts(gateway, own); wrong != "" && c.Status == fact.True && c.Reason == Accepted {
			c = gateway.condition(Accepted, fact.False, "Invalid", wrong, gateway.Object.Root.Get("metadata", "annotations", own.Listeners.Modes))
		}
		accepted = &c
	}
	gateway.Conditions.set(*accepted)
}

func (b *builder) whyUnclaimed(gateway *Node) string {
	class := classOf(gateway)
	if served := b.servedInstead(class); served != "" {
		return "that of " + class.Spoken() + " serves GatewayClass " + served + " alone"
	}
	return class.Spoken() + " does not exist"
}

// missingParent returns the result for a parent reference to an object that is not in the input.
func (b *builder) missingParent(id loader.ID) (admitted fact.Fact, reason, message string) {
	admitted, message = b.ExistsOutsideWhy(id)
	if admitted == fact.False {
		return fact.False, parentNotFound, message
	}
	return admitted, "ParentNotInInput", message
}

func unknownLabels(namespace string) string {
	return "the labels of Namespace/" + namespace + " are not in the input"
}
