package implementation

import "strings"

// ControllerOfClass is the controllerName of a GatewayClass that its controller or platform
// creates, or "".
func ControllerOfClass(class string) string {
	for _, i := range All() {
		if name := i.Classes[class]; name != "" {
			return name
		}
	}
	if name := unjudged[class]; name != "" {
		return name
	}
	for prefix, name := range hosted {
		if strings.HasPrefix(class, prefix) {
			return name
		}
	}
	return ""
}

// unjudged are the controllerNames of GatewayClasses that controllers create of which it is not known how they judge objects:
// those of Istio for proxies of agentgateway (gatewaycommon/classinfo.go, GetAgentGatewayClasses).
var unjudged = map[string]string{
	"istio-agentgateway":          "istio.io/agentgateway-controller",
	"istio-agentgateway-waypoint": "istio.io/agentgateway-waypoint-controller",
}

// hosted are the controllerNames of GatewayClasses that a platform provides, by the prefix of
// the class name.
var hosted = map[string]string{
	"cilium":             "io.cilium/gateway-controller",
	"gke-l7-":            "networking.gke.io/gateway",
	"azure-alb-external": "alb.networking.azure.io/alb-controller",
}

// others are further controllers (Gateway API, site/content/implementations). Policies of any
// other controller are known to have no effect at their Gateways.
var others = map[string]bool{
	"io.cilium/gateway-controller": true, "networking.gke.io/gateway": true, "alb.networking.azure.io/alb-controller": true,
	"traefik.io/gateway-controller": true, "konghq.com/kic-gateway-controller": true, "haproxy-ingress.github.io/controller": true,
	"gateway.k8s.aws/nlb": true, "application-networking.k8s.aws/gateway-api-controller": true,
	"apisix.apache.org/apisix-ingress-controller": true, "projectcontour.io/gateway-controller": true, "solo.io/gloo-gateway": true,
	"gateway.nginx.org/nginx-gateway-controller": true, "gate.haproxy.org/hug": true, "microgateway.airlock.com/gatewayclass-controller": true,
}

// WellKnown reports whether a controllerName belongs to a known controller. Any other name may
// be the configured name of a known one.
func WellKnown(controller string) bool { return For(controller).Name != "" || others[controller] }
