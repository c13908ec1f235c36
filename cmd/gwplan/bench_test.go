package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/internal/corpus"
)

// big makes the benchmarks use the larger corpora: go test -bench . ./cmd/gwplan -big.
var big = flag.Bool("big", false, "also run benchmarks on the larger corpora")

// commits makes a packed repository of two commits.
func commits(b testing.TB, before, after corpus.Files) string {
	b.Helper()
	dir := b.TempDir()
	git(b, dir, "init", "-q")
	git(b, dir, "config", "gc.auto", "0") // in the background, it would still run when the repository is packed
	for _, files := range []corpus.Files{before, after} {
		folder(b, dir, files)
		git(b, dir, "add", "-A")
		git(b, dir, "commit", "-q", "-m", "a revision")
	}
	git(b, dir, "gc", "-q")
	return dir
}

func folder(b testing.TB, dir string, files corpus.Files) {
	b.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// git runs git in a repository and gives the CPU time that it took.
func git(b testing.TB, dir string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@cupcakes.example",
		"GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@cupcakes.example",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	)
	var wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &wrong
	if err := cmd.Run(); err != nil {
		b.Fatal(err, wrong.String())
	}
	return cpu(cmd)
}

func cpu(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// gwplan runs the program as a process of its own and gives the CPU time that it
// took: the test's binary is the program too.
func gwplan(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	var wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &wrong
	if err := cmd.Run(); err != nil {
		b.Fatal(err, wrong.String())
	}
	return cpu(cmd)
}

// build makes the program, as users have it.
func build(b testing.TB) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "gwplan")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatal(err, string(out))
	}
	return program
}

// plain leaves the kustomize overlays out: a build costs more than all the rest
// of its application, whoever does it.
func plain(files corpus.Files) corpus.Files {
	out := corpus.Files{}
	overlays := map[string]bool{}
	for name := range files {
		if strings.HasSuffix(name, "/kustomization.yaml") {
			overlays[filepath.Dir(name)] = true
		}
	}
	for name, content := range files {
		if !overlays[filepath.Dir(name)] {
			out[name] = content
		}
	}
	return out
}

// BenchmarkDiff compares two revisions of a realistic repository, and archives
// both of them in the same run: the ratio of CPU times is what may be compared
// between machines. With --parse-all nothing is skipped by its bytes.
func BenchmarkDiff(b *testing.B) {
	program := build(b)
	sizes := map[string]int{"1k": 1000}
	if *big {
		sizes["10k"] = 10_000
	}
	for size, docs := range sizes {
		before, after := corpus.Realistic(docs, 1)
		for name, revisions := range map[string][2]corpus.Files{
			"plain": {plain(before), plain(after)}, "kustomize": {before, after},
		} {
			b.Run(size+"/"+name, func(b *testing.B) {
				dir := commits(b, revisions[0], revisions[1])
				var ours, all, archives time.Duration
				for b.Loop() {
					archives += git(b, dir, "archive", "HEAD~1") + git(b, dir, "archive", "HEAD")
					ours += gwplan(b, program, "diff", "-C", dir, "HEAD~1", "HEAD")
					all += gwplan(b, program, "diff", "-C", dir, "--parse-all", "HEAD~1", "HEAD")
				}
				b.ReportMetric(ours.Seconds()/archives.Seconds(), "of-archives")
				b.ReportMetric(all.Seconds()/ours.Seconds(), "parse-all/filtered")
			})
		}
	}
}

// BenchmarkAdversarial compares two trees in which all is connected to all,
// one value of one policy edited, with the time of reading them.
func BenchmarkAdversarial(b *testing.B) {
	program := build(b)
	sizes := map[string]corpus.Size{"small": corpus.Small()}
	if *big {
		sizes["big"] = corpus.Big()
	}
	for name, size := range sizes {
		b.Run(name, func(b *testing.B) {
			files := corpus.Adversarial(size, 1)
			base, head := b.TempDir(), b.TempDir()
			folder(b, base, files)
			const edited = "policies/gateway-0.yaml"
			files[edited] = bytes.Replace(files[edited], []byte("request: "), []byte("request: 9"), 1)
			folder(b, head, files)
			var ours, reading time.Duration
			for b.Loop() {
				ours += gwplan(b, program, "diff", "--base-dir", base, "--head-dir", head)
				reading += gwplan(b, program, "tree", "-f", base, "gatewayclass/none")
			}
			b.ReportMetric(ours.Seconds()/reading.Seconds(), "of-reading-one")
		})
	}
}
