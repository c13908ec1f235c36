package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// reportUnmeshedPods reports the workloads whose pods have no proxy any longer by what they say themselves, where policies need one
// that select them.
func reportUnmeshedPods(p *Pair, report Report) {
	was := loader.ByID(p.Base.Run.Environment.Workloads)
	for _, o := range p.Head.Run.Environment.Workloads {
		before := was[o.ID]
		if before == nil || before.Digest == o.Digest || o.Context || network.IsPolicy(o.ID) || network.Endpoints(o.ID) {
			continue
		}
		meshed, _ := podMeshed(before, namespaceMesh(p.Base, o.ID.Namespace))
		stays, by := podMeshed(o, namespaceMesh(p.Head, o.ID.Namespace))
		if !meshed || stays || by == "" {
			continue
		}
		labels, _, _ := network.PodsOf(o)
		if policies := meshPolicies(p.Head, o.ID.Namespace, labels); policies != "" {
			report(Hit{
				Target: o.ID.String(), Key: []string{by}, At: o.First(), Object: o,
				Title:  fmt.Sprintf("%s leaves the mesh: %s not enforced at its pods", o.ID.Spoken(), policies),
				Detail: "its pods say " + by,
			})
		}
	}
}

// namespaceMesh returns the label by which the pods of a Namespace have a proxy, or "".
func namespaceMesh(s *Environment, namespace string) string {
	if o := s.Run.Graph.Object(loader.ID{Kind: "Namespace", Name: namespace}); o != nil {
		return inventory.MeshLabel(o.Labels())
	}
	return ""
}

// What pods say of their proxy (istio pkg/kube/inject/inject.go, injectRequired; cni/pkg/util/podutil.go, PodRedirectionEnabled).
const (
	injectProxy = "sidecar.istio.io/inject"
	dataplane   = inventory.DataplaneMode
)

// podMeshed reports whether the pods of a workload have a proxy of Istio, where a Namespace has some label of the mesh or none, and
// what they say themselves that decides it. A label counts before an annotation, and pods with the network of their node get none.
func podMeshed(o *loader.Object, namespace string) (meshed bool, by string) {
	labels, _, _ := network.PodsOf(o)
	if mode := labels[dataplane]; mode != "" {
		return mode == "ambient", dataplane + ": " + mode
	}
	if namespace == dataplane+": ambient" {
		return true, ""
	}
	inject := labels[injectProxy]
	if inject == "" {
		inject = network.PodAnnotations(o)[injectProxy]
	}
	switch {
	case network.OnHost(o):
		return false, "hostNetwork: true"
	case inject != "":
		return inject == "true", injectProxy + ": " + inject
	}
	return namespace != "", ""
}
