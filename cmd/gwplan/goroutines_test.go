package main

import (
	"bytes"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/corpus"
	"github.com/gwplan/gwplan/internal/leak"
)

// A run ends the goroutines and the git processes that it started, however it ends. Programs that use the packages go on
// after it.
func TestRunsLeaveNoGoroutine(t *testing.T) {
	transport, path := http.DefaultTransport, os.Getenv("PATH")
	t.Cleanup(func() {
		http.DefaultTransport = transport
		debug.SetMemoryLimit(math.MaxInt64)
	})
	t.Setenv("PATH", path)
	before, after := corpus.Realistic(100, 1)
	repository := commits(t, before, after)
	partial := withoutFiles(t, repository)
	for name, tt := range map[string]struct {
		args []string
		code int
	}{
		"a comparison":                   {[]string{"diff", "-C", repository, "HEAD~1", "HEAD"}, exitDone},
		"a comparison without limits":    {[]string{"diff", "-C", repository, "--max-memory=0", "--max-time=0", "HEAD~1", "HEAD"}, exitDone},
		"the same with a cache":          {[]string{"diff", "-C", repository, "--cache", t.TempDir(), "HEAD~1", "HEAD"}, exitDone},
		"the work tree":                  {[]string{"diff", "-C", repository, "HEAD"}, exitDone},
		"a listing":                      {[]string{"tree", "-C", repository}, exitDone},
		"a revision that is not there":   {[]string{"diff", "-C", repository, "HEAD~1", "none"}, exitFailed},
		"a path that is in no revision":  {[]string{"diff", "-C", repository, "HEAD~1", "HEAD", "--", "none"}, exitUsage},
		"an environment that is unknown": {[]string{"diff", "-C", repository, "-e", "none", "HEAD~1", "HEAD"}, exitUsage},
		"a clone without contents":       {[]string{"diff", "-C", partial, "--strict", "--no-cache", "HEAD~1", "HEAD"}, exitFailed},
		"a configuration that is wrong":  {[]string{"diff", "-C", repository, "--config", filepath.Join(t.TempDir(), "none"), "HEAD~1", "HEAD"}, exitUsage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", path)
			var out, wrong bytes.Buffer
			code := run(tt.args, terminal{
				stdin: &input{Reader: strings.NewReader("")}, stdout: &out, stderr: &wrong, errIsTTY: true,
				environ: append(os.Environ(), "CI=", "GWPLAN_CACHE="),
			})
			if code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, wrong.String())
			}
			if left := leak.Goroutines(); left != "" {
				t.Errorf("goroutines are left:\n%s", left)
			}
		})
	}
}

// withoutFiles clones a repository as CI systems do: without the contents of files, which are not fetched.
func withoutFiles(t *testing.T, repository string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, repository, "config", "uploadpack.allowFilter", "true")
	git(t, repository, "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+repository, dir)
	return dir
}
