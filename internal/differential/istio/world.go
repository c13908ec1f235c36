package main

import (
	"fmt"
	"maps"
	"slices"

	"istio.io/istio/pilot/pkg/config/kube/gatewaycommon"
	"istio.io/istio/pkg/config"
	"istio.io/istio/pkg/config/schema/collections"
	"istio.io/istio/pkg/kube"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// The settings of an installation that nobody has changed.
const (
	cluster         = "Kubernetes"
	domain          = "cluster.local"
	revision        = "default"
	systemNamespace = "istio-system"
)

// decode gives the objects of those kinds that Istio reads, each in the version in which it reads them.
func decode(objects []*unstructured.Unstructured) ([]runtime.Object, error) {
	var typed []runtime.Object
	for _, o := range objects {
		kind, ok := collections.All.FindByGroupKind(config.FromKubernetesGVK(o.GroupVersionKind()))
		if !ok {
			continue
		}
		o = o.DeepCopy()
		o.SetGroupVersionKind(kind.GroupVersionKind().Kubernetes())
		data, err := o.MarshalJSON()
		if err != nil {
			return nil, err
		}
		object, _, err := kube.IstioCodec.UniversalDeserializer().Decode(data, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("%s %s/%s: %w", o.GetKind(), o.GetNamespace(), o.GetName(), err)
		}
		typed = append(typed, object)
	}
	return typed, nil
}

// only gives the objects of one type.
func only[T any](objects []runtime.Object) []T {
	var found []T
	for _, o := range objects {
		if o, ok := o.(T); ok {
			found = append(found, o)
		}
	}
	return found
}

// missingClasses are the GatewayClasses that istiod creates when it starts, without those that are there.
func missingClasses(objects []runtime.Object) []runtime.Object {
	missing := maps.Clone(gatewaycommon.AllClasses)
	for _, class := range only[*gatewayv1.GatewayClass](objects) {
		delete(missing, gatewayv1.ObjectName(class.Name))
	}
	var classes []runtime.Object
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		classes = append(classes, &gatewayv1.GatewayClass{
			TypeMeta:   metav1.TypeMeta{APIVersion: gatewayv1.GroupVersion.String(), Kind: "GatewayClass"},
			ObjectMeta: metav1.ObjectMeta{Name: string(name), Generation: 1},
			Spec:       gatewayv1.GatewayClassSpec{ControllerName: missing[name]},
		})
	}
	return classes
}

// target names the object that a status is of, in any version.
type target struct {
	kind            schema.GroupKind
	namespace, name string
}
