package dataplane

import (
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
)

// holder is the Gateway that has a port, with its listeners and certificates as they are stored now.
type holder struct {
	*DataPlane
	number int // of the port

	mu   sync.Mutex
	name types.NamespacedName
}

// pass passes the port on to a Gateway.
func (h *holder) pass(to types.NamespacedName) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.name = to
}

// owner names the Gateway that has the port now.
func (h *holder) owner() types.NamespacedName {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.name
}

// stored is the Gateway as it is stored, empty if there is none.
func (h *holder) stored() *gatewayv1.Gateway {
	owner := h.owner()
	var gateway gatewayv1.Gateway
	h.Store.Read(cluster.Key{Group: gatewayv1.GroupName, Kind: "Gateway", Namespace: owner.Namespace, Name: owner.Name}, &gateway)
	return &gateway
}

// current are its listeners at the port.
func (h *holder) current() []listener {
	var out []listener
	for _, l := range h.listeners(h.stored()) {
		if int(l.Port) == h.number {
			out = append(out, l)
		}
	}
	return out
}

// speaks reports whether a listener at the port has one of the protocols.
func (h *holder) speaks(protocols ...gatewayv1.ProtocolType) bool {
	for _, l := range h.current() {
		for _, protocol := range protocols {
			if l.Protocol == protocol {
				return true
			}
		}
	}
	return false
}

// named returns the listener that trace names.
func (h *holder) named(name string) (listener, bool) {
	owner, section, _ := strings.Cut(name, "#")
	for _, l := range h.current() {
		if l.owner == owner && string(l.Name) == section {
			return l, true
		}
	}
	return listener{}, false
}
