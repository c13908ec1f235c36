package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader/manifest"
)

// route is a relevant document of the usual size.
const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: pay
  namespace: shop
  labels:
    app.kubernetes.io/name: pay
spec:
  parentRefs:
    - name: edge
      namespace: infra
      sectionName: https
  hostnames:
    - pay.example.com
  rules:
    - matches:
        - path:
            type: PathPrefix
            value: /v1
          headers:
            - name: x-tenant
              value: blue
      filters:
        - type: RequestHeaderModifier
          requestHeaderModifier:
            set:
              - name: x-env
                value: prod
      backendRefs:
        - name: pay
          port: 8080
          weight: 90
`

const policy = `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata:
  name: pay
  namespace: shop
spec:
  targetRefs:
    - group: gateway.networking.k8s.io
      kind: HTTPRoute
      name: pay
  timeout:
    http:
      requestTimeout: 5s
  retry:
    numRetries: 3
    retryOn:
      triggers:
        - connect-failure
`

// deployment is a document that cannot matter.
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: pay
  namespace: shop
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: pay
          image: registry.example.com/pay:1.2.3
          env:
            - name: A
              value: "1"
            - name: B
              value: "2"
`

// appsOnly leaves out what runs and needs the rest.
func appsOnly(group, _ string) manifest.Relevance {
	switch group {
	case "apps", "batch":
		return manifest.Irrelevant
	case "gateway.networking.k8s.io", "":
		return manifest.Needed
	}
	return manifest.Undecided
}

func repeat(n int, documents ...string) []byte {
	var b strings.Builder
	for range n {
		for _, d := range documents {
			b.WriteString("---\n" + d)
		}
	}
	return []byte(b.String())
}

func perDocument(b *testing.B, documents int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*documents), "ns/doc")
}

// BenchmarkDecode compares values with positions against values alone.
func BenchmarkDecode(b *testing.B) {
	data := repeat(10, route, policy)
	parts := strings.Split(string(data), "---\n")[1:]
	b.Run("gwplan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if f := manifest.Decode(data, manifest.Options{Relevance: appsOnly}); len(f.Documents) != 20 {
				b.Fatalf("%d documents, problems: %v", len(f.Documents), f.Problems)
			}
		}
		perDocument(b, 20)
	})
	b.Run("sigs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range parts {
				var m map[string]any
				if err := sigsyaml.Unmarshal([]byte(p), &m); err != nil {
					b.Fatal(err)
				}
			}
		}
		perDocument(b, 20)
	})
}

// BenchmarkSkip is the same comparison where nothing matters.
func BenchmarkSkip(b *testing.B) {
	data := repeat(20, deployment)
	for _, all := range []bool{false, true} {
		b.Run(fmt.Sprintf("parseAll=%v", all), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if f := manifest.Decode(data, manifest.Options{Relevance: appsOnly, ParseAll: all}); f.Skipped["apps/Deployment"] != 20 {
					b.Fatalf("%+v", f)
				}
			}
			perDocument(b, 20)
		})
	}
}

func TestAllocations(t *testing.T) {
	kept, skipped := repeat(10, route, policy), repeat(20, deployment)
	for name, tc := range map[string]struct {
		data []byte
		most float64
	}{
		"a relevant document": {kept, 340},
		"a skipped document":  {skipped, 2},
	} {
		got := testing.AllocsPerRun(20, func() { manifest.Decode(tc.data, manifest.Options{Relevance: appsOnly}) }) / 20
		if got > tc.most {
			t.Errorf("%s: %.1f allocations, want at most %v", name, got, tc.most)
		}
	}
}
