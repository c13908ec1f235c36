// Package action_test runs the steps of the Action as a runner would: the real
// scripts with the real jq and git, next to a gh and a gwplan of its own.
package action_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// gojq stands in for jq where that is not installed, as it is on GitHub's runners.
const gojq = "github.com/itchyny/gojq/cmd/gojq@v0.12.19"

// realGH is the gh of this machine, which the end-to-end tests use; empty where there is none.
var realGH string

// tools is a folder for programs that tests build, until they end.
var tools string

// TestMain lets the test binary be the programs that the scripts start: they
// find it on PATH under the name of each.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "gh":
		os.Exit(gh(os.Args[1:]))
	case "gwplan":
		os.Exit(gwplan(os.Args[1:]))
	case "sleep":
		os.Exit(sleep(os.Args[1:]))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gwplan-action")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = programs(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// sleep notes how long a step would have waited.
func sleep(args []string) int {
	f, err := os.OpenFile(filepath.Join(os.Getenv("RUNNER_TEMP"), "slept"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(f, args[0])
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 64
	}
	return 0
}

// programs puts gh, gwplan and sleep first on PATH, and jq where there is none.
func programs(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	tools = dir
	realGH, _ = exec.LookPath("gh")
	for _, name := range []string{"gh", "gwplan", "sleep"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return err
	}
	if _, err := exec.LookPath("jq"); err == nil {
		return nil
	}
	install := exec.Command("go", "install", gojq)
	install.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("no jq on PATH, and go install %s: %w\n%s", gojq, err, out)
	}
	return os.Symlink("gojq", filepath.Join(dir, "jq"))
}
