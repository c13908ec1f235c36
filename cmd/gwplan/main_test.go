package main

import (
	"flag"
	"fmt"
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
	if os.Getenv(workerVariable) != "" {
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
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
func TestScripts(t *testing.T) {
	files := chosen(t, testing.Short())
	if testing.Short() {
		files = everySecond(files) // with the race detector each takes seconds
	}
	limited := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !mentions(t, file, "--max-", "__complete", "gwplan completion") })
	shared := slices.DeleteFunc(files, func(file string) bool { return slices.Contains(limited, file) })
	client, variable := workers(t)
	runScripts(t, shared, client, variable)
	runScripts(t, limited, "") // a limit is that of a process, and completion has one of its own
}

// mentions reports whether a script has one of the texts.
func mentions(t *testing.T, file string, texts ...string) bool {
	t.Helper()
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(string(script), text) })
}

// TestScriptsAgain runs each command in a process of its own, and each diff a second time, from what the first one kept:
// nothing that a script expects may differ. Scripts about kept results count these themselves.
func TestScriptsAgain(t *testing.T) {
	files := slices.DeleteFunc(chosen(t, !*everyScript), func(file string) bool {
		return !mentions(t, file, "gwplan diff") || mentions(t, file, "--stats", "--cache")
	})
	if testing.Short() && !*everyScript {
		files = files[:min(len(files), 6)] // with the race detector each takes seconds
	}
	runScripts(t, files, "", keptVariable+"="+t.TempDir())
}

// runScripts runs scripts with the gwplan of a folder, or with this binary.
func runScripts(t *testing.T, files []string, program string, vars ...string) {
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
			if program != "" {
				env.Setenv("PATH", program+string(os.PathListSeparator)+env.Getenv("PATH"))
			}
			return nil
		},
	})
}

// everySecond leaves out the others.
func everySecond(files []string) (out []string) {
	for i := 0; i < len(files); i += 2 {
		out = append(out, files[i])
	}
	return out
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
