package main

import (
	"bytes"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gwplan/gwplan/internal/corpus"
)

// What SECURITY.md promises of an input of at most 2 MB.
const (
	promisedPeak  = 512 << 10 // KiB
	promisedTime  = 20 * time.Second
	promisedInput = 2_000_000
	// A document has at most this many bytes, as its size is known about.
	promisedOutput = 18 << 20
)

// TestAmplification holds that inputs that multiply themselves end within the bounds that are promised, as the kernel
// measures the process and the git processes that it started, and that the rest of the plan stands.
func TestAmplification(t *testing.T) {
	if testing.Short() {
		return // it takes most of a minute, and its program is built without the race detector
	}
	program := build(t)
	all := families()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, append([]string{"diff", "-C", amplified(t, all[name]), "--no-cache", "--all", "main", "HEAD"}, all[name].args...)...)
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitFailed) {
				t.Fatalf("%v\n%s", err, said.String())
			}
			usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			t.Logf("%d MiB, %s of CPU time", usage.Maxrss/1024, cpu(cmd).Round(time.Millisecond))
			// The run stops by its own count, which git's time and a last step of a slow machine come on top of.
			if usage.Maxrss > promisedPeak || cpu(cmd) > promisedTime*3/2 {
				t.Errorf("it takes %d MiB and %s of CPU time", usage.Maxrss/1024, cpu(cmd))
			}
			if said.Len() > promisedOutput {
				t.Errorf("it prints %d bytes", said.Len())
			}
			if !strings.Contains(said.String(), all[name].says) {
				t.Errorf("it does not say %q:\n%.3000s", all[name].says, said.String())
			}
		})
	}
}

// amplified makes a repository of two revisions: one has a Gateway alone, the other what a family adds.
func amplified(t *testing.T, f family) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	folder(t, dir, corpus.Files{"good/gateway.yaml": []byte(goodGateway), "gateway.yaml": []byte(goodGateway)})
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "good")
	if f.tree != nil {
		f.tree(t, dir)
		return dir
	}
	files, size := f.files(), 0
	for _, content := range files {
		size += len(content)
	}
	if size > promisedInput {
		t.Fatalf("an input of %d bytes may cost more", size)
	}
	git(t, dir, "checkout", "-q", "-b", "hostile")
	folder(t, dir, files)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "hostile")
	return dir
}
