package network

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Form is what an endpoint is.
type Form uint8

// The forms of endpoints.
const (
	// Pods are those of a workload, or pods that no manifest of the input has.
	Pods Form = iota
	// Addresses are outside the cluster.
	Addresses
	// Names are domain names outside the cluster.
	Names
	// Nodes are the nodes of the cluster, and the pods that use their network.
	Nodes
	// Entities are what Cilium knows by a name of its own, such as the proxies of its Gateways.
	Entities
)

// Endpoint is one end of a connection. All that it stands for is treated alike by the policies of both
// revisions.
//
// Pods without a manifest stand for those that something outside the input creates, such as a chart
// that is not rendered: for each namespace those without labels, and for each selector that selects no
// workload those with exactly its labels.
type Endpoint struct {
	Form Form
	// Workload is the object whose pods these are; zero for pods without a manifest.
	Workload loader.ID
	// Namespace is that of the pods; empty for a namespace of which only labels are known.
	Namespace string
	// labels are those of pods without a manifest, namespaceLabels those of their namespace where a
	// selector tells them.
	labels, namespaceLabels map[string]string
	// parts are the pods of the namespace that stand for some of the labels, where two policies may meet at these pods.
	parts []int
	// distinctiveLabel is one of the labels, if no other pods of the namespace have it.
	distinctiveLabel string
	addresses        addresses
	// proxy is the Gateway whose pods these are; they may have further labels.
	proxy string
	// Name is a domain name, or a pattern of names.
	Name string
}

// presumed reports whether no manifest of the input has these pods.
func (e *Endpoint) presumed() bool { return e.Form == Pods && e.Workload == loader.ID{} }

// String returns the endpoint in words: "Deployment shop/cart", "pods of shop with app=cart".
func (e *Endpoint) String() string {
	switch e.Form {
	case Addresses:
		var out []string
		for _, n := range e.addresses.networks() {
			out = append(out, n.String())
		}
		return strings.Join(out, ", ")
	case Names:
		return e.Name
	case Nodes:
		return "nodes"
	case Entities:
		return "the entity " + e.Name
	case Pods:
	}
	if e.proxy != "" {
		return "the proxies of " + e.proxy + " in namespace " + e.Namespace
	}
	if !e.presumed() {
		return e.Workload.Kind + " " + e.Workload.Namespace + "/" + e.Workload.Name
	}
	where := e.Namespace
	switch {
	case where != "":
	case len(e.namespaceLabels) > 0:
		where = "namespaces with " + labelText(e.namespaceLabels)
	default:
		where = "other namespaces"
	}
	if len(e.labels) == 0 {
		if e.Namespace == "" {
			return "pods of " + where
		}
		return "other pods of " + where
	}
	if e.distinctiveLabel != "" {
		return "pods of " + where + " with " + e.distinctiveLabel
	}
	return "pods of " + where + " with " + labelText(e.labels)
}

// met reports whether these are pods with the labels of two selectors at once, of which it is not known that they exist.
func (e *Endpoint) met() bool { return e.parts != nil }

// endpointKey identifies an endpoint.
type endpointKey struct {
	form                    Form
	proxy                   string
	workload                loader.ID
	namespace               string
	labels, namespaceLabels string
	addresses               addresses
	name                    string
}

func (e *Endpoint) key() endpointKey {
	return endpointKey{e.Form, e.proxy, e.Workload, e.Namespace, labelText(e.labels), labelText(e.namespaceLabels), e.addresses, e.Name}
}

func (p Proxy) endpoint() *Endpoint {
	if p.Entity != "" {
		return &Endpoint{Form: Entities, Name: p.Entity}
	}
	return &Endpoint{Namespace: p.Namespace, labels: p.Labels.Values, proxy: p.Gateway}
}

func labelText(labels map[string]string) string {
	if len(labels) == 0 {
		return ""
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if labels[key] == "" {
			out = append(out, key) // any value, or none
			continue
		}
		out = append(out, key+"="+labels[key])
	}
	return strings.Join(out, ",")
}

// view is an endpoint as one revision has it.
type view struct {
	*Endpoint
	// pod is set for pods. Its ports are only known for a workload.
	pod       *pod
	namespace inventory.Labels
	// object is the workload, nil if this revision does not have it.
	object *loader.Object
}
