package controller

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// This file is all that the stand-in for a controller adds to what gwplan says. Manifests cannot tell it: when
// something was decided and for which generation, whether a data plane took the configuration over, and addresses.
// Nothing that gwplan says is changed.

// UnusableAddress is an address that no Gateway can have. It is one for documentation.
const UnusableAddress = "192.0.2.1"

// UsableAddress is an address that a Gateway may ask for; one that does not never gets it.
func (c *Controller) UsableAddress() string { return c.Range + "255.1" }

// usable are the addresses that a Gateway asks for and can have.
func (c *Controller) usable(gateway *gatewayv1.Gateway) []string {
	var out []string
	for _, address := range gateway.Spec.Addresses {
		if address.Value == c.UsableAddress() {
			out = append(out, address.Value)
		}
	}
	return out
}

// complete fills in a .status.
func complete(object *unstructured.Unstructured, status map[string]any) {
	switch object.GetKind() {
	case "Gateway":
		program(status, asksForUnusable(object))
		for _, listener := range items(status["listeners"]) {
			program(listener, false)
		}
	case "ListenerSet":
		program(status, false)
		for _, listener := range items(status["listeners"]) {
			program(listener, false)
		}
	}
	stamp(object, status)
	for _, list := range []string{"listeners", "parents", "ancestors"} {
		for _, item := range items(status[list]) {
			stamp(object, item)
		}
	}
}

// program adds the condition Programmed where gwplan says nothing of it: the data plane here takes over all that is
// accepted, unless an address cannot be had.
func program(part map[string]any, unusable bool) {
	if conditionStatus(part, "Programmed") != "" || conditionStatus(part, "Accepted") == "" {
		return
	}
	programmed := map[string]any{"type": "Programmed", "status": "True", "reason": "Programmed", "message": ""}
	switch {
	case conditionStatus(part, "Accepted") != "True":
		programmed["status"], programmed["reason"] = "False", "Invalid"
	case unusable:
		programmed["status"], programmed["reason"] = "False", string(gatewayv1.GatewayReasonAddressNotUsable)
	}
	conditions, _ := part["conditions"].([]any)
	part["conditions"] = append(conditions, programmed)
}

// asksForUnusable reports whether a Gateway asks for an address that it cannot have.
func asksForUnusable(object *unstructured.Unstructured) bool {
	addresses, _, _ := unstructured.NestedSlice(object.Object, "spec", "addresses")
	return slices.ContainsFunc(items(addresses), func(address map[string]any) bool { return address["value"] == UnusableAddress })
}

// stamp dates conditions and says which generation they are about.
func stamp(object *unstructured.Unstructured, part map[string]any) {
	created, _, _ := unstructured.NestedString(object.Object, "metadata", "creationTimestamp")
	for _, condition := range items(part["conditions"]) {
		if condition["lastTransitionTime"] == nil {
			condition["lastTransitionTime"] = created
			condition["observedGeneration"] = object.GetGeneration()
		}
	}
}

// conditionStatus returns the status of a condition, or "".
func conditionStatus(part map[string]any, name string) string {
	for _, condition := range items(part["conditions"]) {
		if condition["type"] == name {
			status, _ := condition["status"].(string)
			return status
		}
	}
	return ""
}
