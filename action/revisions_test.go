package action_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clone is a repository with a branch that was merged as GitHub merges a pull
// request for its tests: HEAD is the merge, topic its second parent.
type clone struct {
	dir                string
	first, base, topic string
}

func (c clone) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func merged(t *testing.T) clone {
	t.Helper()
	c := clone{dir: t.TempDir()}
	c.git(t, "init", "-q", "-b", "main")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "first")
	c.first = c.git(t, "rev-parse", "HEAD")
	c.git(t, "checkout", "-q", "-b", "topic")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "topic")
	c.topic = c.git(t, "rev-parse", "HEAD")
	c.git(t, "checkout", "-q", "main")
	c.git(t, "commit", "-q", "--allow-empty", "-m", "base")
	c.base = c.git(t, "rev-parse", "HEAD")
	c.git(t, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	return c
}

func TestRevisions(t *testing.T) {
	c := merged(t)
	shallow := clone{dir: filepath.Join(t.TempDir(), "shallow")}
	c.git(t, "clone", "-q", "--depth=1", "file://"+c.dir, shallow.dir)
	const zeros = "0000000000000000000000000000000000000000"

	for name, tt := range map[string]struct {
		dir, event string
		env        map[string]string
		want       []string
		code       string
	}{
		"merge of a pull request": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.first, "EVENT_HEAD": c.topic}, want: []string{"HEAD^1", "HEAD"},
		},
		"head of a pull request": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.base}, want: []string{c.base + "...HEAD"},
		},
		"another head": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.topic, "GWPLAN_HEAD": "topic"},
			want: []string{c.base + "...topic"},
		},
		"merge queue":      {event: "merge_group", env: map[string]string{"EVENT_BASE": c.base}, want: []string{c.base, "HEAD"}},
		"push":             {event: "push", env: map[string]string{"EVENT_BASE": c.first}, want: []string{c.first, "HEAD"}},
		"push of a branch": {event: "push", env: map[string]string{"EVENT_BASE": zeros}, want: []string{"HEAD^1", "HEAD"}},
		"by hand":          {event: "workflow_dispatch", want: []string{"HEAD^1", "HEAD"}},
		"inputs":           {event: "schedule", env: map[string]string{"GWPLAN_BASE": "a", "GWPLAN_HEAD": "b"}, want: []string{"a", "b"}},
		"shallow clone":    {dir: shallow.dir, event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.topic}, code: "3"},
		"shallow, by hand": {dir: shallow.dir, event: "workflow_dispatch", code: "3"},
		"hostile base":     {event: "push", env: map[string]string{"EVENT_BASE": "--output=pwned"}, code: "3"},
		"target":           {event: "pull_request_target", env: map[string]string{"EVENT_BASE": c.base}, code: "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"GITHUB_EVENT_NAME": tt.event, "GWPLAN_BASE": "", "EVENT_BASE": "", "EVENT_HEAD": "", "GWPLAN_DIRECTORY": c.dir}
			if tt.dir != "" {
				env["GWPLAN_DIRECTORY"] = tt.dir
			}
			maps.Copy(env, tt.env)
			out, args := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, env)
			if _, err := os.Stat(filepath.Join(env["GWPLAN_DIRECTORY"], "pwned")); err == nil {
				t.Error("a revision was read as an option of git")
			}
			if tt.code != "" {
				if out.outputs["exit-code"] != tt.code || args != nil || len(commands(out.log)) != 1 {
					t.Errorf("exit code %q, arguments %q, log\n%s", out.outputs["exit-code"], args, out.log)
				}
				return
			}
			if got := args[max(0, len(args)-len(tt.want)):]; !slices.Equal(got, tt.want) || out.outputs["exit-code"] != "0" {
				t.Errorf("revisions %q, want %q\n%s", got, tt.want, out.log)
			}
		})
	}
}
