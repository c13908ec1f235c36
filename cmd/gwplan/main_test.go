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

// chosen are all scripts or, with the race detector, those that go different ways through the
// program: of the many for policy kinds, rules and edits every eighth.
func chosen(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if !underRace {
		return all
	}
	const share = 8
	var out []string
	alike := 0
	for _, file := range all {
		if group, _, _ := strings.Cut(filepath.Base(file), "_"); group == "policy" || group == "rule" || group == "edit" {
			if alike++; alike%share != 1 {
				continue
			}
		}
		out = append(out, file)
	}
	return out
}
