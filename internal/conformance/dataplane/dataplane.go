// Package dataplane plays the Gateways of the conformance suite's cluster. It listens where Gateways say, and does with
// each request what gwplan trace says: it matches nothing and knows no rule of Gateway API.
package dataplane

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
	"github.com/gwplan/gwplan/internal/conformance/echo"
	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// DataPlane serves all Gateways.
type DataPlane struct {
	Store   *cluster.Store
	Planner *planner.Planner
	Network *echo.Network

	mu     sync.Mutex
	ports  map[portKey]*port
	shares shares
}

type portKey struct {
	network, address string
	number           int
}

// port is a port of a Gateway that is open. Its key names a listening socket, which may pass on to another Gateway.
type port struct {
	*DataPlane
	portKey
	mu      sync.Mutex
	gateway types.NamespacedName
	http    *http.Server
	conns   chan net.Conn // those that HTTP is spoken on
}

// Serve opens the ports of a Gateway at its addresses. They stay open: a Gateway that is gone refuses all requests.
func (d *DataPlane) Serve(gateway *gatewayv1.Gateway, addresses []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, listener := range d.listeners(gateway) {
		network := "tcp"
		if listener.Protocol == gatewayv1.UDPProtocolType {
			network = "udp"
		}
		for _, address := range addresses {
			if err := d.open(portKey{network, address, int(listener.Port)}, gateway); err != nil {
				return fmt.Errorf("%w; this takes Linux, and root or net.ipv4.ip_unprivileged_port_start=0", err)
			}
		}
	}
	return nil
}

func (d *DataPlane) open(key portKey, gateway *gatewayv1.Gateway) error {
	owner := types.NamespacedName{Namespace: gateway.Namespace, Name: gateway.Name}
	if p := d.ports[key]; p != nil {
		p.mu.Lock()
		p.gateway = owner
		p.mu.Unlock()
		return nil
	}
	p := &port{DataPlane: d, portKey: key, gateway: owner}
	at := net.JoinHostPort(key.address, strconv.Itoa(key.number))
	if key.network == "udp" {
		conn, err := net.ListenPacket("udp", at)
		if err != nil {
			return err
		}
		go p.datagrams(conn)
	} else {
		listener, err := net.Listen("tcp", at)
		if err != nil {
			return err
		}
		p.conns = make(chan net.Conn)
		p.http = p.server()
		go p.http.Serve(&accepted{p.conns, listener.Addr()})
		go p.accept(listener)
	}
	if d.ports == nil {
		d.ports = map[portKey]*port{}
	}
	d.ports[key] = p
	return nil
}

// owner names the Gateway that has the port now.
func (p *port) owner() types.NamespacedName {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gateway
}

// stored is that Gateway as it is stored now, empty if there is none.
func (p *port) stored() *gatewayv1.Gateway {
	owner := p.owner()
	var gateway gatewayv1.Gateway
	p.Store.Read(cluster.Key{Group: gatewayv1.GroupName, Kind: "Gateway", Namespace: owner.Namespace, Name: owner.Name}, &gateway)
	return &gateway
}

// trace asks what the Gateway does with a request. Scheme and host make its URL, with what follows the port.
func (p *port) trace(scheme, host, rest, method string, header http.Header) (*planner.Answer, error) {
	if host == "" {
		host = p.address
	}
	return p.Planner.Trace(&planner.Request{
		Gateway: p.owner().String(), URL: scheme + "://" + net.JoinHostPort(host, strconv.Itoa(p.number)) + rest,
		Method: method, Header: header,
	})
}
