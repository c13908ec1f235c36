// Package status shows the verdicts of the hierarchy and of policies in the form
// that users know: the .status that a controller would write, as far as
// manifests decide it. What they do not decide has status Unknown and reason
// NotInInput; what only a running system knows (programmed, addresses, health)
// is left out, except that something would not be programmed.
package status

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// UnknownController is the controllerName where the GatewayClass is not in the
// input and nobody said it.
const UnknownController = "gwplan.dev/unknown"

// Object is one object of the input with its status.
type Object struct {
	Object *loader.Object
	Status Status
}

// Status has the fields of the official types that a kind has (Gateway API
// apis/v1: GatewayStatus, ListenerSetStatus, RouteStatus, PolicyStatus).
type Status struct {
	Conditions           []Condition `json:"conditions,omitempty"`
	Listeners            []Listener  `json:"listeners,omitempty"`
	AttachedListenerSets *int        `json:"attachedListenerSets,omitempty"`
	Parents              []Parent    `json:"parents,omitempty"`
	Ancestors            []Ancestor  `json:"ancestors,omitempty"`
}

// Condition is a metav1.Condition without its times.
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`

	// At is the line that decides the condition, or nothing.
	At loader.Position `json:"-"`
	// Bad says that the condition tells of something wrong, AgeSensitive that a time that is
	// not in the input could turn it.
	Bad          bool `json:"-"`
	AgeSensitive bool `json:"-"`
}

// Listener is the status of one listener.
type Listener struct {
	Name           string      `json:"name"`
	SupportedKinds []RouteKind `json:"supportedKinds"`
	AttachedRoutes int         `json:"attachedRoutes"`
	Conditions     []Condition `json:"conditions"`
}

// RouteKind is a kind of route.
type RouteKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

// Reference names a parent or an ancestor, with the API's defaults filled in.
type Reference struct {
	Group       string `json:"group"`
	Kind        string `json:"kind"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name"`
	SectionName string `json:"sectionName,omitempty"`
	Port        int    `json:"port,omitempty"`
}

// Parent is what one parent's controller says of a route.
type Parent struct {
	ParentRef      Reference   `json:"parentRef"`
	ControllerName string      `json:"controllerName"`
	Conditions     []Condition `json:"conditions"`
}

// Ancestor is what an ancestor's controller says of a policy.
type Ancestor struct {
	AncestorRef    Reference   `json:"ancestorRef"`
	ControllerName string      `json:"controllerName"`
	Conditions     []Condition `json:"conditions"`
}

// word writes a fact as conditions do.
func word(f hierarchy.Fact) string {
	switch f {
	case hierarchy.True:
		return "True"
	case hierarchy.False:
		return "False"
	case hierarchy.Unknown:
	}
	return "Unknown"
}

func conditionsOf(list []hierarchy.Condition) []Condition {
	out := make([]Condition, 0, len(list))
	for i := range list {
		out = append(out, conditionOf(&list[i]))
	}
	return out
}

func conditionOf(c *hierarchy.Condition) Condition {
	return Condition{
		Type: c.Type, Status: word(c.Status), Reason: c.Reason, Message: c.Message,
		At: c.Position(), Bad: c.Bad(), AgeSensitive: c.AgeSensitive,
	}
}

func controller(name string) string {
	if name == "" {
		return UnknownController
	}
	return name
}
