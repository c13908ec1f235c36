package network

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// reservedNames are the identities of Cilium that are no pods: each has one label, reserved:NAME (pkg/identity/reserved.go). The
// addresses outside of the cluster are of the identity world.
var reservedNames = []string{"world", "host", "remote-node", "health", "init", "unmanaged", "ingress", "kube-apiserver"}

// namesReserved reports whether a selector has a key of a reserved label: Cilium adds no namespace to it.
func namesReserved(v *loader.Value) bool {
	return slices.ContainsFunc(requirements(v), func(e *loader.Value) bool { _, is := reservedLabel(e.Str("key")); return is })
}

// asksReserved reports whether a selector asks for a reserved label.
func asksReserved(v *loader.Value) bool {
	return slices.ContainsFunc(requirements(v), func(e *loader.Value) bool {
		_, is := reservedLabel(e.Str("key"))
		return is && !excludes(e.Str("operator"))
	})
}

// reserved returns the identities besides pods that a selector of endpoints selects: those for which all requirements hold. A
// selector that names no namespace gets that of the policy, or any in a clusterwide policy, which they have not
// (pkg/k8s/apis/cilium.io/utils/utils.go, getEndpointSelector).
func (r *ciliumReader) reserved(v *loader.Value) []Peer {
	asked := requirements(v)
	if !namesReserved(v) && !slices.ContainsFunc(asked, func(e *loader.Value) bool { return r.isNamespace(e.Str("key")) }) {
		return nil
	}
	var names []string
	for _, name := range reservedNames {
		if !slices.ContainsFunc(asked, func(e *loader.Value) bool { return !holdsForReserved(e, name) }) {
			names = append(names, name)
		}
	}
	if len(names) == len(reservedNames) {
		return []Peer{{form{[]Form{Addresses, Names, Nodes, Entities}, "everything that is no pod"}}}
	}
	var out []Peer
	for _, name := range names {
		if name == "world" {
			out = append(out, Peer{form{[]Form{Addresses, Names}, "everything outside the cluster"}})
		} else {
			out = append(out, Peer{entity{name}})
		}
	}
	return out
}

// isNamespace reports whether a key of a selector is the namespace of a pod or, in a policy of a namespace, a label of it.
func (r *ciliumReader) isNamespace(key string) bool {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "k8s:"), "any:")
	return key == ciliumNamespace || r.object.ID.Namespace != "" && strings.HasPrefix(key, ciliumNamespaceLabels)
}

// holdsForReserved reports whether a requirement holds for a reserved identity, whose only label has an empty value.
func holdsForReserved(e *loader.Value, name string) bool {
	label, is := reservedLabel(e.Str("key"))
	has := is && label == name
	empty := slices.ContainsFunc(e.List("values"), func(v *loader.Value) bool { return v.Text == "" })
	switch e.Str("operator") {
	case "In":
		return has && empty
	case "NotIn":
		return !has || !empty
	case "DoesNotExist":
		return !has
	}
	return has
}

// requirements returns what a selector asks for as expressions.
func requirements(v *loader.Value) []*loader.Value {
	var out []*loader.Value
	for _, f := range v.Get("matchLabels").FieldList() {
		out = append(out, requirement(f.Key, "In", f.Value))
	}
	return append(out, v.List("matchExpressions")...)
}
