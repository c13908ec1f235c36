package controller

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// Generated returns what the controller would run for Gateways: a ServiceAccount each, with the labels and annotations
// of spec.infrastructure.
func (c *Controller) Generated() []*unstructured.Unstructured {
	objects, _ := c.Store.Objects()
	var out []*unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() != "Gateway" {
			continue
		}
		var gateway gatewayv1.Gateway
		if cluster.Decode(object, &gateway) != nil {
			continue
		}
		account := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ServiceAccount"}}
		account.SetNamespace(gateway.Namespace)
		account.SetName(gateway.Name + "-" + ClassName)
		labels, annotations := map[string]string{gatewayv1.GatewayNameLabelKey: gateway.Name}, map[string]string{}
		if infrastructure := gateway.Spec.Infrastructure; infrastructure != nil {
			for name, value := range infrastructure.Labels {
				labels[string(name)] = string(value)
			}
			for name, value := range infrastructure.Annotations {
				annotations[string(name)] = string(value)
			}
		}
		account.SetLabels(labels)
		account.SetAnnotations(annotations)
		out = append(out, account)
	}
	return out
}
