// Package action_test runs the steps of the Action as a runner would: the real
// scripts with the real jq and git, next to a gh and a gwplan of its own.
package action_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// gojq stands in for jq where that is not installed, as it is on GitHub's runners.
const gojq = "github.com/itchyny/gojq/cmd/gojq@v0.12.19"

// TestMain lets the test binary be the programs that the scripts start: they
// find it on PATH under the name of each.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "gh":
		os.Exit(gh(os.Args[1:]))
	case "gwplan":
		os.Exit(gwplan(os.Args[1:]))
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

// programs puts gh and gwplan first on PATH, and jq where there is none.
func programs(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, name := range []string{"gh", "gwplan"} {
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
