package main

import (
	"slices"

	"istio.io/istio/pilot/pkg/config/kube/gatewaycommon"
	"istio.io/istio/pkg/config/schema/gvk"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// deployed gives the objects as the ambient controller finds them once the gateway controller has written statuses of
// Gateways. A Gateway without an address is none to the ambient controller. In a cluster a Gateway has one as soon as its
// pods run, so each that is accepted gets one here.
func deployed(objects []runtime.Object, statuses map[target]any) []runtime.Object {
	remote := map[gatewayv1.ObjectName]bool{}
	for _, class := range only[*gatewayv1.GatewayClass](objects) {
		remote[gatewayv1.ObjectName(class.Name)] = gatewaycommon.ClassInfos[class.Spec.ControllerName].DisableRouteGeneration
	}
	after := slices.Clone(objects)
	for i, o := range objects {
		g, ok := o.(*gatewayv1.Gateway)
		if !ok {
			continue
		}
		of := target{gvk.KubernetesGateway.Kubernetes().GroupKind(), g.Namespace, g.Name}
		status, ok := statuses[of].(*gatewayv1.GatewayStatus)
		if !ok {
			continue
		}
		g = g.DeepCopy()
		status.DeepCopyInto(&g.Status)
		accepted := meta.IsStatusConditionTrue(status.Conditions, string(gatewayv1.GatewayConditionAccepted))
		if accepted && len(g.Status.Addresses) == 0 && !remote[g.Spec.GatewayClassName] {
			hostname := gatewayv1.HostnameAddressType
			g.Status.Addresses = []gatewayv1.GatewayStatusAddress{{
				Type:  &hostname,
				Value: g.Name + "." + g.Namespace + ".svc." + domain,
			}}
		}
		after[i] = g
	}
	return after
}
