package analyze_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
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
func listed(t testing.TB, o analyze.Options, s *loader.Snapshot, routes int) *plan.StatusList {
	t.Helper()
	list := analyze.ListStatus(s, selection.Selection{}, o)
	if len(list.Items) <= routes {
		t.Fatalf("%d statuses for %d routes", len(list.Items), routes)
	}
	return list
}

// TestStatusGrowth doubles the routes: what a status takes may double with them.
func TestStatusGrowth(t *testing.T) {
	o := options(t, "[]")
	const most = 2.2
	for name, make := range statusCorpora() {
		t.Run(name, func(t *testing.T) {
			var before [2]float64
			for _, n := range []int{200, 400, 800} {
				s := loaded(make(n))
				edges := 0
				for _, node := range runOf(o, s).Graph.Nodes {
					edges += len(node.Down)
				}
				after := [2]float64{float64(edges), allocated(func() { listed(t, o, s, n) })}
				for i, of := range []string{"edges", "bytes"} {
					if n > 200 && after[i] > most*before[i] || after[i] < float64(n) {
						t.Errorf("%d routes: %.0f %s after %.0f for %d, want at most %.1f times as many", n, after[i], of, before[i], n/2, most)
					}
				}
				before = after
			}
		})
	}
}

// allocated is how many bytes a call takes from the heap, which depends on no
// machine.
func allocated(call func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
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
				// As many routes before and after, so that neither a machine that
				// slows down nor the collector favours one side.
				thousands := func() {
					start := time.Now()
					for range n / small {
						listed(b, o, few, small)
					}
					base += time.Since(start) / 2
				}
				for b.Loop() {
					thousands()
					start := time.Now()
					listed(b, o, s, n)
					ours += time.Since(start)
					thousands()
				}
				b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N*n), "ns/route")
				b.ReportMetric(ours.Seconds()/base.Seconds(), "of-1k")
			})
		}
	}
}
