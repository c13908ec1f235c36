package analyze_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/internal/corpus"
	"github.com/gwplan/gwplan/loader"
)

// statusCorpora have n HTTPRoutes on three Gateways.
func statusCorpora() map[string]func(n int) corpus.Files {
	return map[string]func(n int) corpus.Files{
		"policy-machinery-few":  func(n int) corpus.Files { return corpus.PolicyMachinery(n, corpus.Few) },
		"policy-machinery-each": func(n int) corpus.Files { return corpus.PolicyMachinery(n, corpus.Each) },
		"egctl":                 corpus.Egctl,
	}
}

// listed is the status of a corpus, which must be there.
func listed(t testing.TB, o analyze.Options, s *loader.Snapshot, routes int) *analyze.StatusList {
	t.Helper()
	list := analyze.ListStatus(s, analyze.Selection{}, o)
	if len(list.Items) <= routes {
		t.Fatalf("%d statuses for %d routes", len(list.Items), routes)
	}
	return list
}

// BenchmarkStatus takes the status of 1,000 routes in the same run: the ratio per
// route is what may be compared between machines.
func BenchmarkStatus(b *testing.B) {
	o := options(b, "[]")
	const small = 1000
	for name, make := range statusCorpora() {
		few := loaded(make(small))
		for _, n := range []int{small, 3000, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				s := loaded(make(n))
				var ours, base time.Duration
				for b.Loop() {
					start := time.Now()
					listed(b, o, s, n)
					middle := time.Now()
					// As many routes in all, so that the collector has as much to do.
					for range n / small {
						listed(b, o, few, small)
					}
					ours, base = ours+middle.Sub(start), base+time.Since(middle)
				}
				b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N*n), "ns/route")
				b.ReportMetric(ours.Seconds()/base.Seconds(), "of-1k")
			})
		}
	}
}
