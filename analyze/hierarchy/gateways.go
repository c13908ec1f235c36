package hierarchy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// gateways judges Gateways as a whole, whatever their listeners are: which parameters they have, and
// whether their controller translates them.
type gateways struct {
	*controllers
}

// judgeParameters evaluates a parametersRef and returns nil if there is no problem. No
// ReferenceGrant is needed: a class may reference any namespace, a Gateway only its own (Gateway
// API, GatewayClassSpec.parametersRef, GatewayInfrastructure.parametersRef).
func (g *gateways) judgeParameters(n *Node, ref *loader.Value, namespace string) *Condition {
	if ref.IsNull() {
		return nil
	}
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	if g.Exists(id) {
		return nil
	}
	exists, message := g.ExistsOutsideWhy(id)
	if exists == fact.Unknown {
		// Parameters are usually part of the controller's chart.
		return nil
	}
	invalid := n.condition(Accepted, fact.False, invalidParameters, message, ref)
	invalid.Involves = []loader.ID{id}
	return &invalid
}

// Translated reports whether the controller translates the Gateway of a node at all.
func (g *gateways) Translated(n *Node) bool { return g.judgeWhole(GatewayOf(n)) == nil }

// judgeWhole returns why a Gateway is not translated at all, for implementations that do so: the
// parameters come before the addresses (Envoy Gateway, internal/provider/kubernetes/controller.go,
// processGatewayParamsRef; internal/gatewayapi/translator.go, GetRelevantGateways). NGINX Gateway Fabric translates one with
// bad parameters, and none with such an address (internal/controller/state/graph/gateway.go, validateGateway).
func (g *gateways) judgeWhole(gateway *Node) *Condition {
	own := g.Implementation(gateway)
	if own.Gateways.FailsByAddress {
		return g.judgeAddresses(gateway)
	}
	if !own.Gateways.FailsWhole {
		return nil
	}
	ref := gateway.Value.Get("infrastructure", "parametersRef")
	class := classOf(gateway)
	kind := implementation.Kind{Group: groupOf(ref, ""), Name: ref.Str("kind")}
	switch {
	case ref.IsNull():
	case class != nil && g.merges(class):
		invalid := gateway.condition(Accepted, fact.False, invalidParameters, class.Spoken()+" merges its Gateways, which then have no parameters of their own", ref)
		return &invalid
	case !slices.Contains(own.Gateways.Parameters, kind):
		invalid := gateway.condition(Accepted, fact.False, invalidParameters, "kind "+kind.Name+" is not supported as parameters", ref)
		return &invalid
	}
	if invalid := g.judgeParameters(gateway, ref, gateway.Namespace()); invalid != nil {
		return invalid
	}
	if invalid := judgeProxy(gateway, g.parametersOf(gateway)); invalid != nil {
		return invalid
	}
	return g.judgeAddresses(gateway)
}

// WhyNoListeners returns why no listener of a Gateway is built, so that its routes find none. It is nil if listeners are
// built, or if the implementation does not look at the routes of such a Gateway.
func (g *gateways) WhyNoListeners(gateway *Node) *Condition {
	if gateway.Object == nil || !g.Implementation(gateway).Gateways.FailsByAddress {
		return nil
	}
	return g.judgeWhole(gateway)
}

// OnlyInOwnStatus reports whether a Gateway appears in no status except its own, because it is not
// translated at all, or because none of its addresses is served.
func (g *gateways) OnlyInOwnStatus(gateway *Node) bool {
	if g.judgeWhole(gateway) != nil {
		return true
	}
	own := g.Implementation(gateway)
	addresses := gateway.Value.List("addresses")
	return own.Gateways.HiddenUnaddressed && len(addresses) > 0 && !slices.ContainsFunc(addresses, func(address *loader.Value) bool {
		return supportsAddress(address, len(addresses), own)
	})
}

// WithoutListenerStatus reports whether a Gateway has no listeners in its status.
func (g *gateways) WithoutListenerStatus(gateway *Node) bool {
	return slices.Contains(g.Implementation(gateway).Gateways.Unlisted, g.Controller(gateway))
}

// NoUsableAddress reports whether a Gateway is not translated because none of its addresses is of use, and its listeners show
// no problem (agentgateway translator/conversion.go, IsManaged and ExtractGatewayServices).
func (g *gateways) NoUsableAddress(gateway *Node) bool {
	if !g.Implementation(gateway).Gateways.BlankUnaddressed {
		return false
	}
	addresses := gateway.Value.List("addresses")
	given := len(addresses) == 1 && cmp.Or(addresses[0].Str("type"), "IPAddress") == "IPAddress"
	return len(addresses) > 0 && !given && !slices.ContainsFunc(addresses, isHostname)
}

func isHostname(address *loader.Value) bool { return address.Str("type") == "Hostname" }

// WithoutController reports whether a Gateway's class is known not to exist. In that case no controller
// writes a status (Gateway API, GatewayStatus, the CRD's default).
func (g *gateways) WithoutController(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && (class.Object == nil && class.Presence == fact.False && g.Controller(gateway) == "" || g.servedInstead(class) != "")
}

// servedInstead returns the GatewayClass that an installation serves instead of another one of its controllerName, "" if it serves that
// one, or that is not known (NGINX Gateway Fabric, internal/controller/state/graph/gatewayclass.go, processGatewayClasses).
func (g *gateways) servedInstead(class *Node) string {
	controller := g.controllerOf(class)
	name := implementation.For(controller).Gateways.ServedClass
	if name == "" || class.Object == nil || class.Target.Name == name {
		return ""
	}
	other := g.Node(Target{ID: loader.ID{Group: loader.GatewayGroup, Kind: "GatewayClass", Name: name}}, LevelGatewayClass)
	if other == nil || other.Object == nil || g.controllerOf(other) != controller {
		return ""
	}
	return name
}

// judgeAddresses returns a condition for the first address of an unsupported type. It returns nil
// if there is none, or if the supported types are unknown.
func (g *gateways) judgeAddresses(gateway *Node) *Condition {
	own := g.Implementation(gateway)
	addresses := gateway.Value.List("addresses")
	for _, address := range addresses {
		if supportsAddress(address, len(addresses), own) {
			continue
		}
		if own.Gateways.Addresses == nil {
			c := gateway.condition(Accepted, fact.Unknown, NotInInput,
				"it depends on the implementation whether addresses of type "+address.Str("type")+" are supported", address)
			return &c
		}
		c := gateway.condition(Accepted, fact.False, UnsupportedAddress,
			"the controller does not support addresses of type "+cmp.Or(address.Str("type"), "IPAddress"), address)
		return &c
	}
	if own.Gateways.BlankUnaddressed && len(addresses) > 1 && !slices.ContainsFunc(addresses, isHostname) {
		c := gateway.condition(Accepted, fact.False, "Invalid", "of several addresses, one must be of type Hostname", gateway.Value.Get("addresses"))
		return &c
	}
	return nil
}

// supportsAddress reports whether an address is of a supported type. `of` is the number of addresses in the
// Gateway.
func supportsAddress(address *loader.Value, of int, own *implementation.Implementation) bool {
	kind := cmp.Or(address.Str("type"), "IPAddress")
	return own.Gateways.Addresses == nil && !strings.Contains(kind, "/") || slices.Contains(own.Gateways.Addresses, kind) ||
		of == 1 && slices.Contains(own.Gateways.AloneAddresses, kind)
}
