package action_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// step is one step of the Action: a script and the environment that action.yml
// and the runner give it.
type step struct {
	script string
	dir    string
	env    map[string]string
	// plain says that outputs are written as NAME=VALUE.
	plain bool
}

// outcome is what a step left behind.
type outcome struct {
	code    int
	log     string
	outputs map[string]string
	summary string
	// slept are the seconds of each wait.
	slept []string
}

// run runs the step with nothing in its environment but what it is given.
func (s step) run(t *testing.T) outcome {
	t.Helper()
	noteScripts(t)
	temp := t.TempDir()
	env := map[string]string{
		"PATH": os.Getenv("PATH"),
		"HOME": temp,
		// Else gh and gwplan, being this test with the race detector, sleep before they end.
		"GORACE":              "atexit_sleep_ms=0",
		"RUNNER_TEMP":         temp,
		"GITHUB_OUTPUT":       filepath.Join(temp, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary"),
		"GITHUB_SERVER_URL":   "https://github.com",
		"GITHUB_REPOSITORY":   "evil-genius/cupcakes",
		"GITHUB_RUN_ID":       "42",
		"GITHUB_REF":          "refs/pull/7/merge",
		"GITHUB_SHA":          "",
	}
	maps.Copy(env, s.env)
	script, err := filepath.Abs(s.script)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", script)
	cmd.Dir = s.dir
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	written := read(t, env["GITHUB_OUTPUT"])
	if s.plain {
		written = regexp.MustCompile(`(?m)^(\w+)=(.*)$`).ReplaceAllString(written, "$1<<end\n$2\nend")
	}
	return outcome{
		code:    cmd.ProcessState.ExitCode(),
		log:     log.String(),
		outputs: outputs(t, written),
		summary: read(t, env["GITHUB_STEP_SUMMARY"]),
		slept:   strings.Fields(read(t, filepath.Join(env["RUNNER_TEMP"], "slept"))),
	}
}

// noteScripts opens the scripts, so that `go test` knows that its cached results
// depend on them: it does not see what bash reads.
func noteScripts(t *testing.T) {
	t.Helper()
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		read(t, script)
	}
}

// outputs reads GITHUB_OUTPUT as the runner does.
func outputs(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines) && text != ""; i++ {
		name, end, found := strings.Cut(lines[i], "<<")
		if !found {
			t.Fatalf("output without a delimiter: %q", lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		if _, set := out[name]; set {
			t.Errorf("output %s is set twice", name)
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

// commands returns the workflow commands that the runner would obey in a log.
func commands(log string) []string {
	var obeyed []string
	resume := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		switch {
		case resume != "":
			if line == "::"+resume+"::" {
				resume = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			resume = strings.TrimPrefix(line, "::stop-commands::")
		case strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##["):
			obeyed = append(obeyed, line)
		}
	}
	return obeyed
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
