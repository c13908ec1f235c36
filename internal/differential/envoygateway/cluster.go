package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	gwapiv1b1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
	"github.com/envoyproxy/gateway/internal/envoygateway"
	"github.com/envoyproxy/gateway/internal/gatewayapi/resource"
	"github.com/envoyproxy/gateway/internal/gatewayapi/status"
	"github.com/envoyproxy/gateway/internal/wasm"
)

// scheme has the types that the controller knows.
var scheme = envoygateway.GetScheme()

// decode gives the objects the types that the controller asks for. Objects of other types are nothing to it.
func decode(objects []*unstructured.Unstructured) ([]client.Object, error) {
	var world []client.Object
	for _, o := range objects {
		kind := o.GroupVersionKind()
		if kind.Group == gwapiv1.GroupName {
			// The API server converts versions by their name alone.
			kind.Version = gwapiv1.GroupVersion.Version
			if kind.Kind == resource.KindReferenceGrant {
				kind.Version = gwapiv1b1.GroupVersion.Version
			}
		}
		into, err := scheme.New(kind)
		if runtime.IsNotRegisteredError(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		o.SetGroupVersionKind(kind)
		o.SetResourceVersion("")
		if err := scheme.Convert(o, into, nil); err != nil {
			return nil, fmt.Errorf("%s %s/%s: %w", kind.Kind, o.GetNamespace(), o.GetName(), err)
		}
		if typed, ok := into.(client.Object); ok {
			complete(typed)
			world = append(world, typed)
		}
	}
	return world, nil
}

// remove takes objects out of the API server.
func (c *controller) remove(ctx context.Context, objects []client.Object) error {
	var errs []error
	for _, o := range objects {
		errs = append(errs, c.removeOne(ctx, o))
	}
	return errors.Join(errs...)
}

func (c *controller) removeOne(ctx context.Context, o client.Object) error {
	server := c.reconciler.Client
	if err := server.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		return err
	}
	if len(o.GetFinalizers()) > 0 {
		o.SetFinalizers(nil)
		if err := server.Update(ctx, o); err != nil {
			return err
		}
	}
	// One that was being deleted is gone with its last finalizer.
	return client.IgnoreNotFound(server.Delete(ctx, o))
}

// complete adds what the API server defaults in kinds of Kubernetes and the controller looks at, and what an identity
// provider would say.
func complete(o client.Object) {
	switch o := o.(type) {
	case *corev1.Secret:
		for key, value := range o.StringData {
			if o.Data == nil {
				o.Data = map[string][]byte{}
			}
			o.Data[key] = []byte(value)
		}
	case *corev1.Service:
		for i := range o.Spec.Ports {
			if o.Spec.Ports[i].Protocol == "" {
				o.Spec.Ports[i].Protocol = corev1.ProtocolTCP
			}
		}
	case *egv1a1.SecurityPolicy:
		if o.Spec.OIDC != nil {
			discover(&o.Spec.OIDC.Provider)
		}
	}
}

// discover adds the endpoints that the controller would ask the issuer for, over the network.
func discover(provider *egv1a1.OIDCProvider) {
	issuer := strings.TrimRight(provider.Issuer, "/")
	if e := provider.AuthorizationEndpoint; e == nil || *e == "" {
		provider.AuthorizationEndpoint = new(issuer + "/authorize")
	}
	if e := provider.TokenEndpoint; e == nil || *e == "" {
		provider.TokenEndpoint = new(issuer + "/token")
	}
}

// endpointSlices gives each Service an endpoint that is ready, unless the world has EndpointSlices for it.
func endpointSlices(world []client.Object) []client.Object {
	served := map[types.NamespacedName]bool{}
	for _, o := range world {
		if s, ok := o.(*discoveryv1.EndpointSlice); ok {
			served[types.NamespacedName{Namespace: s.Namespace, Name: s.Labels[discoveryv1.LabelServiceName]}] = true
		}
	}
	var made []client.Object
	for _, o := range world {
		s, ok := o.(*corev1.Service)
		if !ok || served[client.ObjectKeyFromObject(s)] || s.Spec.Type == corev1.ServiceTypeExternalName {
			continue
		}
		slice := &discoveryv1.EndpointSlice{
			AddressType: discoveryv1.AddressTypeIPv4,
			Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"192.0.2.1"}, Conditions: discoveryv1.EndpointConditions{Ready: new(true)}}},
		}
		slice.Namespace, slice.Name = s.Namespace, s.Name+"-made-up"
		slice.Labels = map[string]string{discoveryv1.LabelServiceName: s.Name}
		for _, p := range s.Spec.Ports {
			number := p.Port
			if p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0 {
				number = p.TargetPort.IntVal
			}
			slice.Ports = append(slice.Ports, discoveryv1.EndpointPort{Name: &p.Name, Port: &number, Protocol: &p.Protocol, AppProtocol: p.AppProtocol})
		}
		made = append(made, slice)
	}
	return made
}

// program does what the provider does before it writes a Gateway's status, with a proxy that runs and a Service of the
// type LoadBalancer that has an address.
func program(gateway *gwapiv1.Gateway) {
	if !status.GatewayAccepted(gateway) {
		return
	}
	status.UpdateGatewayStatusAccepted(gateway)
	service := &corev1.Service{
		Spec:   corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer},
		Status: corev1.ServiceStatus{LoadBalancer: corev1.LoadBalancerStatus{Ingress: []corev1.LoadBalancerIngress{{IP: "203.0.113.1"}}}},
	}
	for _, a := range gateway.Spec.Addresses {
		if *a.Type == gwapiv1.IPAddressType {
			service.Spec.ExternalIPs = append(service.Spec.ExternalIPs, a.Value)
		}
	}
	proxy := &appsv1.Deployment{Status: appsv1.DeploymentStatus{Replicas: 1, AvailableReplicas: 1}}
	status.UpdateGatewayStatusProgrammedCondition(gateway, service, proxy, status.NodeAddresses{}, false)
}

// wasmCache finds every module that it is asked for.
type wasmCache struct{}

func (wasmCache) Start(context.Context) {}

func (wasmCache) Get(string, *wasm.GetOptions) (location, checksum string, err error) {
	return "https://envoy-gateway/made-up.wasm", "made-up", nil
}
