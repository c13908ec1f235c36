package main

import (
	"maps"
	"slices"

	"istio.io/api/meta/v1alpha1"
	networking "istio.io/client-go/pkg/apis/networking/v1"
	security "istio.io/client-go/pkg/apis/security/v1"
	"istio.io/istio/pilot/pkg/features"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/pkg/serviceregistry/ambient"
	"istio.io/istio/pilot/pkg/serviceregistry/ambient/statusqueue"
	"istio.io/istio/pkg/config"
	"istio.io/istio/pkg/config/mesh/meshwatcher"
	"istio.io/istio/pkg/config/schema/gvk"
	"istio.io/istio/pkg/config/schema/kind"
	"istio.io/istio/pkg/kube/controllers"
	"istio.io/istio/pkg/kube/krt"
	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// runAmbientController has the collections of the ambient controller judge the objects: those that ambient.New puts
// together for one cluster and registers with its status queue.
func runAmbientController(objects []runtime.Object) map[target]any {
	stop := make(chan struct{})
	defer close(stop)
	opts := krt.NewOptionsBuilder(stop, "ambient", nil)
	options := ambient.Options{ClusterID: cluster, SystemNamespace: systemNamespace}
	flags := ambient.FeatureFlags{
		DefaultAllowFromWaypoint:              features.DefaultAllowFromWaypoint,
		EnableK8SServiceSelectWorkloadEntries: features.EnableK8SServiceSelectWorkloadEntries,
	}

	namespaces := every[*corev1.Namespace](objects, opts)
	pods := every[*corev1.Pod](objects, opts)
	nodes := ambient.NodesCollection(every[*corev1.Node](objects, opts), opts.WithName("nodes")...)
	services := every[*corev1.Service](objects, opts)
	endpoints := every[*discovery.EndpointSlice](objects, opts)
	gateways := every[*gatewayv1.Gateway](objects, opts)
	classes := every[*gatewayv1.GatewayClass](objects, opts)
	policies := mine[*security.AuthorizationPolicy](objects, opts)
	authentications := mine[*security.PeerAuthentication](objects, opts)
	serviceEntries := mine[*networking.ServiceEntry](objects, opts)
	workloadEntries := mine[*networking.WorkloadEntry](objects, opts)
	mesh := meshConfig(objects, opts)
	mesh.AsCollection().WaitUntilSynced(stop) // istiod has it before all else, and not all collections wait for it
	visibility := model.ServiceEntryVisibilityCollection(mesh.AsCollection(), opts)

	builder := ambient.Builder{
		DomainSuffix: domain,
		ClusterID:    cluster,
		Networks:     ambient.BuildNetworkCollections(namespaces, gateways, options, opts),
		Flags:        flags,
	}
	waypoints := builder.WaypointsCollection(cluster, gateways, classes, pods, opts)
	bindings := builder.ServicesCollection(
		cluster, services, serviceEntries, waypoints, namespaces, mesh, visibility, opts, true)
	ztunnelPolicies, _ := ambient.PolicyCollections(policies, authentications, mesh, waypoints, opts, flags)
	waypointPolicies := ambient.WaypointPolicyStatusCollection(
		policies, waypoints, services, serviceEntries, classes, mesh, visibility, namespaces, opts)
	workloads := builder.WorkloadsCollection(pods, nodes, mesh, ztunnelPolicies, authentications, waypoints, bindings,
		workloadEntries, serviceEntries, endpoints, namespaces, opts)

	found := conditions{}
	gather(found, bindings, stop)
	gather(found, waypointPolicies, stop)
	gather(found, workloads, stop)
	// One by one, because all policies that ztunnel cannot take have the same key: the collection keeps any one of them.
	for _, policy := range policies.List() {
		one := krt.NewStaticCollection(nil, []*security.AuthorizationPolicy{policy}, opts.WithName("policy")...)
		ztunnelPolicy, _ := ambient.PolicyCollections(one, authentications, mesh, waypoints, opts, flags)
		gather(found, ztunnelPolicy, stop)
	}
	return found.statuses()
}

// every is the collection of the objects of a type.
func every[T runtime.Object](objects []runtime.Object, opts krt.OptionsBuilder) krt.Collection[T] {
	return krt.NewStaticCollection(nil, only[T](objects), opts.WithName("objects")...)
}

// mine is the collection of the objects of a type that this revision of Istio reads.
func mine[T controllers.Object](objects []runtime.Object, opts krt.OptionsBuilder) krt.Collection[T] {
	found := slices.DeleteFunc(only[T](objects), func(o T) bool {
		return !config.LabelsInRevision(o.GetLabels(), revision)
	})
	return krt.NewStaticCollection(nil, found, opts.WithName("objects")...)
}

// meshConfig is that of the ConfigMap which istiod reads, and otherwise the default.
func meshConfig(objects []runtime.Object, opts krt.OptionsBuilder) krt.Singleton[meshwatcher.MeshConfigResource] {
	var source *string
	for _, m := range only[*corev1.ConfigMap](objects) {
		if data, ok := m.Data["mesh"]; ok && m.Namespace == systemNamespace && m.Name == "istio" {
			source = &data
		}
	}
	return meshwatcher.NewCollection(opts, krt.NewStatic(source, true, opts.WithName("source")...))
}

// conditions are those to be written, by object and type. Several controllers write conditions of one object.
type conditions map[target]map[model.ConditionType]*model.Condition

// gather waits until a collection is complete, and adds the conditions that it has.
func gather[T statusqueue.StatusWriter](c conditions, from krt.Collection[T], stop <-chan struct{}) {
	from.WaitUntilSynced(stop)
	for _, item := range from.List() {
		source := item.GetStatusTarget()
		kind, ok := groupKind(source.Kind)
		if !ok {
			continue
		}
		of := target{kind, source.Namespace, source.Name}
		for name, condition := range item.GetConditions(nil) {
			if condition == nil {
				continue
			}
			if c[of] == nil {
				c[of] = map[model.ConditionType]*model.Condition{}
			}
			c[of][name] = condition
		}
	}
}

// groupKind names a kind whose statuses the ambient controller writes.
func groupKind(k kind.Kind) (schema.GroupKind, bool) {
	switch k {
	case kind.AuthorizationPolicy:
		return gvk.AuthorizationPolicy.Kubernetes().GroupKind(), true
	case kind.Service:
		return gvk.Service.Kubernetes().GroupKind(), true
	case kind.ServiceEntry:
		return gvk.ServiceEntry.Kubernetes().GroupKind(), true
	case kind.WorkloadEntry:
		return gvk.WorkloadEntry.Kubernetes().GroupKind(), true
	}
	return schema.GroupKind{}, false
}

// statuses are the conditions in the form in which the status queue writes them.
func (c conditions) statuses() map[target]any {
	statuses := map[target]any{}
	for of, byType := range c {
		var list []*v1alpha1.IstioCondition
		for _, name := range slices.Sorted(maps.Keys(byType)) {
			condition := byType[name]
			value := metav1.ConditionFalse
			if condition.Status {
				value = metav1.ConditionTrue
			}
			list = append(list, &v1alpha1.IstioCondition{
				Type:               string(name),
				Status:             string(value),
				Reason:             condition.Reason,
				Message:            condition.Message,
				ObservedGeneration: condition.ObservedGeneration,
			})
		}
		statuses[of] = map[string]any{"conditions": list}
	}
	return statuses
}
