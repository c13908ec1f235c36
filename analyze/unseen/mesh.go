package unseen

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"sync"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// inMesh are prefixes of labels and annotations of pods that decide whether, and for which ports, a proxy of a mesh
// handles their traffic and enforces its policies (Istio, Resource Annotations and Labels; Linkerd, Proxy
// Configuration).
var inMesh = []string{"sidecar.istio.io/", "inject.istio.io/", "traffic.sidecar.istio.io/", "ambient.istio.io/", "istio.io/dataplane-mode", "linkerd.io/inject", "config.linkerd.io/", "proxy.istio.io/config", ownProxy, onHost}

// defaultPolicy says what Linkerd does with connections for which there is no Server (Linkerd, Authorization Policy).
const defaultPolicy = "config.linkerd.io/default-inbound-policy"

// ownProxy is a container that stands in for the proxy that Istio injects (Istio pkg/kube/inject/webhook.go, reapplyOverwrittenContainers).
const ownProxy = "container istio-proxy"

// onHost is true for pods with the network of their node, which get no proxy (Istio pkg/kube/inject/inject.go, injectRequired).
const onHost = "hostNetwork"

// proxyOf is what decides about the proxy of a mesh before the pods of a workload, beside their labels.
func proxyOf(o *loader.Object) map[string]string {
	all := network.PodAnnotations(o)
	maps.DeleteFunc(all, func(key, _ string) bool { return !hasPrefix(key, inMesh) })
	for _, c := range network.ContainersOf(o) {
		if "container "+c.Str("name") == ownProxy {
			digest := loader.Digest(loader.ID{}, c)
			all[ownProxy] = hex.EncodeToString(digest[:])
		}
	}
	if network.OnHost(o) {
		all[onHost] = "true"
	}
	return all
}

// meshed finds workloads whose pods get another proxy of a mesh or none, where policies of the mesh may be for them, if they are
// not told as the pods of a Service.
func meshed(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	guarded := guardedNamespaces(pair.Base, "security.istio.io", "policy.linkerd.io")
	was := loader.ByID(pair.Base.Workloads)
	for _, o := range pair.Head.Workloads {
		before := was[o.ID]
		if before == nil || before.Digest == o.Digest {
			continue
		}
		keys := inMesh
		if !guarded[o.ID.Namespace] && !guarded[catalogue.IstioRoot] {
			keys = []string{defaultPolicy} // which needs no other policy
		}
		changed := changedAnnotations(meshKeys(before), meshKeys(o), keys)
		at := o.First()
		if len(changed) > 0 && !slices.ContainsFunc(s.found, func(u plan.Unseen) bool { return len(u.Behind) > 0 && u.File == at.File && u.Line == at.Line }) {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), at, changed).ForOthers = true
		}
	}
}

// meshLabels are the labels of a Namespace by which its pods join a mesh, waypoints those of a Namespace or a Service that lead its
// requests through a waypoint (Istio, Resource Labels).
var (
	meshLabels = []string{"istio.io/dataplane-mode", "istio-injection"}
	waypoints  = []string{hierarchy.UseWaypoint, "istio.io/ingress-use-waypoint"}
)

// joins finds what brings policies and routes of a mesh into force: Namespaces whose pods join a mesh that has policies for them,
// Namespaces that another istiod reads than before, and Namespaces and Services whose requests take the way through another waypoint
// where routes of the mesh are attached. The rule mesh-left tells the opposite.
func joins(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	guarded := sync.OnceValue(func() map[string]bool { return guardedNamespaces(pair.Head, "security.istio.io") })
	routed := sync.OnceValue(func() map[string]bool { return meshRouted(pair.Head) })
	discoveries := sync.OnceValue(func() inventory.Discoveries { return inventory.DiscoveriesOf(pair.Head) })
	for _, e := range s.edits.of(pair) {
		was, o := e.Was, e.Is
		if was == nil || o == nil || o.Context || o.ID.Group != "" || o.ID.Kind != "Namespace" && o.ID.Kind != "Service" {
			continue
		}
		namespace := cmp.Or(o.ID.Namespace, o.ID.Name)
		var changed []string
		if o.ID.Kind == "Namespace" && (guarded()[namespace] || guarded()[catalogue.IstioRoot]) {
			changed = givenLabels(was.Labels(), o.Labels(), meshLabels)
		}
		if routed()[namespace] {
			changed = append(changed, givenLabels(was.Labels(), o.Labels(), waypoints)...)
		}
		if o.ID.Kind == "Namespace" && readByOthers(discoveries(), was, o) {
			changed = append(changed, changedAnnotations(was.Labels(), o.Labels(), []string{""})...)
		}
		if len(changed) > 0 {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "labels", changed[0]), changed).ForOthers = true
		}
	}
}

// readByOthers reports whether another istiod than before reads a namespace by its labels, or may.
func readByOthers(d inventory.Discoveries, was, is *loader.Object) bool {
	if d.TooMany() {
		return !maps.Equal(was.Labels(), is.Labels())
	}
	now := d.Reading(is)
	return len(now) > 0 && !slices.Equal(d.Reading(was), now)
}

// givenLabels returns the labels that begin with one of some keys, are there after and have another value than before.
func givenLabels(before, after map[string]string, keys []string) []string {
	return slices.DeleteFunc(changedAnnotations(before, after, keys), func(key string) bool { return after[key] == "" || after[key] == "none" })
}

// meshRouted are the namespaces with Services to which routes are attached.
func meshRouted(env *loader.Environment) map[string]bool {
	out := map[string]bool{}
	for _, o := range env.Objects {
		if o.ID.Group != loader.GatewayGroup {
			continue
		}
		for _, ref := range o.Spec().List("parentRefs") {
			if ref.Str("kind") == "Service" {
				out[cmp.Or(ref.Str("namespace"), o.ID.Namespace)] = true
			}
		}
	}
	return out
}

// guardedNamespaces are the namespaces that have policies of some groups, which the proxies of a mesh enforce.
func guardedNamespaces(env *loader.Environment, groups ...string) map[string]bool {
	out := map[string]bool{}
	for _, o := range env.Objects {
		if slices.Contains(groups, o.ID.Group) {
			out[o.ID.Namespace] = true
		}
	}
	return out
}

// meshKeys are the labels and annotations of a workload's pods that decide about the proxy of a mesh before them.
func meshKeys(o *loader.Object) map[string]string {
	out := proxyOf(o)
	labels, _, _ := network.PodsOf(o)
	for key, value := range labels {
		if hasPrefix(key, inMesh) {
			out[key] = value
		}
	}
	return out
}
