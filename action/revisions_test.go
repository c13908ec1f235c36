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
	head := c.git(t, "rev-parse", "HEAD")
	shallow := clone{dir: filepath.Join(t.TempDir(), "shallow")}
	c.git(t, "clone", "-q", "--depth=1", "file://"+c.dir, shallow.dir)
	// Nothing can be fetched, as from a private repository without credentials.
	shallow.git(t, "remote", "set-url", "origin", "https://x:s3cret@127.0.0.1:1/cupcakes")
	// As actions/checkout leaves a branch: it knows no other.
	shallow.git(t, "update-ref", "-d", "refs/remotes/origin/main")
	root := clone{dir: t.TempDir()}
	root.git(t, "init", "-q", "-b", "main")
	root.git(t, "commit", "-q", "--allow-empty", "-m", "first")
	const (
		zeros  = "0000000000000000000000000000000000000000"
		absent = "00000000000000000000000000000000000000ff"
	)
	c.git(t, "update-ref", "refs/remotes/origin/main", c.base)

	for name, tt := range map[string]struct {
		dir, event string
		env        map[string]string
		want       []string
		// said is the message: a notice, or the error with what to write into the workflow.
		code, said string
	}{
		"merge of a pull request": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.first, "EVENT_HEAD": c.topic}, want: []string{c.base, "HEAD"},
		},
		"head of a pull request": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.base}, want: []string{c.base + "...HEAD"},
		},
		"another head": {
			event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.topic, "GWPLAN_HEAD": "topic"},
			want: []string{c.base + "...topic"},
		},
		"merge queue": {event: "merge_group", env: map[string]string{"EVENT_BASE": c.base}, want: []string{c.base, "HEAD"}},
		"push":        {event: "push", env: map[string]string{"EVENT_BASE": c.first}, want: []string{c.first, "HEAD"}},
		"push of a branch": {
			event: "push", env: map[string]string{"EVENT_BASE": zeros, "EVENT_DEFAULT": "main", "GWPLAN_HEAD": "topic"},
			want: []string{c.first, "topic"}, said: "compared with " + c.first[:12] + ", the merge base with main",
		},
		"push whose base is gone": {
			event: "push", env: map[string]string{"EVENT_BASE": absent, "EVENT_DEFAULT": "main", "GWPLAN_HEAD": "topic"},
			want: []string{c.first, "topic"}, said: "the commit before this push, " + absent[:12] + ", is gone; compared with " + c.first[:12],
		},
		"push to the default branch whose base is gone": {
			event: "push", env: map[string]string{"EVENT_BASE": absent, "EVENT_DEFAULT": "main", "GITHUB_REF": "refs/heads/main"},
			want: []string{c.base, "HEAD"}, said: "is gone; compared with " + c.base[:12] + ", the commit before",
		},
		"push of a tag on the default branch": {
			event: "push", env: map[string]string{"EVENT_BASE": zeros, "EVENT_DEFAULT": "main", "GWPLAN_HEAD": c.base},
			want: []string{c.first, c.base},
		},
		"by hand": {
			event: "workflow_dispatch", env: map[string]string{"EVENT_DEFAULT": "main", "GWPLAN_HEAD": "topic"},
			want: []string{c.first, "topic"}, said: "the merge base with main",
		},
		"by hand, on the default branch": {
			event: "workflow_dispatch", env: map[string]string{"EVENT_DEFAULT": "main", "GITHUB_REF": "refs/heads/main"}, want: []string{c.base, "HEAD"},
		},
		"schedule": {event: "schedule", want: []string{c.base, "HEAD"}},
		"inputs":   {event: "schedule", env: map[string]string{"GWPLAN_BASE": "a", "GWPLAN_HEAD": "b"}, want: []string{"a", "b"}},
		"shallow clone": {
			dir: shallow.dir, event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": c.topic}, code: "3", said: "fetch-depth: 2",
		},
		"shallow, head of a pull request": {
			dir: shallow.dir, event: "pull_request", env: map[string]string{"EVENT_BASE": c.base, "EVENT_HEAD": head}, code: "3", said: "fetch-depth: 0",
		},
		"shallow push":     {dir: shallow.dir, event: "push", env: map[string]string{"EVENT_BASE": c.first, "EVENT_DEFAULT": "main"}, code: "3", said: "fetch-depth: 0"},
		"shallow queue":    {dir: shallow.dir, event: "merge_group", env: map[string]string{"EVENT_BASE": c.first}, code: "3", said: "fetch-depth: 0"},
		"shallow, by hand": {dir: shallow.dir, event: "workflow_dispatch", env: map[string]string{"EVENT_DEFAULT": "main"}, code: "3", said: "fetch-depth: 0"},
		"shallow schedule": {dir: shallow.dir, event: "schedule", code: "3", said: "fetch-depth: 2"},
		"first commit":     {dir: root.dir, event: "push", env: map[string]string{"EVENT_BASE": zeros}, code: "3", said: "HEAD has no commit before it"},
		"hostile base":     {event: "push", env: map[string]string{"EVENT_BASE": "--output=pwned"}, code: "3"},
		"hostile shallow":  {dir: shallow.dir, event: "push", env: map[string]string{"EVENT_BASE": "--upload-pack=touch pwned"}, code: "3"},
		"hostile default": {
			dir: shallow.dir, event: "workflow_dispatch", env: map[string]string{"EVENT_DEFAULT": "x:refs/heads/*"}, code: "3", said: "fetch-depth: 2",
		},
		"target": {event: "pull_request_target", env: map[string]string{"EVENT_BASE": c.base}, code: "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"GITHUB_EVENT_NAME": tt.event, "GWPLAN_BASE": "", "GITHUB_REF": "refs/heads/topic", "GWPLAN_DIRECTORY": c.dir}
			if tt.dir != "" {
				env["GWPLAN_DIRECTORY"] = tt.dir
			}
			maps.Copy(env, tt.env)
			out, args := analyse(t, analyser{Plan: plan(0, 0, 0, 0, 0), Report: report}, env)
			if _, err := os.Stat(filepath.Join(env["GWPLAN_DIRECTORY"], "pwned")); err == nil {
				t.Error("a revision was read as an option of git")
			}
			if strings.Contains(out.log+out.summary, "s3cret") {
				t.Errorf("a secret is in the log or the summary:\n%s%s", out.log, out.summary)
			}
			obeyed := commands(out.log)
			if tt.code != "" {
				if out.outputs["exit-code"] != tt.code || args != nil || len(obeyed) != 1 || !strings.Contains(obeyed[0], tt.said) {
					t.Errorf("exit code %q, arguments %q, want %q in\n%s", out.outputs["exit-code"], args, tt.said, out.log)
				}
				// The report names the reason as the annotation does.
				if text := read(t, out.outputs["report"]); !strings.Contains(text, tt.said) || strings.Contains(text, "``") {
					t.Errorf("report %q", text)
				}
				return
			}
			if got := args[max(0, len(args)-len(tt.want)):]; !slices.Equal(got, tt.want) || out.outputs["exit-code"] != "0" {
				t.Errorf("revisions %q, want %q\n%s", got, tt.want, out.log)
			}
			if tt.said == "" && len(obeyed) > 0 || tt.said != "" && (len(obeyed) != 1 || !strings.HasPrefix(obeyed[0], "::notice ") || !strings.Contains(obeyed[0], tt.said) || !strings.Contains(out.summary, tt.said)) {
				t.Errorf("commands %q and summary %q, want %q", obeyed, out.summary, tt.said)
			}
		})
	}
}

// A fetch is tried once, quietly, and what git says of its address is told without the credentials in it.
func TestFetchTellsNoSecret(t *testing.T) {
	c := merged(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	c.git(t, "clone", "-q", "--depth=1", "file://"+c.dir, shallow)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fake := `#!/bin/sh
case " $* " in *" fetch "*) ;; *) exec ` + git + ` "$@" ;; esac
echo "$GIT_TRACE$GIT_TERMINAL_PROMPT $*" >>"$HERE/fetched"
echo "> Authorization: basic s3cret" >&2
echo "fatal: unable to access 'https://x-access-token:s3cret@example.com/cupcakes/': 403" >&2
exit 128
`
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	out, _ := analyse(t, analyser{}, map[string]string{
		"PATH": dir + string(os.PathListSeparator) + os.Getenv("PATH"), "HERE": dir, "GIT_TRACE": "1",
		"GITHUB_EVENT_NAME": "pull_request", "GWPLAN_BASE": "", "GWPLAN_DIRECTORY": shallow, "EVENT_BASE": c.base, "EVENT_HEAD": c.topic,
	})
	if told := out.log + out.summary; strings.Contains(told, "s3cret") || !strings.Contains(told, "https://example.com/cupcakes/") {
		t.Errorf("told\n%s", told)
	}
	if got := read(t, filepath.Join(dir, "fetched")); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "0 ") {
		t.Errorf("fetched %q", got)
	}
}
