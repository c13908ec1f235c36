package dataplane

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// listener is a listener of a Gateway, or of a ListenerSet that names the Gateway as its parent.
type listener struct {
	gatewayv1.Listener
	// owner is what trace calls the object that has it, "Gateway/NAMESPACE/NAME".
	owner, namespace string
}

// listeners are those that may be at a Gateway; gwplan says which of them take requests.
func (d *DataPlane) listeners(gateway *gatewayv1.Gateway) []listener {
	var out []listener
	for _, l := range gateway.Spec.Listeners {
		out = append(out, listener{l, "Gateway/" + gateway.Namespace + "/" + gateway.Name, gateway.Namespace})
	}
	objects, _ := d.Store.Objects()
	for _, object := range objects {
		var set gatewayv1.ListenerSet
		if object.GetKind() != "ListenerSet" || cluster.Decode(object, &set) != nil {
			continue
		}
		namespace := set.Namespace
		if set.Spec.ParentRef.Namespace != nil {
			namespace = string(*set.Spec.ParentRef.Namespace)
		}
		if namespace != gateway.Namespace || string(set.Spec.ParentRef.Name) != gateway.Name {
			continue
		}
		for _, entry := range set.Spec.Listeners {
			l := gatewayv1.Listener{Name: entry.Name, Port: entry.Port, Protocol: entry.Protocol, Hostname: entry.Hostname, TLS: entry.TLS}
			out = append(out, listener{l, "ListenerSet/" + set.Namespace + "/" + set.Name, set.Namespace})
		}
	}
	return out
}
