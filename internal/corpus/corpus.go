// Package corpus generates repositories for benchmarks and tests: a realistic one in two
// revisions, an adversarial one, and the workloads that other tools were measured with.
// Equal arguments result in equal bytes.
//
// It formats YAML itself and uses only the standard library, so that the measured code does
// not take part in generating its input.
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

// random returns a separate random source for each generated thing, so that an additional
// draw for one thing does not change the others.
func random(seed int64, thing string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(thing))
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}

// chance returns true with a probability.
func chance(r *rand.Rand, probability float64) bool { return r.Float64() < probability }

// object returns an object as YAML. body follows metadata.name and starts in column one.
func object(apiVersion, kind, namespace, name, body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n", apiVersion, kind)
	if namespace != "" {
		fmt.Fprintf(&b, "  namespace: %s\n", namespace)
	}
	fmt.Fprintf(&b, "  name: %s\n%s", name, body)
	return b.String()
}

// route returns an HTTPRoute of v1, the version in general use.
func route(namespace, name, body string) string {
	return object("gateway.networking.k8s.io/v1", "HTTPRoute", namespace, name, body)
}

// targets returns the targetRefs of a policy with one Gateway API target.
func targets(kind, name string) string {
	return fmt.Sprintf("  targetRefs:\n    - group: gateway.networking.k8s.io\n      kind: %s\n      name: %s\n", kind, name)
}
