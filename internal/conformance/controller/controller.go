// Package controller is the controller of the conformance suite's cluster: it gives objects the .status that gwplan
// says, and Gateways an address.
package controller

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/cluster"
	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// The class of Gateways and its controller: an implementation of which gwplan knows nothing, so that it follows the
// specification.
const (
	ClassName = "gwplan"
	Name      = "gwplan.dev/conformance"
)

// Controller gives objects their .status.
type Controller struct {
	Store   *cluster.Store
	Planner *planner.Planner
	// Serve opens what a Gateway listens at, before anybody gets to know its address.
	Serve func(gateway *gatewayv1.Gateway, addresses []string) error
	// Range is the range of addresses that Gateways can have, such as "127.1.".
	Range string

	mu        sync.Mutex
	addresses map[types.UID]string
}

// Completed returns an object with its .status. It owns the object, but nothing within.
func (c *Controller) Completed(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	statuses, err := c.Planner.Statuses()
	if err != nil {
		return nil, err
	}
	planned := statuses[cluster.KeyOf(object)]
	if planned != nil {
		planned = runtime.DeepCopyJSON(planned)
	}
	written, _ := object.Object["status"].(map[string]any)
	status := keepForeign(planned, written)
	if object.GetKind() == "Gateway" {
		if err := c.address(object, status); err != nil {
			return nil, err
		}
	}
	complete(object, status)
	if len(status) > 0 {
		object.Object["status"] = status
	} else {
		delete(object.Object, "status")
	}
	return object, nil
}

// address opens the listeners of a Gateway that is accepted, and writes its addresses.
func (c *Controller) address(object *unstructured.Unstructured, status map[string]any) error {
	if conditionStatus(status, "Accepted") != "True" {
		return nil
	}
	var gateway gatewayv1.Gateway
	if err := cluster.Decode(object, &gateway); err != nil {
		return err
	}
	addresses := c.usable(&gateway)
	if len(addresses) == 0 {
		addresses = []string{c.assign(gateway.UID)}
	}
	if err := c.Serve(&gateway, addresses); err != nil {
		return err
	}
	var list []any
	for _, address := range addresses {
		list = append(list, map[string]any{"type": "IPAddress", "value": address})
	}
	status["addresses"] = list
	return nil
}

// assign picks the address of a Gateway.
func (c *Controller) assign(gateway types.UID) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.addresses == nil {
		c.addresses = map[types.UID]string{}
	}
	if c.addresses[gateway] == "" {
		n := len(c.addresses) + 1
		c.addresses[gateway] = fmt.Sprintf("%s%d.%d", c.Range, n/250, n%250+1)
	}
	return c.addresses[gateway]
}
