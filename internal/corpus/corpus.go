// Package corpus makes repositories for benchmarks and tests: a realistic one
// in two revisions, an adversarial one, and the workloads that other tools were
// measured with. Equal arguments give equal bytes.
//
// It writes YAML by hand, with the standard library alone, so that nothing that
// is measured takes part in making the input.
package corpus

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// Files are the contents of one revision by slash path.
type Files map[string][]byte

// add appends documents to a file.
func (f Files) add(path string, documents ...string) {
	for _, document := range documents {
		if len(f[path]) > 0 {
			f[path] = append(f[path], "---\n"...)
		}
		f[path] = append(f[path], document...)
	}
}

// random gives a source of its own to each thing that is generated, so that one
// more draw for one thing leaves all others as they were.
func random(seed int64, thing string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(thing))
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}

// chance is true with a probability.
func chance(r *rand.Rand, probability float64) bool { return r.Float64() < probability }

// object writes the head of an object; body follows it, from the first column.
func object(apiVersion, kind, namespace, name, body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n", apiVersion, kind)
	if namespace != "" {
		fmt.Fprintf(&b, "  namespace: %s\n", namespace)
	}
	fmt.Fprintf(&b, "  name: %s\n%s", name, body)
	return b.String()
}

// route is an HTTPRoute of the version that is in use everywhere.
func route(namespace, name, body string) string {
	return object("gateway.networking.k8s.io/v1", "HTTPRoute", namespace, name, body)
}

// targets is the targetRefs of a policy with one target of Gateway API.
func targets(kind, name string) string {
	return fmt.Sprintf("  targetRefs:\n    - group: gateway.networking.k8s.io\n      kind: %s\n      name: %s\n", kind, name)
}
