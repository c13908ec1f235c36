package hierarchy

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// gatewayNameLabel is on the pods that controllers make for a Gateway (Istio
// manifests/charts/istio-control/istio-discovery/files/kube-gateway.yaml).
const (
	gatewayNameLabel  = "gateway.networking.k8s.io/gateway-name"
	gatewayClassLabel = "gateway.networking.k8s.io/gateway-class-name"
)

// PodLabels are the labels of the pods of a node: those of a Gateway as its
// controller makes them, those behind a Service as far as its selector tells.
func (g *Graph) PodLabels(n *Node) inventory.Labels {
	out := inventory.Labels{Values: map[string]string{}}
	switch n.Level {
	case LevelGateway:
		out.Values[gatewayNameLabel] = n.Target.Name
		out.Values[gatewayClassLabel] = n.Value.Str("gatewayClassName")
		// Where infrastructure says nothing of labels, those of the Gateway are copied
		// (Istio pilot/pkg/config/kube/gateway/deploymentcontroller.go).
		labels := n.Object.Root.Get("metadata", "labels")
		if own := n.Value.Get("infrastructure", "labels"); own != nil {
			labels = own
		}
		add(out, labels)
		if own := g.Implementation(n); own.PodLabel != "" {
			key, value, _ := strings.Cut(own.PodLabel, "=")
			out.Values[key] = value
		}
		// Parameters may add labels, and pods that the user makes have any.
		out.Partial = n.Value.Get("infrastructure", "parametersRef") != nil || len(n.Value.List("addresses")) > 0
	case LevelBackend, LevelFrontend:
		out.Partial = true
		add(out, n.Value.Get("selector"))
	default:
		out.Partial = true
	}
	return out
}

// add adds the labels of an object to those that are there, which stay.
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
