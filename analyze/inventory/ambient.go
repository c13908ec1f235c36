package inventory

import "slices"

// DataplaneMode is the label by which ztunnel takes the connections to the pods of a Namespace or to a pod.
const DataplaneMode = "istio.io/dataplane-mode"

// injection is the label by which the pods of a Namespace get a sidecar of Istio.
const injection = "istio-injection"

// MeshLabel returns the label of a Namespace, among all of its labels, by which its pods have a proxy of Istio, or "": ztunnel does
// not take the connections to pods that get a sidecar (istio pkg/kube/inject/inject.go, injectRequired;
// cni/pkg/util/podutil.go, PodRedirectionEnabled; cni/pkg/util/enablement_selector.go, MatchesNamespace).
func MeshLabel(labels map[string]string) string {
	switch rev := labels["istio.io/rev"]; {
	case isAmbient(labels):
		return DataplaneMode + ": ambient"
	case labels[injection] == "enabled":
		return injection + ": enabled"
	case rev != "" && labels[injection] != "disabled":
		return "istio.io/rev: " + rev
	}
	return ""
}

func isAmbient(labels map[string]string) bool {
	return labels[DataplaneMode] == "ambient" && labels[injection] != "enabled"
}

// InAmbient reports whether the known labels of a namespace say that ztunnel takes the connections to its pods. Single pods may
// differ: those with a sidecar or with a label of their own.
func (n *Namespaces) InAmbient(namespace string) bool {
	return isAmbient(n.NamespaceLabels(namespace).Values)
}

// Ambient returns the namespaces of the input for which InAmbient is true, sorted.
func (n *Namespaces) Ambient() []string {
	return slices.DeleteFunc(slices.Clone(n.inhabited()), func(namespace string) bool { return !n.InAmbient(namespace) })
}
