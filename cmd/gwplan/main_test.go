package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update rewrites the expected outputs of the scripts: go test ./cmd/gwplan -update.
var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gwplan": func() {
		if kept := os.Getenv(keptVariable); kept != "" && len(os.Args) > 1 && os.Args[1] == "diff" {
			before(kept)
		}
		main()
	}})
}

// keptVariable names a cache from which each diff of a script comes the second time.
const keptVariable = "GWPLAN_TEST_KEPT"

// before makes the run that this one is the repetition of.
func before(kept string) {
	first := exec.Command(os.Args[0], os.Args[1:]...)
	first.Env = append(os.Environ(), keptVariable+"=", "GWPLAN_CACHE="+kept)
	_ = first.Run() // what it has to say, the second run says
	_ = os.Setenv("GWPLAN_CACHE", kept)
}

// everyScript makes TestScriptsAgain run all scripts instead of a share of them.
var everyScript = flag.Bool("every-script", false, "run each script with and without kept results")

// TestScripts runs every command as a user types it.
func TestScripts(t *testing.T) { runScripts(t, chosen(t, testing.Short())) }

// TestScriptsAgain runs each diff a second time, from what the first one kept: nothing that a script expects may
// differ. Scripts about kept results count these themselves.
func TestScriptsAgain(t *testing.T) {
	files := slices.DeleteFunc(chosen(t, !*everyScript), func(file string) bool {
		text, err := os.ReadFile(file)
		return err != nil || !bytes.Contains(text, []byte("gwplan diff")) || bytes.Contains(text, []byte("--stats")) || bytes.Contains(text, []byte("--cache"))
	})
	if testing.Short() && !*everyScript {
		files = files[:min(len(files), 8)] // with the race detector each takes seconds
	}
	runScripts(t, files, keptVariable+"="+t.TempDir())
}

func runScripts(t *testing.T, files []string, vars ...string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, vars...)
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

// chosen are all scripts or, if short, the first of each group and every twelfth after it: the
// word before the first "_" is the group of a script.
func chosen(t *testing.T, short bool) []string {
	t.Helper()
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if !short {
		return all
	}
	const share = 12
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
