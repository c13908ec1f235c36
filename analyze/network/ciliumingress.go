package network

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// ingressEntity is the name of the endpoint that sends what Cilium's Gateways and Ingresses pass on. reservedSource
// prefixes the labels of such endpoints.
const (
	ingressEntity  = "ingress"
	reservedSource = "reserved"
)

// ingressEndpoint holds for the endpoint of Cilium's Gateways and Ingresses. Unlike the condition entity it adds no
// endpoint to those that are compared: only few clusters have it.
type ingressEndpoint struct{}

func (ingressEndpoint) holds(v *view) fact.Fact {
	return fact.Of(v.Form == Entities && v.Name == ingressEntity)
}
func (ingressEndpoint) String() string { return "the entity " + ingressEntity }

// selectsIngress reports whether the subject of a clusterwide policy selects the endpoint of Cilium's Gateways, whose
// only label is reserved:ingress: an empty selector does, and one that only says what an endpoint is not (pkg/endpoint
// and pkg/policy, since "Add Cilium Endpoint representing Ingress", 04f19e98).
func selectsIngress(selector *loader.Value) bool {
	own := func(key string) bool { return key == reservedSource+":"+ingressEntity }
	for _, f := range selector.Get("matchLabels").FieldList() {
		if !own(f.Key) || f.Value != nil && f.Value.Text != "" {
			return false
		}
	}
	for _, e := range selector.List("matchExpressions") {
		has := own(e.Str("key"))
		in := has && slices.ContainsFunc(e.List("values"), func(v *loader.Value) bool { return v.Text == "" })
		switch e.Str("operator") {
		case "In":
			has = in
		case "NotIn":
			has = !in
		case "DoesNotExist":
			has = !has
		}
		if !has {
			return false
		}
	}
	return true
}

// reservedLabel returns what follows the prefix of a reserved label.
func reservedLabel(key string) (string, bool) { return strings.CutPrefix(key, reservedSource+":") }

// excludes reports whether an expression says which label an endpoint does not have.
func excludes(operator string) bool { return operator == "NotIn" || operator == "DoesNotExist" }
