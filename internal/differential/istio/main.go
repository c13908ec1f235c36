// Command istio answers what statuses Istio writes of the objects of a world. It calls the code of Istio 1.31, from a
// commit of master of 27 August 2026 (go.mod has it), because releases of Istio cannot be required as modules.
//
// What it calls:
//
//   - pilot/pkg/config/kube/gateway: NewController, on a fake cluster that has the world. It writes the statuses of
//     GatewayClass, Gateway, ListenerSet, HTTPRoute, GRPCRoute, TCPRoute, TLSRoute, BackendTLSPolicy and
//     XBackendTrafficPolicy.
//   - pilot/pkg/serviceregistry/ambient: Builder.WaypointsCollection, Builder.ServicesCollection,
//     Builder.WorkloadsCollection, PolicyCollections and WaypointPolicyStatusCollection, put together as New does for one
//     cluster. They have the conditions of Service, ServiceEntry, WorkloadEntry and AuthorizationPolicy.
//
// Ambient mode, its gateways between networks and the alpha kinds of Gateway API are on, and all else is as an installation has it that nobody has
// changed: revision default, namespace istio-system. The mesh configuration is that of the ConfigMap istio there.
// Istio 1.31 writes no status of RequestAuthentication, PeerAuthentication, Telemetry, WasmPlugin, TrafficExtension,
// DestinationRule, EnvoyFilter and the like, unless its analysis is on, which is off by default.
//
// What a cluster has and this has not:
//
//   - Istio deploys no gateways here, and Services have no endpoints. Programmed of a Gateway and of a ListenerSet is
//     false for it where a cluster would have it true, and a Gateway has no addresses. (Those of class istio-remote are
//     never deployed: they are programmed, and have the addresses of their spec.)
//   - Waypoints are judged as if each Gateway that is accepted had its address: without one it would be no waypoint.
//   - Host names that routes refer to (kind Hostname) are those of the Services and ServiceEntries, whatever else the
//     service registry might hold against them.
//   - The validating webhook of istiod is not asked, and the discovery selectors of the mesh configuration do not count.
//   - Inference pools, agentgateway, networks of several clusters and Ingress are left out.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"istio.io/istio/pkg/log"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	_ "github.com/gwplan/gwplan/differential/istio/flags" // sets what Istio's packages read when they initialise
	"github.com/gwplan/gwplan/differential/judge"
)

func main() {
	for _, scope := range log.Scopes() {
		scope.SetOutputLevel(log.FatalLevel)
	}
	server, err := newAPIServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	judge.Main(server, decide)
}

func newAPIServer() (*judge.APIServer, error) {
	files, err := judge.ModuleFiles("sigs.k8s.io/gateway-api", "config/crd/experimental/*.yaml")
	if err != nil {
		return nil, err
	}
	own, err := judge.ModuleFiles("istio.io/istio", "manifests/charts/base/files/crd-all.gen.yaml")
	if err != nil {
		return nil, err
	}
	return judge.NewAPIServer(append(files, own...)...)
}

// decide gives the world to the gateway controller, and what that writes of Gateways to the ambient controller.
func decide(objects []*unstructured.Unstructured) ([]judge.Status, error) {
	typed, err := decode(objects)
	if err != nil {
		return nil, err
	}
	typed = append(typed, missingClasses(typed)...)
	written, err := runGatewayController(typed)
	if err != nil {
		return nil, err
	}
	maps.Copy(written, runAmbientController(deployed(typed, written)))
	return answer(objects, written)
}

// answer has the statuses of those objects that are in the world, in order.
func answer(objects []*unstructured.Unstructured, written map[target]any) ([]judge.Status, error) {
	var statuses []judge.Status
	for _, o := range objects {
		status, ok := written[target{o.GroupVersionKind().GroupKind(), o.GetNamespace(), o.GetName()}]
		if !ok {
			continue
		}
		plain, err := normal(status)
		if err != nil {
			return nil, err
		}
		statuses = append(statuses, judge.Status{
			APIVersion: o.GetAPIVersion(),
			Kind:       o.GetKind(),
			Metadata:   judge.Metadata{Namespace: o.GetNamespace(), Name: o.GetName()},
			Status:     plain,
		})
	}
	slices.SortFunc(statuses, func(a, b judge.Status) int {
		return slices.Compare(
			[]string{a.Kind, a.Metadata.Namespace, a.Metadata.Name, a.APIVersion},
			[]string{b.Kind, b.Metadata.Namespace, b.Metadata.Name, b.APIVersion},
		)
	})
	return statuses, nil
}
