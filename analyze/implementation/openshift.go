package implementation

import "sync"

// openshift is Istio under another controllerName (openshift cluster-ingress-operator, pkg/operator/controller/names.go and
// gatewayclass/istio_olm.go, PILOT_GATEWAY_API_CONTROLLER_NAME @acca9642a).
var openshift = sync.OnceValue(func() *Implementation {
	const controller = "openshift.io/gateway-controller/v1"
	out := istio
	out.Name, out.Controllers, out.Classes = "OpenShift", []string{controller}, nil
	out.PodLabel = "gateway.istio.io/managed=openshift.io-gateway-controller-v1" // its end-to-end tests: slashes become dashes
	out.Sets.Controllers = []string{controller}
	out.Routes.Controller, out.MeshController = controller, controller
	return &out
})

// OfIstio reports whether the controller is Istio's, under whatever name.
func (i *Implementation) OfIstio() bool { return i == &istio || i == openshift() }
