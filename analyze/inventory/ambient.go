package inventory

import "slices"

// InAmbient reports whether the known labels of a namespace say that ztunnel takes the connections to its pods (Istio
// cni/pkg/util/enablement_selector.go, MatchesNamespace). Single pods may differ: those with a sidecar or with a label of their
// own.
func (n *Namespaces) InAmbient(namespace string) bool {
	labels := n.NamespaceLabels(namespace).Values
	return labels["istio.io/dataplane-mode"] == "ambient" && labels["istio-injection"] != "enabled"
}

// Ambient returns the namespaces of the input for which InAmbient is true, sorted.
func (n *Namespaces) Ambient() []string {
	return slices.DeleteFunc(slices.Clone(n.inhabited()), func(namespace string) bool { return !n.InAmbient(namespace) })
}
