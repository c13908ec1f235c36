package implementation_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/implementation"
)

// The controllerNames are those that the projects compile in; another one, also
// one that differs by case or a slash, is nobody's.
func TestFor(t *testing.T) {
	for controller, want := range map[string]string{
		"gateway.envoyproxy.io/gatewayclass-controller":  "Envoy Gateway",
		"istio.io/gateway-controller":                    "Istio",
		"istio.io/mesh-controller":                       "Istio",
		"istio.io/unmanaged-gateway":                     "Istio",
		"istio.io/eastwest-controller":                   "Istio",
		"openshift.io/gateway-controller/v1":             "OpenShift",
		"agentgateway.dev/agentgateway":                  "agentgateway",
		"kgateway.dev/kgateway":                          "kgateway",
		"gateway.nginx.org/nginx-gateway-controller":     "NGINX Gateway Fabric",
		"gateway.envoyproxy.io/gatewayclass-controller/": "",
		"Istio.io/gateway-controller":                    "",
		"istio.io":                                       "",
		"acme.io/controller":                             "",
		"":                                               "",
	} {
		if got := implementation.For(controller).Name; got != want {
			t.Errorf("%q: got %q, want %q", controller, got, want)
		}
	}
}

// The classes that Istio (gatewaycommon/classinfo.go), agentgateway and kgateway
// make themselves.
func TestControllerOfClass(t *testing.T) {
	for class, want := range map[string]string{
		"istio":                       "istio.io/gateway-controller",
		"istio-remote":                "istio.io/unmanaged-gateway",
		"istio-waypoint":              "istio.io/mesh-controller",
		"istio-east-west":             "istio.io/eastwest-controller",
		"agentgateway":                "agentgateway.dev/agentgateway",
		"istio-agentgateway":          "istio.io/agentgateway-controller",
		"istio-agentgateway-waypoint": "istio.io/agentgateway-waypoint-controller",
		"kgateway":                    "kgateway.dev/kgateway",
		"kgateway-waypoint":           "kgateway.dev/kgateway",
		"nginx":                       "", // of its chart
		"eg":                          "",
		"":                            "",
	} {
		if got := implementation.ControllerOfClass(class); got != want {
			t.Errorf("%q: got %q, want %q", class, got, want)
		}
	}
}

// An unknown controller does what the specification says, which is the zero
// value of every knob.
func TestSpecificationIsZero(t *testing.T) {
	if got := *implementation.Specification(); !reflect.DeepEqual(got, implementation.Implementation{}) {
		t.Errorf("the specification turns knobs: %+v", got)
	}
	if implementation.For("acme.io/controller") != implementation.Specification() {
		t.Error("an unknown controller is not the specification's")
	}
}

// Names, controllerNames and classes belong to one implementation, and the
// controllerName of a class or a mesh to the same.
func TestNobodyIsTwo(t *testing.T) {
	owner := map[string]string{}
	claim := func(what, by string) {
		if other, taken := owner[what]; taken {
			t.Errorf("%s is of %s and of %s", what, other, by)
		}
		owner[what] = by
	}
	for _, i := range implementation.All() {
		claim("name "+i.Name, i.Name)
		if i.Name == "" || len(i.Controllers) == 0 {
			t.Errorf("%q has no name or no controllerName", i.Name)
		}
		for _, controller := range i.Controllers {
			claim("controllerName "+controller, i.Name)
		}
		for class, controller := range i.Classes {
			claim("class "+class, i.Name)
			if !slices.Contains(i.Controllers, controller) {
				t.Errorf("%s: class %s is of controller %s, which is not its own", i.Name, class, controller)
			}
		}
		for _, controller := range append([]string{i.MeshController}, i.Sets.Controllers...) {
			if controller != "" && !slices.Contains(i.Controllers, controller) {
				t.Errorf("%s: controller %s is not its own", i.Name, controller)
			}
		}
	}
}

// Values that are read together: one without the other would decide nothing.
func TestKnobsGoTogether(t *testing.T) {
	for _, i := range implementation.All() {
		if (i.Routes.Filters == nil) != (i.Routes.FilterReason == "") {
			t.Errorf("%s: filters %v and reason %q", i.Name, i.Routes.Filters, i.Routes.FilterReason)
		}
		if i.Gateways.AloneAddresses != nil && i.Gateways.Addresses == nil {
			t.Errorf("%s: addresses for one alone, and none for several", i.Name)
		}
		for _, host := range i.Routes.Hosts {
			if !slices.Contains(i.Routes.Backends, host) {
				t.Errorf("%s: %v names hosts and is no backend", i.Name, host)
			}
		}
		if i.Routes.Backends != nil && !slices.Contains(i.Routes.Backends, implementation.Kind{Name: "Service"}) {
			t.Errorf("%s takes no Services", i.Name)
		}
		if i.Listeners.OwnConflictsAside && i.Listeners.FirstWins == "" {
			t.Errorf("%s lets no first win, so its own conflicts are not aside", i.Name)
		}
		// A status without kinds of route says that the protocol is not supported.
		for _, protocol := range []string{"HTTP", "HTTPS"} {
			if kinds := i.Listeners.RouteKinds[protocol]; i.Listeners.RouteKinds != nil && !slices.Contains(kinds, "HTTPRoute") {
				t.Errorf("%s: %s takes %v", i.Name, protocol, kinds)
			}
		}
	}
}

// What is referred to is read, whoever controls the Gateways.
func TestRefers(t *testing.T) {
	for kind, want := range map[implementation.Kind]bool{
		{Group: "gateway.envoyproxy.io", Name: "EnvoyProxy"}:           true, // Gateways.Parameters
		{Group: "agentgateway.dev", Name: "AgentgatewayParameters"}:    true,
		{Group: "gateway.kgateway.dev", Name: "GatewayParameters"}:     true,
		{Group: "gateway.nginx.org", Name: "NginxProxy"}:               true,
		{Group: "gateway.envoyproxy.io", Name: "Backend"}:              true, // Routes.Backends
		{Group: "gateway.kgateway.dev", Name: "Backend"}:               true,
		{Group: "agentgateway.dev", Name: "AgentgatewayBackend"}:       true,
		{Group: "gateway.envoyproxy.io", Name: "HTTPRouteFilter"}:      true, // Routes.Extensions
		{Group: "gateway.nginx.org", Name: "SnippetsFilter"}:           true,
		{Group: "networking.istio.io", Name: "ServiceEntry"}:           true, // Routes.Frontends
		{Group: "gateway.nginx.org", Name: "Backend"}:                  false,
		{Group: "gateway.envoyproxy.io", Name: "SecurityPolicy"}:       false,
		{Group: "networking.istio.io", Name: "VirtualService"}:         false,
		{Group: "", Name: "Backend"}:                                   false,
		{Group: "gateway.networking.k8s.io", Name: "BackendTLSPolicy"}: false,
	} {
		if got := implementation.Refers(kind.Group, kind.Name); got != want {
			t.Errorf("%v: got %t, want %t", kind, got, want)
		}
	}
}

func TestNamesHosts(t *testing.T) {
	istio := implementation.For("istio.io/gateway-controller")
	for kind, want := range map[implementation.Kind]bool{
		{Group: "networking.istio.io", Name: "Hostname"}:     true,
		{Group: "networking.istio.io", Name: "ServiceEntry"}: false,
		{Group: "", Name: "Hostname"}:                        false,
		{Group: "", Name: "Service"}:                         false,
	} {
		if got := istio.Routes.NamesHosts(kind.Group, kind.Name); got != want {
			t.Errorf("%v: got %t, want %t", kind, got, want)
		}
	}
	if implementation.Specification().Routes.NamesHosts("networking.istio.io", "Hostname") {
		t.Error("the specification knows no hosts")
	}
}

// kgateway makes HTTPRoutes of GRPCRoutes without their extensions (krtcollections/grpc_route.go, convertFiltersToHTTP), and
// nothing of a filter of a type that it does not convert (builtin.go, convertfilterIR).
func TestConvertFiltersToHTTP(t *testing.T) {
	kgateway := implementation.For("kgateway.dev/kgateway").Matching
	for _, tt := range []struct {
		route, filter string
		has           bool
	}{
		{"HTTPRoute", "ExtensionRef", true},
		{"HTTPRoute", "CORS", true},
		{"HTTPRoute", "RequestMirror", true},
		{"HTTPRoute", "ExternalAuth", false},
		{"GRPCRoute", "ExtensionRef", false},
		{"GRPCRoute", "RequestMirror", true},
		{"GRPCRoute", "ResponseHeaderModifier", true},
	} {
		if got := kgateway.HasFilter(tt.route, tt.filter); got != tt.has {
			t.Errorf("%s of a %s: got %t, want %t", tt.filter, tt.route, got, tt.has)
		}
		if fault := kgateway.FaultOf(tt.route, tt.filter); !tt.has && fault != implementation.Ignores {
			t.Errorf("%s of a %s: got %q", tt.filter, tt.route, fault)
		}
	}
}
