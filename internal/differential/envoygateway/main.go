// Command envoygateway answers what Envoy Gateway v1.9.1 says of worlds: the statuses that it writes.
//
// Of the controller's code it calls, for each world: the reconciler of the Kubernetes provider over a fake API server
// (internal/provider/kubernetes, NewOfflineGatewayAPIController and Reconcile); for each GatewayClass, as
// internal/gatewayapi/runner does, the translator (internal/gatewayapi, Translator.Translate); for each EnvoyPatchPolicy
// the translator to xDS, which applies it (internal/xds/translator, Translator.Translate, as internal/xds/runner); and
// what the provider does with a Gateway's status before it writes it (internal/gatewayapi/status,
// UpdateGatewayStatusAccepted and UpdateGatewayStatusProgrammedCondition).
//
// The configuration is Envoy Gateway's default with the extension APIs Backend, EnvoyPatchPolicy and Lua and a rate limit
// service. Facts that no manifest has are made up in favour of the world: see cluster.go. Left out are extension servers
// and their policies, GatewayNamespaceMode, and the times of conditions.
//
// The module's path lies below Envoy Gateway's, so that the compiler lets it import internal packages.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/gwplan/gwplan/differential/judge"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	gatewayAPI, err := judge.ModuleFiles("sigs.k8s.io/gateway-api", "config/crd/experimental/*.yaml")
	if err != nil {
		return err
	}
	own, err := judge.ModuleFiles("github.com/envoyproxy/gateway", "charts/gateway-helm/charts/crds/crds/generated/*.yaml")
	if err != nil {
		return err
	}
	server, err := judge.NewAPIServer(append(gatewayAPI, own...)...)
	if err != nil {
		return err
	}
	c, err := newController(context.Background())
	if err != nil {
		return err
	}
	judge.Main(server, c.decide)
	return nil
}
