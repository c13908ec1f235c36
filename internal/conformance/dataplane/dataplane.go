// Package dataplane plays the Gateways of the conformance suite's cluster. It listens where Gateways say, and does with
// each request what gwplan trace says: it matches nothing and knows no rule of Gateway API.
package dataplane

import (
	"fmt"
	"net"
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
		p.holder.pass(owner)
		return nil
	}
	c := newCarrier(d, key.number, owner)
	p := &port{portKey: key, holder: c.holder, carrier: c}
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
