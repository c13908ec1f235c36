package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
	"github.com/envoyproxy/gateway/internal/gatewayapi/status"
	"github.com/gwplan/gwplan/differential/judge"
)

// written are the objects with their statuses.
type written map[id]client.Object

type id struct {
	kind reflect.Type
	name types.NamespacedName
}

func addAll[T client.Object](w written, objects []T) {
	for _, o := range objects {
		w.add(o)
	}
}

// add adds an object. Several GatewayClasses may write of one route, policy or EnvoyProxy: its status is then what all of
// them say, as in subscribeAndTranslate of internal/gatewayapi/runner.
func (w written) add(o client.Object) {
	key := id{reflect.TypeOf(o), client.ObjectKeyFromObject(o)}
	old, ok := w[key]
	if !ok {
		w[key] = o
		return
	}
	if old == o {
		return
	}
	if route := routeStatus(o); route != nil {
		all := routeStatus(old)
		all.Parents = append(all.Parents, route.Parents...)
	} else if policy := policyStatus(o); policy != nil {
		all := policyStatus(old)
		all.Ancestors = append(all.Ancestors, policy.Ancestors...)
	} else if proxy, ok := o.(*egv1a1.EnvoyProxy); ok {
		all := &old.(*egv1a1.EnvoyProxy).Status
		all.Ancestors = append(all.Ancestors, proxy.Status.Ancestors...)
	} else {
		w[key] = o
	}
}

// statuses gives the statuses as they would be read. Those that are empty are not written.
func (w written) statuses() ([]judge.Status, error) {
	var statuses []judge.Status
	for _, o := range w {
		if route := routeStatus(o); route != nil {
			status.TruncateRouteParents(route, o.GetGeneration())
		}
		if policy := policyStatus(o); policy != nil {
			status.TruncatePolicyAncestors(policy, egv1a1.GatewayControllerName, o.GetGeneration())
		}
		kind, err := apiutil.GVKForObject(o, scheme)
		if err != nil {
			return nil, err
		}
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			return nil, err
		}
		s, _ := fields["status"].(map[string]any)
		if empty(s) {
			continue
		}
		judge.RemoveTimes(s)
		// The controller has them in the order of a map, for some policies.
		if ancestors, ok := s["ancestors"].([]any); ok {
			slices.SortStableFunc(ancestors, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
		statuses = append(statuses, judge.Status{
			APIVersion: kind.GroupVersion().String(),
			Kind:       kind.Kind,
			Metadata:   judge.Metadata{Namespace: o.GetNamespace(), Name: o.GetName()},
			Status:     s,
		})
	}
	slices.SortFunc(statuses, func(a, b judge.Status) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Metadata.Namespace, b.Metadata.Namespace),
			cmp.Compare(a.Metadata.Name, b.Metadata.Name),
		)
	})
	return statuses, nil
}

// routeStatus is the status of a route, or nil.
func routeStatus(o client.Object) *gwapiv1.RouteStatus {
	switch o := o.(type) {
	case *gwapiv1.HTTPRoute:
		return &o.Status.RouteStatus
	case *gwapiv1.GRPCRoute:
		return &o.Status.RouteStatus
	case *gwapiv1.TLSRoute:
		return &o.Status.RouteStatus
	case *gwapiv1.TCPRoute:
		return &o.Status.RouteStatus
	case *gwapiv1.UDPRoute:
		return &o.Status.RouteStatus
	}
	return nil
}

// policyStatus is the status of a policy, or nil. An EnvoyPatchPolicy is none here: it belongs to one GatewayClass.
func policyStatus(o client.Object) *gwapiv1.PolicyStatus {
	switch o := o.(type) {
	case *gwapiv1.BackendTLSPolicy:
		return &o.Status
	case *egv1a1.ClientTrafficPolicy:
		return &o.Status
	case *egv1a1.BackendTrafficPolicy:
		return &o.Status
	case *egv1a1.SecurityPolicy:
		return &o.Status
	case *egv1a1.EnvoyExtensionPolicy:
		return &o.Status
	}
	return nil
}

// empty reports whether a status has nothing but lists without elements.
func empty(status map[string]any) bool {
	for _, value := range status {
		if list, ok := value.([]any); value != nil && !(ok && len(list) == 0) {
			return false
		}
	}
	return true
}
