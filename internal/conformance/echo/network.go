// Package echo plays the pods of the conformance suite's cluster: their servers tell in each answer what reached them.
package echo

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// Network leads to the servers of pods, which start when they are first asked for.
type Network struct {
	Store *cluster.Store
	Logs  *cluster.Logs

	mu      sync.Mutex
	servers map[serverKey]string
}

type serverKey struct {
	pod  types.UID
	port int
}

// Endpoint is a port of a pod.
type Endpoint struct {
	Pod  corev1.Pod
	Port int
}

// Endpoints returns what a port of a Service leads to, and the port itself.
func (n *Network) Endpoints(service types.NamespacedName, port int) ([]Endpoint, corev1.ServicePort, error) {
	var s corev1.Service
	if !n.Store.Read(cluster.Key{Kind: "Service", Namespace: service.Namespace, Name: service.Name}, &s) {
		return nil, corev1.ServicePort{}, fmt.Errorf("there is no Service %s", service)
	}
	i := slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return int(p.Port) == port })
	if i < 0 {
		return nil, corev1.ServicePort{}, fmt.Errorf("Service %s has no port %d", service, port)
	}
	number := s.Spec.Ports[i].TargetPort.IntValue()
	if number == 0 {
		number = port
	}
	addresses := n.sliced(&s)
	var out []Endpoint
	for _, pod := range n.Store.Pods() {
		selected := len(s.Spec.Selector) > 0 && labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(pod.Labels))
		if pod.Namespace == s.Namespace && (selected || slices.Contains(addresses, pod.Status.PodIP)) {
			out = append(out, Endpoint{pod, number})
		}
	}
	return out, s.Spec.Ports[i], nil
}

// sliced are the addresses in the EndpointSlices of a Service without a selector.
func (n *Network) sliced(service *corev1.Service) []string {
	if len(service.Spec.Selector) > 0 {
		return nil
	}
	var out []string
	objects, _ := n.Store.Objects()
	for _, object := range objects {
		if object.GetKind() != "EndpointSlice" || object.GetNamespace() != service.Namespace || object.GetLabels()[discoveryv1.LabelServiceName] != service.Name {
			continue
		}
		var slice discoveryv1.EndpointSlice
		if cluster.Decode(object, &slice) == nil {
			for _, endpoint := range slice.Endpoints {
				out = append(out, endpoint.Addresses...)
			}
		}
	}
	return out
}

// Dial connects to a port of a pod.
func (n *Network) Dial(ctx context.Context, e Endpoint) (net.Conn, error) {
	address, err := n.server(e)
	if err != nil {
		return nil, err
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}

// server returns the address of the server behind a port of a pod.
func (n *Network) server(e Endpoint) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := serverKey{e.Pod.UID, e.Port}
	if address := n.servers[key]; address != "" {
		return address, nil
	}
	p := &pod{store: n.Store, logs: n.Logs, Pod: e.Pod}
	serve := p.server(e.Port)
	if serve == nil {
		return "", fmt.Errorf("connection to %s:%d refused: %w", e.Pod.Name, e.Port, errRefused)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go serve(listener)
	if n.servers == nil {
		n.servers = map[serverKey]string{}
	}
	n.servers[key] = listener.Addr().String()
	return n.servers[key], nil
}

// server returns what listens at a port of a pod, or nil. The environment or the arguments of the container say what it is,
// as for the suite's own images.
func (p *pod) server(port int) func(net.Listener) {
	switch {
	case p.argument("--port") != "": // the image of meshes
		switch strconv.Itoa(port) {
		case p.argument("--port"):
			return p.serveHTTP(plain)
		case p.argument("--grpc"):
			return p.serveHTTP(plainHTTP2) // its client does not look into the messages of gRPC
		}
	case p.env("GRPC_ECHO_SERVER", "") != "":
		switch strconv.Itoa(port) {
		case p.env("HTTP_PORT", "3000"):
			return p.serveGRPC(false)
		case p.env("HTTPS_PORT", "8443"):
			return p.serveGRPC(true)
		}
	case p.env("TCP_ECHO_SERVER", "") != "":
		switch strconv.Itoa(port) {
		case p.env("TCP_PORT", "3000"):
			return p.serveTCP(false)
		case p.env("TLS_PORT", "8443"):
			return p.serveTCP(true)
		}
	case p.env("UDP_ECHO_SERVER", "") != "":
	default:
		switch strconv.Itoa(port) {
		case p.env("HTTP_PORT", "3000"):
			return p.serveHTTP(plain)
		case p.env("H2C_PORT", "3001"):
			return p.serveHTTP(plainHTTP2)
		case p.env("HTTPS_PORT", "8443"):
			return p.serveHTTP(secure)
		}
	}
	return nil
}
