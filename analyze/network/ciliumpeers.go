package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// selected reads an item of fromEndpoints or toEndpoints (utils.go, getEndpointSelector).
func (r *ciliumReader) selected(v *loader.Value) ([]Peer, string) {
	others := r.reserved(v)
	if asksReserved(v) { // pods have no such label
		if len(others) == 0 {
			others = []Peer{{form{words: "nothing"}}}
		}
		return others, ""
	}
	return append([]Peer{r.endpoints(v)}, others...), ""
}

// The prefixes of labels that Cilium gives to pods.
const (
	ciliumNamespace       = "io.kubernetes.pod.namespace"
	ciliumNamespaceLabels = "io.cilium.k8s.namespace.labels."
	ciliumAccount         = "io.cilium.k8s.policy.serviceaccount"
	ciliumCluster         = "io.cilium.k8s.policy.cluster"
)

// endpoints reads a selector of endpoints: labels of pods, of their namespaces and of Cilium itself. One
// that names no namespace means that of the policy, or all in a clusterwide policy.
func (r *ciliumReader) endpoints(v *loader.Value) Peer {
	of := map[string][]*loader.Value{}
	split := func(key string, write func(key string) *loader.Value) {
		source, rest, prefixed := strings.Cut(key, ":")
		if !prefixed {
			rest = key
		}
		switch {
		case prefixed && source != "k8s" && source != "any": // pods have labels of Kubernetes alone
			of["never"] = append(of["never"], write(rest))
		case rest == ciliumNamespace:
			of["namespace"] = append(of["namespace"], write(nameLabel))
		case strings.HasPrefix(rest, ciliumNamespaceLabels):
			of["namespace"] = append(of["namespace"], write(strings.TrimPrefix(rest, ciliumNamespaceLabels)))
		case rest == ciliumAccount:
			of["account"] = append(of["account"], write("name"))
		case rest == ciliumCluster:
			of["cluster"] = append(of["cluster"], write(rest))
		case outsideIdentity(rest):
			of["never"] = append(of["never"], write(rest))
		default:
			of["pod"] = append(of["pod"], write(rest))
		}
	}
	for _, f := range v.Get("matchLabels").FieldList() {
		if _, is := reservedLabel(f.Key); is {
			of["never"] = append(of["never"], requirement(f.Key, "Exists"))
			continue
		}
		split(f.Key, func(key string) *loader.Value { return requirement(key, "In", f.Value) })
	}
	for _, e := range v.List("matchExpressions") {
		if _, is := reservedLabel(e.Str("key")); is {
			of["never"] = append(of["never"], e)
			continue
		}
		split(e.Str("key"), func(key string) *loader.Value { return requirement(key, e.Str("operator"), e.List("values")...) })
	}
	peer := Peer{pods{labelSelector{selecting(of["pod"])}}}
	switch namespaces := of["namespace"]; {
	case len(namespaces) > 0:
		peer = append(peer, inNamespaces{labelSelector{selecting(namespaces)}})
	case r.object.ID.Namespace != "" && !namesReserved(v):
		peer = append(peer, inNamespace{r.object.ID.Namespace})
	default:
		peer = append(peer, inNamespaces{labelSelector{everyLabel()}})
	}
	if accounts := of["account"]; len(accounts) > 0 {
		peer = append(peer, account{labelSelector{selecting(accounts)}})
	}
	for _, e := range of["never"] {
		if o := e.Str("operator"); o == "In" || o == "Exists" {
			peer = append(peer, form{words: "of which Cilium does not know the label " + e.Str("key")})
		}
	}
	if len(of["cluster"]) > 0 {
		peer = append(peer, unknown{why: "of a cluster by its name"})
	}
	return peer
}

// outsideIdentity reports whether Cilium leaves a label of pods out of what it knows them by
// (pkg/labelsfilter/filter.go).
func outsideIdentity(key string) bool {
	return slices.Contains([]string{
		"pod-template-hash", "controller-revision-hash", "pod-template-generation", "controller-uid", "batch.kubernetes.io/controller-uid",
		"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index",
	}, key)
}

// requirement returns an item of matchExpressions.
func requirement(key, operator string, values ...*loader.Value) *loader.Value {
	text := func(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{
		{Key: "key", Value: text(key)}, {Key: "operator", Value: text(operator)}, {Key: "values", Value: &loader.Value{Shape: loader.List, Items: values}},
	}}
}

// selecting returns a selector with some expressions.
func selecting(expressions []*loader.Value) *loader.Value {
	if len(expressions) == 0 {
		return everyLabel()
	}
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "matchExpressions", Value: &loader.Value{Shape: loader.List, Items: expressions}}}}
}

// networks reads a network. Blocks never apply to pods and nodes, which Cilium knows by their labels.
func (r *ciliumReader) networks(v *loader.Value) ([]Peer, string) {
	return r.block(v.Text)
}

func (r *ciliumReader) block(cidr string, except ...string) ([]Peer, string) {
	if loader.Placeholder(cidr) || slices.ContainsFunc(except, loader.Placeholder) {
		return []Peer{{form{[]Form{Addresses}, "addresses"}}}, "" // which ones is a doubt of the whole rule
	}
	b, err := parseBlock(cidr, except...)
	if err != nil {
		r.invalid = err.Error()
		return nil, ""
	}
	for _, e := range b.except {
		if !b.network.Contains(e.Addr()) || e.Bits() < b.network.Bits() {
			r.invalid = fmt.Sprintf("the exception %s is not in %s", e, b.network)
		}
	}
	return []Peer{{inBlock{block: b, outside: true}}}, ""
}

// networkSet reads an item of fromCIDRSet or toCIDRSet.
func (r *ciliumReader) networkSet(v *loader.Value) ([]Peer, string) {
	given := 0
	for _, field := range []string{"cidr", "cidrGroupRef", "cidrGroupSelector"} {
		if !v.Get(field).IsNull() && (v.Get(field).Shape != loader.String || v.Get(field).Text != "") {
			given++
		}
	}
	if given != 1 && !v.Opaque { // pkg/policy/api/rule_validation.go, CIDRRule.sanitize
		r.invalid = cmp.Or(r.invalid, "a set of networks has not one of cidr, cidrGroupRef and cidrGroupSelector alone")
	}
	if cidr := v.Str("cidr"); cidr != "" {
		return r.block(cidr, inventory.Strings(v.List("except"))...)
	}
	anywhere := []Peer{{form{[]Form{Addresses}, "addresses"}}}
	var groups []*loader.Object
	name, selector := v.Str("cidrGroupRef"), v.Get("cidrGroupSelector")
	for _, o := range r.source.sorted {
		if isCIDRGroup(o) && (name != "" && o.ID.Name == name || name == "" && selects(selector, o)) {
			groups = append(groups, o)
		}
	}
	switch {
	case len(groups) == 0 && name != "":
		return anywhere, "CiliumCIDRGroup " + name + " is not in the input"
	case len(groups) == 0:
		return anywhere, "no CiliumCIDRGroup of the input has the labels of cidrGroupSelector"
	}
	var out []Peer
	for _, group := range groups {
		for _, cidr := range inventory.Strings(group.Spec().List("externalCIDRs")) {
			peers, _ := r.block(cidr, inside(cidr, inventory.Strings(v.List("except")))...)
			out = append(out, peers...)
		}
	}
	return out, ""
}

// inside returns the exceptions that are in a block: those of a rule are for all blocks of its groups.
func inside(cidr string, exceptions []string) []string {
	b, err := parseBlock(cidr)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(exceptions, func(except string) bool {
		e, err := parseBlock(except)
		return err == nil && (!b.network.Contains(e.network.Addr()) || e.network.Bits() < b.network.Bits())
	})
}

// entities reads an entity (pkg/policy/api/entity.go).
func (r *ciliumReader) entities(v *loader.Value) ([]Peer, string) {
	switch v.Text {
	case "all":
		return []Peer{{}}, ""
	case "none":
		return nil, ""
	case "world":
		return []Peer{{form{[]Form{Addresses, Names}, "everything outside the cluster"}}}, ""
	case "world-ipv4":
		return r.block("0.0.0.0/0")
	case "world-ipv6":
		return r.block("::/0")
	case "cluster":
		return []Peer{{form{[]Form{Pods, Nodes, Entities}, "everything in the cluster"}}}, ""
	}
	if loader.Placeholder(v.Text) {
		return []Peer{{}}, ""
	}
	if !slices.Contains([]string{"host", "remote-node", "health", "init", "unmanaged", "ingress", "kube-apiserver"}, v.Text) {
		r.invalid = cmp.Or(r.invalid, "the entity "+v.Text+" is not known")
		return nil, ""
	}
	return []Peer{{entity{v.Text}}}, ""
}

// nodes reads an item of fromNodes or toNodes.
func (r *ciliumReader) nodes(v *loader.Value) ([]Peer, string) {
	return []Peer{{nodes{labelSelector{v}}}}, "the labels of nodes are not in manifests"
}

func (r *ciliumReader) groups(*loader.Value) ([]Peer, string) {
	return []Peer{{form{[]Form{Addresses}, "addresses of groups of a cloud"}}}, "groups of a cloud are not in manifests"
}

// names reads an item of toFQDNs.
func (r *ciliumReader) names(v *loader.Value) ([]Peer, string) {
	if v.Str("matchName") != "" && v.Str("matchPattern") != "" { // pkg/policy/api/fqdn.go, FQDNSelector.sanitize
		r.invalid = cmp.Or(r.invalid, "a selector of names has both matchName and matchPattern")
	}
	return []Peer{{named{pattern: cmp.Or(v.Str("matchName"), v.Str("matchPattern")), inLabels: true}}}, ""
}

// services reads an item of toServices: the pods that a Service selects.
func (r *ciliumReader) services(v *loader.Value) ([]Peer, string) {
	name, namespace := v.Str("k8sService", "serviceName"), v.Str("k8sService", "namespace")
	by := v.Get("k8sServiceSelector")
	if by != nil {
		namespace = by.Str("namespace")
	}
	var out []Peer
	for _, s := range r.source.services {
		if namespace != "" && s.ID.Namespace != namespace || by == nil && s.ID.Name != name {
			continue
		}
		if by != nil && (inventory.Labels{Values: s.Labels()}).Matches(selectorOf(by.Get("selector"))) < 1 {
			continue
		}
		r.used = append(r.used, s.ID)
		if peer, ok := behind(s); ok {
			out = append(out, peer)
		} else if addresses := r.endpointsOf(s); len(addresses) > 0 {
			for _, address := range addresses {
				peers, _ := r.block(address)
				out = append(out, peers...)
			}
		} else {
			return []Peer{{form{[]Form{Addresses}, "addresses"}}}, "the addresses of " + s.ID.Spoken() + " are not in manifests"
		}
	}
	if len(out) == 0 {
		return []Peer{{form{[]Form{Pods, Addresses}, "a Service"}}}, "the Service of toServices is not in the input"
	}
	return out, ""
}

// endpointsOf returns the addresses that Endpoints and EndpointSlices give a Service without a selector.
func (r *ciliumReader) endpointsOf(service *loader.Object) []string {
	var out []string
	for _, o := range r.source.endpoints {
		switch {
		case o.ID.Namespace != service.ID.Namespace:
		case o.ID.Group == "" && o.ID.Kind == "Endpoints" && o.ID.Name == service.ID.Name:
			r.used = append(r.used, o.ID)
			for _, subset := range o.Root.List("subsets") {
				for _, address := range subset.List("addresses") {
					out = append(out, address.Str("ip"))
				}
			}
		case o.ID.Group == "discovery.k8s.io" && o.ID.Kind == "EndpointSlice" && o.Labels()["kubernetes.io/service-name"] == service.ID.Name:
			r.used = append(r.used, o.ID)
			for _, endpoint := range o.Root.List("endpoints") {
				out = append(out, inventory.Strings(endpoint.List("addresses"))...)
			}
		}
	}
	// A slice may give names of hosts instead.
	return slices.DeleteFunc(out, func(address string) bool { _, err := parseNetwork(address); return err != nil })
}

// behind returns the pods that a Service selects, false if it has no selector.
func behind(service *loader.Object) (Peer, bool) {
	selector := service.Spec().Get("selector")
	if selector.IsEmpty() {
		return nil, false
	}
	labels := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "matchLabels", Value: selector}}}
	return Peer{pods{labelSelector{labels}}, inNamespace{service.ID.Namespace}}, true
}
