package hierarchy

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Proxies are the pods that a controller runs for a Gateway, in a namespace where they may be, or an entity of Cilium.
type Proxies struct {
	Namespace, Entity string
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
	if own.Proxies.Elsewhere && slices.ContainsFunc(n.Value.List("addresses"), func(a *loader.Value) bool { return !slices.Contains([]string{"", "IPAddress"}, a.Str("type")) }) {
		return nil // a Service that is named there has the pods
	}
	if own.Proxies.Entity != "" {
		return []Proxies{{Entity: own.Proxies.Entity}}
	}
	if own.Proxies.Namespace == "" {
		labels := g.PodLabels(n)
		labels.Partial = true
		return []Proxies{{Namespace: n.Namespace(), Labels: labels}}
	}
	labels := map[string]string{own.Proxies.NameLabel: n.Target.Name, own.Proxies.NamespaceLabel: n.Namespace()}
	var out []Proxies
	beside := g.besideController(own.Proxies)
	for _, namespace := range beside {
		out = append(out, Proxies{Namespace: namespace, Labels: inventory.Labels{Values: labels, Partial: true}})
	}
	if !slices.Contains(beside, n.Namespace()) {
		// In the namespace of the Gateway they also have the label of GEP-1762 (Envoy Gateway,
		// internal/infrastructure/kubernetes/proxy/resource_provider.go).
		labels = maps.Clone(labels)
		labels[GatewayNameLabel] = n.Target.Name
		out = append(out, Proxies{Namespace: n.Namespace(), Labels: inventory.Labels{Values: labels, Partial: true}})
	}
	return out
}

// besideController returns the namespaces where a controller runs that has its proxies beside it: its usual one, and
// those of releases of its chart. It returns none if a release has them elsewhere.
func (g *Graph) besideController(p implementation.Proxies) []string {
	out := []string{p.Namespace}
	for _, release := range g.AllOf("helm.toolkit.fluxcd.io", "HelmRelease") {
		spec := release.Spec()
		named := []string{spec.Str("chart", "spec", "chart"), spec.Str("chartRef", "name"), spec.Str("releaseName"), release.ID.Name}
		if !slices.ContainsFunc(named, func(name string) bool { return slices.Contains(p.Charts, name) }) {
			continue
		}
		if len(p.InGateway) > 0 && spec.Get("values").Str(p.InGateway...) == "GatewayNamespace" {
			return nil
		}
		namespace := release.ID.Namespace
		if target := spec.Str("targetNamespace"); target != "" {
			namespace = target
		}
		if !slices.Contains(out, namespace) {
			out = append(out, namespace)
		}
	}
	return out
}
