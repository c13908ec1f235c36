package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/inventory"
)

// Proxies are the pods that a controller runs for a Gateway, in a namespace where they may be.
type Proxies struct {
	Namespace string
	// Labels are those that are known; parameters of the Gateway and its class may add others.
	Labels inventory.Labels
}

// Proxies returns the pods of a Gateway. There are several if it depends on how the controller is
// installed in which namespace they are, and none if no pods belong to the Gateway alone or its
// controller is not known.
func (g *Graph) Proxies(n *Node) []Proxies {
	own := g.Implementation(n)
	if own.Name == "" || own.Proxies.None || n.Level != LevelGateway || n.Object == nil {
		return nil
	}
	labels := g.PodLabels(n)
	namespaces := []string{n.Namespace()}
	if own.Proxies.Namespace != "" {
		namespaces = slices.Compact([]string{own.Proxies.Namespace, n.Namespace()})
		labels = inventory.Labels{Values: map[string]string{own.Proxies.NameLabel: n.Target.Name, own.Proxies.NamespaceLabel: n.Namespace()}}
	}
	labels.Partial = true
	var out []Proxies
	for _, namespace := range namespaces {
		out = append(out, Proxies{namespace, labels})
	}
	return out
}
