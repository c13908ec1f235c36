package source_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// repo is a real repository in a folder of the test, free of the machine's
// config, with fixed dates.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T, initArgs ...string) *repo {
	t.Helper()
	r := &repo{t: t, dir: t.TempDir(), env: cleanEnv(t)}
	r.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return r
}

func cleanEnv(t *testing.T) []string {
	t.Helper()
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	}
}

// at is the same user in another folder.
func (r *repo) at(dir string) *repo { return &repo{t: r.t, dir: dir, env: r.env} }

func (r *repo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(nil, args...)
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func (r *repo) try(stdin []byte, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// object stores content as it is and gives its id.
func (r *repo) object(kind string, content []byte) string {
	r.t.Helper()
	out, err := r.try(content, "hash-object", "-w", "-t", kind, "--literally", "--stdin")
	if err != nil {
		r.t.Fatalf("hash-object: %v\n%s", err, out)
	}
	return strings.TrimSpace(out)
}

func (r *repo) write(path, content string) {
	r.t.Helper()
	file := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) link(path, target string) {
	r.t.Helper()
	file := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Symlink(target, file); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) remove(path string) {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, path)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// request asks for a comparison in this repository.
func (r *repo) request(revisions ...string) source.Request {
	return source.Request{Dir: r.dir, Revisions: revisions, Environ: r.env}
}

func (r *repo) one(revision string) *source.Tree {
	r.t.Helper()
	tree, err := source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir, Revision: revision, Environ: r.env})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { closeTree(r.t, tree) })
	return tree
}

func openPair(t *testing.T, r source.Request) (base, head *source.Tree) {
	t.Helper()
	base, head, err := source.OpenPair(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeTree(t, base) })
	return base, head
}

func closeTree(t *testing.T, tree *source.Tree) {
	t.Helper()
	if err := tree.Blobs.Close(); err != nil {
		t.Error(err)
	}
}

// contents reads a whole tree: content by path, or the code of the problem in
// angle brackets.
func contents(t *testing.T, tree *source.Tree) map[string]string {
	t.Helper()
	ids := make([]string, 0, len(tree.Entries))
	for _, e := range tree.Entries {
		ids = append(ids, e.ID)
	}
	byID := make(map[string]string, len(ids))
	err := tree.Blobs.Each(ids, func(id string, data []byte, missing *loader.Problem) {
		byID[id] = string(data)
		if missing != nil {
			byID[id] = "<" + missing.Code + ">"
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string, len(ids))
	for _, e := range tree.Entries {
		out[e.Path] = byID[e.ID]
	}
	return out
}

func paths(tree *source.Tree) []string {
	out := []string{}
	for _, e := range tree.Entries {
		out = append(out, e.Path)
	}
	return out
}

// problems lists a tree's problems as "code path".
func problems(tree *source.Tree) []string {
	out := []string{}
	for _, p := range tree.Problems {
		out = append(out, p.Code+" "+p.Position.File)
	}
	slices.Sort(out)
	return out
}

// wantError checks the text that a user reads and the kind of the failure.
func wantError(t *testing.T, err error, usage bool, text string) {
	t.Helper()
	e, ok := errors.AsType[*source.Error](err)
	if !ok {
		t.Fatalf("error = %v, want a *source.Error with %q", err, text)
	}
	if !strings.Contains(e.Error(), text) || e.Usage != usage {
		t.Errorf("error = %q (usage %v), want %q (usage %v)", e.Error(), e.Usage, text, usage)
	}
}
