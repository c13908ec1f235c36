package schema

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"
)

// networkPolicyJSON says in the words of a CRD what the API server demands of a NetworkPolicy
// (networking.k8s.io/v1), which has no CRD. It is written by hand after kubernetes
// pkg/apis/networking/validation/validation.go, ValidateNetworkPolicySpec; of addresses only their form is checked.
//
//go:embed networkpolicy.json
var networkPolicyJSON []byte

// ciliumPolicyJSON says what the CRDs of Cilium's network policies demand of a rule with oneOf and anyOf, and that a port is a text (cilium
// pkg/k8s/apis/cilium.io/client/crds/v2/ciliumnetworkpolicies.yaml), for input without these CRDs.
//
//go:embed ciliumpolicy.json
var ciliumPolicyJSON []byte

var (
	networkPolicy = sync.OnceValue(func() *node { return written(networkPolicyJSON) })
	ciliumPolicy  = sync.OnceValue(func() *node { return written(ciliumPolicyJSON) })
)

// written compiles an embedded schema. It cannot fail: a test uses each.
func written(text []byte) *node {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var file struct {
		Schema      any            `json:"schema"`
		Definitions map[string]any `json:"definitions"`
	}
	if d.Decode(&file) != nil {
		return nil
	}
	return object(compile(toValue(resolved(file.Schema, file.Definitions))))
}

// resolved returns a schema with the definitions that it refers to in their places.
func resolved(schema any, definitions map[string]any) any {
	switch schema := schema.(type) {
	case map[string]any:
		if name, ok := schema["$ref"].(string); ok {
			return resolved(definitions[name], definitions)
		}
		out := make(map[string]any, len(schema))
		for key, value := range schema {
			out[key] = resolved(value, definitions)
		}
		return out
	case []any:
		out := make([]any, len(schema))
		for i, item := range schema {
			out[i] = resolved(item, definitions)
		}
		return out
	}
	return schema
}

// builtinExact returns the embedded schema of exactly one version of a kind with a name for it, or nil.
func builtinExact(k key) (n *node, by string) {
	if k == (key{"networking.k8s.io", "v1", "NetworkPolicy"}) {
		return networkPolicy(), "the API of NetworkPolicy"
	}
	if k.group == "cilium.io" && k.version == "v2" && (k.kind == "CiliumNetworkPolicy" || k.kind == "CiliumClusterwideNetworkPolicy") {
		return ciliumPolicy(), "the API of Cilium"
	}
	return embedded()[k], "Gateway API " + bundle()
}
