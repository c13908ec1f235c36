package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update rewrites the expected outputs of the scripts: go test ./cmd/gwplan -update.
var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gwplan": main})
}

// TestScripts runs every command as a user types it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               chosen(t),
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars,
				"GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@cupcakes.example", "GIT_AUTHOR_DATE=2025-01-01T00:00:00Z",
				"GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@cupcakes.example", "GIT_COMMITTER_DATE=2025-01-01T00:00:00Z",
				"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
				"CI=true",                  // the cache of the user stays out of it
				"GORACE=atexit_sleep_ms=0", // else each command of a race build sleeps for a second before it exits
			)
			return nil
		},
	})
}

// chosen are all scripts or, with -short, the first of each group and every sixth after it: the
// word before the first "_" is the group of a script.
func chosen(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if !testing.Short() {
		return all
	}
	const share = 6
	var out []string
	met := map[string]int{}
	for _, file := range all {
		group, _, _ := strings.Cut(filepath.Base(file), "_")
		if met[group]%share == 0 {
			out = append(out, file)
		}
		met[group]++
	}
	return out
}
