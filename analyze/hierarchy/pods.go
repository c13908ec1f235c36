package hierarchy

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// GatewayNameLabel is the label with the name of the Gateway on the pods that a controller creates for it (GEP-1762; Istio
// manifests/charts/istio-control/istio-discovery/files/kube-gateway.yaml). Some set the class, too.
const (
	GatewayNameLabel  = "gateway.networking.k8s.io/gateway-name"
	gatewayClassLabel = "gateway.networking.k8s.io/gateway-class-name"
)

// PodLabels returns the labels of the pods of a node: for a Gateway those that its controller sets,
// for a Service those in its selector (the pods may have more).
func (g *Graph) PodLabels(n *Node) inventory.Labels {
	out := inventory.Labels{Values: map[string]string{}}
	switch n.Level {
	case LevelGateway:
		out.Values[GatewayNameLabel] = n.Target.Name
		out.Values[gatewayClassLabel] = n.Value.Str("gatewayClassName")
		// If infrastructure has no labels, the controller copies those of the Gateway (Istio
		// pilot/pkg/config/kube/gateway/deploymentcontroller.go).
		labels := n.Object.Root.Get("metadata", "labels")
		if own := n.Value.Get("infrastructure", "labels"); own != nil {
			labels = own
		}
		add(out, labels)
		if own := g.Implementation(n); own.PodLabel != "" {
			key, value, _ := strings.Cut(own.PodLabel, "=")
			out.Values[key] = value
		}
		// Parameters may add labels, and pods that the user creates may have any labels.
		out.Partial = n.Value.Get("infrastructure", "parametersRef") != nil || len(n.Value.List("addresses")) > 0
	case LevelBackend, LevelFrontend:
		out.Partial = true
		add(out, n.Value.Get("selector"))
	default:
		out.Partial = true
	}
	return out
}

// add adds the labels of an object. It does not overwrite existing labels.
func add(to inventory.Labels, labels *loader.Value) {
	if labels == nil {
		return
	}
	for _, f := range labels.Fields {
		if _, reserved := to.Values[f.Key]; !reserved {
			to.Values[f.Key] = f.Value.Text
		}
	}
}
