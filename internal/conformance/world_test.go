package conformance

import (
	"net/http/httptest"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
	"github.com/gwplan/gwplan/internal/conformance/controller"
	"github.com/gwplan/gwplan/internal/conformance/dataplane"
	"github.com/gwplan/gwplan/internal/conformance/echo"
	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// world starts a cluster with a controller and a data plane. It returns how to reach its API server, and the controller.
func world(t *testing.T) (*rest.Config, *controller.Controller) {
	addresses, claim, err := dataplane.ClaimRange()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { claim.Close() })
	store, logs := cluster.NewStore(), &cluster.Logs{}
	plans := &planner.Planner{Program: program, Store: store}
	plane := &dataplane.DataPlane{Store: store, Planner: plans, Network: &echo.Network{Store: store, Logs: logs}}
	manager := &controller.Controller{Store: store, Planner: plans, Serve: plane.Serve, Range: addresses}
	if err := store.AddDefinitions(); err != nil {
		t.Fatal(err)
	}
	class := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "gateway.networking.k8s.io/v1", "kind": "GatewayClass",
		"metadata": map[string]any{"name": controller.ClassName}, "spec": map[string]any{"controllerName": controller.Name},
	}}
	if _, err := store.Create(class); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&cluster.Server{Store: store, Logs: logs, Completed: manager.Completed, Generated: manager.Generated, Run: plane.Run})
	t.Cleanup(server.Close)
	return &rest.Config{
		Host: server.URL, QPS: -1, // no limit
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}, manager
}
