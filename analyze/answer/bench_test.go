package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
)

// many makes routes with five matches each, ten routes for each hostname. A version changes one match of
// each route.
func many(routes int, version string) string {
	var b strings.Builder
	b.WriteString(gateway)
	for i := range routes {
		fmt.Fprintf(&b, "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: ns}\nspec:\n  parentRefs: [{name: g}]\n  hostnames: [h%d.example.com]\n  rules:\n", i, i/10)
		for m := range 4 {
			fmt.Fprintf(&b, "  - {name: m%d, matches: [{path: {value: /app%d/%d}, method: %s}]}\n", m, i, m/2, []string{"GET", "POST"}[m%2])
		}
		fmt.Fprintf(&b, "  - {name: changed, matches: [{path: {value: /app%d}, headers: [{name: x, value: %q}]}]}\n", i, version)
	}
	return b.String()
}

// A comparison grows with the routes, not with their square: ten times as many take ten times as long.
func BenchmarkPassages(b *testing.B) {
	for _, routes := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%d routes", routes), func(b *testing.B) {
			states := effective.NewStates()
			j := effective.NewJoin(run(b, states, many(routes, "1")), run(b, states, many(routes, "2")), nil)
			for b.Loop() {
				passages, left := answer.Passages(j, nil)
				if len(passages) != 2*routes || len(left) > 0 {
					b.Fatalf("%d passages, %d left", len(passages), len(left))
				}
			}
		})
	}
}

// Where no route changed, the comparison of requests is a small part of the analysis: the metric is its share of
// reading and building both revisions, in percent.
func BenchmarkUnchangedPassages(b *testing.B) {
	manifests := many(10_000, "1")
	edited := manifests + "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: ns}\nspec: {ports: [{port: 80}]}\n"
	var building, comparing time.Duration
	for b.Loop() {
		start := time.Now()
		states := effective.NewStates()
		j := effective.NewJoin(run(b, states, manifests), run(b, states, edited), nil)
		built := time.Now()
		if passages, left := answer.Passages(j, nil); len(passages)+len(left) > 0 {
			b.Fatalf("%d passages, %d left", len(passages), len(left))
		}
		building += built.Sub(start)
		comparing += time.Since(built)
	}
	b.ReportMetric(100*comparing.Seconds()/building.Seconds(), "%")
}
