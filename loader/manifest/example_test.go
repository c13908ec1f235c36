package manifest_test

import (
	"fmt"

	"github.com/gwplan/gwplan/loader/manifest"
)

// Documents whose kind cannot matter are counted and not decoded, every value has its line, and what
// cannot be read costs one document.
func ExampleDecode() {
	file := manifest.Decode([]byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: checkout}
spec:
  hostnames:
  - shop.example.com
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: [}
`), manifest.Options{Relevance: func(group, kind string) manifest.Relevance {
		if group == "apps" {
			return manifest.Irrelevant
		}
		return manifest.Needed
	}})

	for _, d := range file.Documents {
		fmt.Println("line", d.Line, d.Kind, d.Name)
		for _, hostname := range d.Root.List("spec", "hostnames") {
			fmt.Println("line", hostname.Mark.Line, hostname.Text)
		}
	}
	for _, p := range file.Problems {
		fmt.Printf("line %d %s: %s\n", p.Position.Line, p.Severity, p.Message)
	}
	fmt.Println("skipped", file.Skipped)
	// Output:
	// line 5 HTTPRoute checkout
	// line 10 shop.example.com
	// line 14 error: did not find expected node content
	// skipped map[apps/Deployment:1]
}
