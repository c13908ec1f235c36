package plan

import (
	"github.com/gwplan/gwplan/loader"
)

// Status combines the fields of the official status types (Gateway API apis/v1: GatewayStatus,
// ListenerSetStatus, RouteStatus, PolicyStatus). Each kind uses its own.
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

	// At is the line that decides the condition. It may be empty.
	At loader.Position `json:"-"`
	// Bad is true if the condition reports a problem. AgeSensitive is true if a time that is not in
	// the input could change the condition.
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

// Parent is what one parent's controller reports about a route.
type Parent struct {
	ParentRef      Reference   `json:"parentRef"`
	ControllerName string      `json:"controllerName"`
	Conditions     []Condition `json:"conditions"`
}

// Ancestor is what an ancestor's controller reports about a policy.
type Ancestor struct {
	AncestorRef    Reference   `json:"ancestorRef"`
	ControllerName string      `json:"controllerName"`
	Conditions     []Condition `json:"conditions"`
}

// StatusList is the outcome of `gwplan status`: a v1 List of the input's Gateway
// API objects and policies, each with the status that a controller would write.
type StatusList struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Items      []StatusObject `json:"items"`
	Problems   []Problem      `json:"problems"`
	Notes      []string       `json:"notes"`

	// Environments are the names of the environments that the list covers.
	Environments []string `json:"-"`
}

// EnvironmentAnnotation names the environment of an object in a list of several environments, where one
// object may occur more than once.
const EnvironmentAnnotation = "gwplan.dev/environment"

// StatusObject is an object as it was written, with the computed status.
type StatusObject struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`
	Spec       any            `json:"spec,omitempty"`
	Status     Status         `json:"status"`

	// Node names the object as the other commands do.
	Node string `json:"-"`
	// Environment is that of the object. Where the list has several, an annotation of the object names it.
	Environment string `json:"-"`
}
