package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gwplan/gwplan/internal/corpus"
)

// peers is a folder with the programs that BenchmarkPeers compares with: make bench-peers.
var peers = flag.String("peers", "", "folder with kubeconform and dyff, for BenchmarkPeers")

// rounds is how often each program runs. The fastest run counts: whatever else the machine does only adds.
const rounds = 5

// racer is one program in a comparison.
type racer struct {
	name string
	run  func(b *testing.B) *exec.Cmd
}

// race runs the programs in turn and returns the CPU time and the peak memory, in MiB, of the fastest run of each.
func race(b *testing.B, racers []racer) (cpus map[string]time.Duration, peak map[string]int64) {
	b.Helper()
	cpus, peak = map[string]time.Duration{}, map[string]int64{}
	for range rounds {
		for _, r := range racers {
			cmd := r.run(b)
			_ = cmd.Run() // kubeconform and dyff report what they find by their exit codes
			if cmd.ProcessState == nil {
				b.Fatalf("%s did not start", r.name)
			}
			usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if spent := cpu(cmd); cpus[r.name] == 0 || spent < cpus[r.name] {
				cpus[r.name], peak[r.name] = spent, usage.Maxrss/1024
			}
		}
	}
	return cpus, peak
}

// stream is a tree as one file, which dyff compares.
func stream(b *testing.B, files corpus.Files) string {
	b.Helper()
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out.WriteString("---\n")
		out.Write(files[name])
	}
	path := filepath.Join(b.TempDir(), "stream.yaml")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// edited is a tree with one value of one route changed.
func edited(files corpus.Files) corpus.Files {
	out := maps.Clone(files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if after := bytes.Replace(files[name], []byte("weight: "), []byte("weight: 1"), 1); !bytes.Equal(after, files[name]) {
			out[name] = after
			return out
		}
	}
	return out
}

// BenchmarkPeers prints a table with the CPU time of a whole diff beside what people run in its place: two git
// archives, which every tool with a checkout needs at least, kubeconform reading one tree, dyff comparing both.
func BenchmarkPeers(b *testing.B) {
	if *peers == "" {
		b.Log("NOT RUN: make bench-peers installs what it compares with")
		return
	}
	program := build(b)
	sizes := []int{1_000, 10_000}
	if *big {
		sizes = append(sizes, 100_000)
	}
	var table strings.Builder
	fmt.Fprintln(&table, "| documents | gwplan diff, CPU s | peak MiB | of both git archives | of kubeconform on one tree | of dyff on both | one file, CPU s | again, CPU s |")
	fmt.Fprintln(&table, "|---|---|---|---|---|---|---|---|")
	for _, docs := range sizes {
		before, after := corpus.Realistic(docs, 1)
		before, after = plain(before), plain(after)
		dir, one := commits(b, before, after), commits(b, before, edited(before))
		work := b.TempDir()
		folder(b, work, before)
		streams := [2]string{stream(b, before), stream(b, after)}
		cache, empty := b.TempDir(), b.TempDir()
		command := func(name string, args ...string) func(*testing.B) *exec.Cmd {
			return func(*testing.B) *exec.Cmd { return exec.Command(name, args...) }
		}
		racers := []racer{
			{"diff", command(program, "diff", "-C", dir, "--no-cache", "--max-memory", "0", "--max-time", "0", "HEAD~1", "HEAD")},
			{"one", command(program, "diff", "-C", one, "--no-cache", "--max-memory", "0", "--max-time", "0", "HEAD~1", "HEAD")},
			{"again", command(program, "diff", "-C", one, "--cache", cache, "HEAD~1", "HEAD")},
			{"archives", command("sh", "-c", "cd '"+dir+"' && git archive HEAD~1 | wc -c && git archive HEAD | wc -c")},
			{"kubeconform", command(filepath.Join(*peers, "kubeconform"), "-n", "2", "-ignore-missing-schemas", "-schema-location", empty+"/{{.ResourceKind}}.json", work)},
		}
		if docs <= 10_000 { // with more, dyff takes gigabytes
			racers = append(racers, racer{"dyff", command(filepath.Join(*peers, "dyff"), "between", "-b", "-o", "github", streams[0], streams[1])})
		}
		spent, peak := race(b, racers)
		of := func(name string) string {
			if spent[name] == 0 {
				return "not run"
			}
			return fmt.Sprintf("%.2f", spent["diff"].Seconds()/spent[name].Seconds())
		}
		fmt.Fprintf(&table, "| %d | %.2f | %d | %s | %s | %s | %.2f | %.3f |\n", docs, spent["diff"].Seconds(), peak["diff"],
			of("archives"), of("kubeconform"), of("dyff"), spent["one"].Seconds(), spent["again"].Seconds())
	}
	fmt.Fprintf(os.Stdout, "\n%s\n", table.String())
}
