package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/corpus"
)

// loads are repositories of a size, by what there is much of, with the size that gwplan is to bear
// within the limits of a run.
func loads() map[string]struct {
	make func(n int) (before, after corpus.Files)
	n    int
} {
	environments := func(by corpus.Deployer) func(int) (before, after corpus.Files) {
		return func(n int) (before, after corpus.Files) { return corpus.Environments(n, by) }
	}
	return map[string]struct {
		make func(n int) (before, after corpus.Files)
		n    int
	}{
		"overlays": {environments(corpus.Overlays), 5000},
		"argocd":   {environments(corpus.ArgoCD), 5000},
		"flux":     {environments(corpus.Flux), 5000},
		"routes":   {func(n int) (before, after corpus.Files) { return corpus.Routes(n, n/100) }, 100_000},
		"contexts": {corpus.Contexts, 1_000_000},
		"changes":  {corpus.Changes, 100_000},
	}
}

// sizes are a hundredth of a size, or with -big a quarter, a half and the whole of it, which show
// whether the cost is in proportion.
func sizes(n int) []int {
	if *big {
		return []int{n / 4, n / 2, n}
	}
	return []int{n / 100}
}

// cost is what a process took.
type cost struct {
	cpu  time.Duration
	peak int64 // KiB
	// failed is true for a run that ended without a result.
	failed bool
	said   string
}

// measured runs the program with the limits that every run has. A run may give up, but not break
// down, and not without a word.
func measured(b *testing.B, program string, args ...string) cost {
	b.Helper()
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitFailed || said.Len() == 0) {
		b.Fatalf("%v: %v\n%s", args, err, said.String())
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{cpu: cpu(cmd), peak: usage.Maxrss, failed: err != nil, said: said.String()}
}

// repeat measures a command for as long as a benchmark runs.
func repeat(b *testing.B, program string, args ...string) {
	b.Helper()
	var spent time.Duration
	var peak, failed int64
	for b.Loop() {
		c := measured(b, program, args...)
		spent, peak = spent+c.cpu, max(peak, c.peak)
		if c.failed {
			failed++
			b.Log(c.said)
		}
	}
	b.ReportMetric(spent.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(peak)/1024, "peak-MiB")
	b.ReportMetric(float64(failed)/float64(b.N), "failed/op")
}

// The repositories hold as much as their size says.
func TestLoads(t *testing.T) {
	if testing.Short() {
		return // its program is built without the race detector
	}
	program := build(t)
	// The changes, targets and contexts of the summary.
	for name, want := range map[string][3]int{
		"overlays": {20, 20, 20},
		"argocd":   {20, 20, 20},
		"flux":     {20, 20, 20},
		"routes":   {1, 18, 36}, // of twenty; two have policies of their own
		"contexts": {1, 20, 200},
		"changes":  {20, 20, 40},
	} {
		n := 20
		switch name {
		case "routes":
			n = 200
		case "contexts":
			n = 2000
		}
		before, after := loads()[name].make(n)
		out, err := exec.Command(program, "diff", "-C", commits(t, before, after), "--no-cache", "-o", "json", "HEAD~1", "HEAD").Output()
		var doc plan.Plan
		if err != nil || json.Unmarshal(out, &doc) != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if got := [3]int{doc.Summary.Changes, doc.Summary.Targets, doc.Summary.Contexts}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// BenchmarkLoad compares two revisions of large repositories.
func BenchmarkLoad(b *testing.B) {
	program := build(b)
	all := loads()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, n := range sizes(all[name].n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				before, after := all[name].make(n)
				dir := commits(b, before, after)
				repeat(b, program, "diff", "-C", dir, "--no-cache", "HEAD~1", "HEAD")
			})
		}
	}
}

// BenchmarkLoadReport renders a plan of many changes in each format.
func BenchmarkLoadReport(b *testing.B) {
	program := build(b)
	for _, n := range sizes(loads()["changes"].n) {
		before, after := corpus.Changes(n)
		file := filepath.Join(b.TempDir(), "plan.json")
		gwplan(b, program, "diff", "-C", commits(b, before, after), "--no-cache", "--max-memory=0", "--max-time=0", "-o", "json="+file, "HEAD~1", "HEAD")
		for _, format := range []string{"text", "markdown", "sarif", "json"} {
			b.Run(fmt.Sprintf("%s/%d", format, n), func(b *testing.B) {
				repeat(b, program, "diff", "--from", file, "-o", format)
			})
		}
	}
}
