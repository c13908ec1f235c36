package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
	"github.com/envoyproxy/gateway/internal/envoygateway/config"
	"github.com/envoyproxy/gateway/internal/gatewayapi"
	"github.com/envoyproxy/gateway/internal/gatewayapi/resource"
	"github.com/envoyproxy/gateway/internal/infrastructure/kubernetes/ratelimit"
	"github.com/envoyproxy/gateway/internal/ir"
	"github.com/envoyproxy/gateway/internal/logging"
	"github.com/envoyproxy/gateway/internal/message"
	"github.com/envoyproxy/gateway/internal/provider/kubernetes"
	xds "github.com/envoyproxy/gateway/internal/xds/translator"
	"github.com/gwplan/gwplan/differential/judge"
)

// controller is Envoy Gateway. One serves for all worlds, because it makes certificates when it starts, which takes long;
// it holds nothing of a world but the objects in its API server.
type controller struct {
	config     *config.Server
	reconciler *kubernetes.OfflineGatewayAPIReconciler
	found      *message.ProviderResources // what the reconciler makes of a world
}

func newController(ctx context.Context) (*controller, error) {
	log.SetLogger(logr.Discard())
	cfg, err := config.New(io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	cfg.Logger = logging.DefaultLogger(io.Discard, egv1a1.LogLevelError)
	// The offline controller wants another provider than Kubernetes. It reconciles no differently.
	cfg.EnvoyGateway.Provider = &egv1a1.EnvoyGatewayProvider{Type: egv1a1.ProviderTypeCustom}
	cfg.EnvoyGateway.ExtensionAPIs = &egv1a1.ExtensionAPISettings{EnableBackend: true, EnableEnvoyPatchPolicy: true, EnableLua: true}
	cfg.EnvoyGateway.RateLimit = &egv1a1.RateLimit{}
	found := new(message.ProviderResources)
	reconciler, err := kubernetes.NewOfflineGatewayAPIController(ctx, cfg, nil, found)
	if err != nil {
		return nil, err
	}
	return &controller{config: cfg, reconciler: reconciler, found: found}, nil
}

// decide gives the statuses that are written of the objects.
func (c *controller) decide(objects []*unstructured.Unstructured) (statuses []judge.Status, err error) {
	ctx := context.Background()
	world, err := decode(objects)
	if err != nil {
		return nil, err
	}
	world = append(world, endpointSlices(world)...)
	held := 0
	defer func() { err = errors.Join(err, c.remove(ctx, world[:held])) }()
	for _, o := range world {
		if err := c.reconciler.Client.Create(ctx, o); err != nil {
			return nil, fmt.Errorf("create %T %s: %w", o, client.ObjectKeyFromObject(o), err)
		}
		held++
	}
	// The first time it puts its finalizer on a GatewayClass, which costs the class its status until the second.
	for range 2 {
		if err := c.reconciler.Reconcile(ctx); err != nil {
			return nil, err
		}
	}
	w := written{}
	// There is nothing to load if no GatewayClass is Envoy Gateway's.
	if found, ok := c.found.GatewayAPIResources.Load(egv1a1.GatewayControllerName); ok {
		for _, class := range *found.Resources {
			if err := c.translate(ctx, class, w); err != nil {
				return nil, err
			}
		}
	}
	return w.statuses()
}

// translate adds what is written of the objects that belong to a GatewayClass.
func (c *controller) translate(ctx context.Context, class *resource.Resources, w written) error {
	if err := setKinds(class); err != nil {
		return err
	}
	t := &gatewayapi.Translator{
		GatewayControllerName:   c.config.EnvoyGateway.Gateway.ControllerName,
		GatewayClassName:        gwapiv1.ObjectName(class.GatewayClass.Name),
		GlobalRateLimitEnabled:  true,
		EnvoyPatchPolicyEnabled: true,
		BackendEnabled:          true,
		ControllerNamespace:     c.config.ControllerNamespace,
		MergeGateways:           gatewayapi.IsMergeGatewaysEnabled(class),
		MergeBackends:           gatewayapi.ResolveMergeBackendsConfig(class),
		WasmCache:               wasmCache{},
		Logger:                  c.config.Logger,
	}
	// An error is about what proxies get; Envoy Gateway logs it and writes the statuses all the same.
	result, _ := t.Translate(ctx, class)
	for _, gateway := range result.Gateways {
		program(gateway)
	}
	w.add(result.GatewayClass)
	addAll(w, result.Gateways)
	addAll(w, result.ListenerSets)
	addAll(w, result.HTTPRoutes)
	addAll(w, result.GRPCRoutes)
	addAll(w, result.TLSRoutes)
	addAll(w, result.TCPRoutes)
	addAll(w, result.UDPRoutes)
	addAll(w, result.Backends)
	addAll(w, result.BackendTLSPolicies)
	addAll(w, result.ClientTrafficPolicies)
	addAll(w, result.BackendTrafficPolicies)
	addAll(w, result.SecurityPolicies)
	addAll(w, result.EnvoyExtensionPolicies)
	addAll(w, result.EnvoyProxiesForGateways)
	if proxy := result.EnvoyProxyForGatewayClass; proxy != nil {
		w.add(proxy)
	}
	patches := map[types.NamespacedName]*egv1a1.EnvoyPatchPolicy{}
	for _, patch := range result.EnvoyPatchPolicies {
		patches[client.ObjectKeyFromObject(patch)] = patch
	}
	for _, key := range slices.Sorted(maps.Keys(result.XdsIR)) {
		for _, name := range c.patch(ctx, result.XdsIR[key]) {
			w.add(patches[name])
		}
	}
	return nil
}

// patch applies the EnvoyPatchPolicies of a proxy, which completes their statuses, and names them. Those of no proxy get
// no status.
func (c *controller) patch(ctx context.Context, proxy *ir.Xds) []types.NamespacedName {
	if len(proxy.EnvoyPatchPolicies) == 0 || proxy.Validate() != nil {
		return nil
	}
	t := &xds.Translator{
		ControllerNamespace: c.config.ControllerNamespace,
		FilterOrder:         proxy.FilterOrder,
		GlobalRateLimit:     &xds.GlobalRateLimitSettings{ServiceURL: ratelimit.GetServiceURL(c.config.ControllerNamespace, c.config.DNSDomain)},
		Logger:              c.config.Logger,
	}
	// The result is nil if there is an error that is not a policy's.
	result, _ := t.Translate(ctx, proxy)
	if result == nil {
		return nil
	}
	var names []types.NamespacedName
	for _, p := range result.EnvoyPatchPolicyStatuses {
		names = append(names, types.NamespacedName{Namespace: p.Namespace, Name: p.Name})
	}
	return names
}

// setKinds does what the cache of a real client does and the fake one does not. Selectors of targets go by it.
func setKinds(r *resource.Resources) error {
	return errors.Join(
		setKind(r.Gateways),
		setKind(r.ListenerSets),
		setKind(r.HTTPRoutes),
		setKind(r.GRPCRoutes),
		setKind(r.TLSRoutes),
		setKind(r.TCPRoutes),
		setKind(r.UDPRoutes),
		setKind(r.Services),
		setKind(r.Backends),
		setKind(r.BackendTLSPolicies),
		setKind(r.ClientTrafficPolicies),
		setKind(r.BackendTrafficPolicies),
		setKind(r.SecurityPolicies),
		setKind(r.EnvoyExtensionPolicies),
	)
}

func setKind[T client.Object](objects []T) error {
	for _, o := range objects {
		kind, err := apiutil.GVKForObject(o, scheme)
		if err != nil {
			return err
		}
		o.GetObjectKind().SetGroupVersionKind(kind)
	}
	return nil
}
