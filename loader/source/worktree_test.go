package source_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

func TestWorkTree(t *testing.T) {
	r := newRepo(t)
	r.write("same.yaml", "same\n")
	r.write("edited.yaml", "before\n")
	r.write("deleted.yaml", "gone\n")
	r.write("folder/was.yaml", "file\n")
	r.write("replaced.yaml", "file\n")
	r.write("sub/deep/x.json", "{}\n")
	r.write(".gitignore", "ignored*\n")
	r.commit("one")
	r.write("edited.yaml", "after\n")
	r.remove("deleted.yaml")
	r.remove("folder")
	r.link("folder", "sub/deep")
	r.remove("replaced.yaml")
	r.write("replaced.yaml/now.yaml", "folder\n")
	r.write("new.yaml", "untracked\n")
	r.write("ignored.yaml", "ignored\n")
	r.write("values.txt", "text\n")
	r.write("added.yaml", "intent\n")
	r.git("add", "-N", "added.yaml")

	want := map[string]string{
		".gitignore": "ignored*\n", "same.yaml": "same\n", "edited.yaml": "after\n", "folder/x.json": "{}\n",
		"replaced.yaml/now.yaml": "folder\n", "sub/deep/x.json": "{}\n", "new.yaml": "untracked\n", "values.txt": "text\n",
		"added.yaml": "intent\n",
	}
	for name, dir := range map[string]string{"root": r.dir, "subfolder": filepath.Join(r.dir, "sub", "deep")} {
		t.Run(name, func(t *testing.T) {
			base, head := openPair(t, r.at(dir).request())
			if got := contents(t, head); !maps.Equal(got, want) {
				t.Errorf("work tree:\n got %v\nwant %v", got, want)
			}
			if len(head.Problems) != 0 {
				t.Errorf("problems = %v", head.Problems)
			}
			if got := contents(t, base)["folder/was.yaml"]; got != "file\n" {
				t.Errorf("base = %v", got)
			}
		})
	}
}

// The ids of a work tree are git's, so that a file equal to one of the base is
// the same file, staged or not.
func TestWorkTreeIDs(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := newRepo(t, "--object-format="+format)
			r.write("a.yaml", "a\n")
			r.write("b.yaml", "b\n")
			r.commit("one")
			r.write("b.yaml", "changed\n")
			r.write("copy.yaml", "a\n")
			base, head := openPair(t, r.request())
			got := map[string]string{}
			for _, e := range append(base.Entries, head.Entries...) {
				got[e.Path] = e.ID
			}
			for path, id := range got {
				if want := r.git("hash-object", path); id != want {
					t.Errorf("%s has id %s, git says %s", path, id, want)
				}
			}
			if got := contents(t, head)["b.yaml"]; got != "changed\n" {
				t.Errorf("b.yaml = %q", got)
			}
		})
	}
}

// A file of the same size and time as its index entry, written after the index,
// is read.
func TestRacyFile(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "old\n")
	r.commit("one")
	index := filepath.Join(r.dir, ".git", "index")
	now := time.Now().Add(-time.Hour).Truncate(time.Second)
	file := filepath.Join(r.dir, "a.yaml")
	setTime(t, file, now)
	r.git("update-index", "--refresh")
	setTime(t, index, now)
	r.write("a.yaml", "new\n")
	setTime(t, file, now)
	if got := contents(t, r.one(":worktree"))["a.yaml"]; got != "new\n" {
		t.Errorf("a.yaml = %q, want what is on disk", got)
	}
}

// The size alone says nothing.
func TestEditOfTheSameSize(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "old\n")
	setTime(t, filepath.Join(r.dir, "a.yaml"), time.Now().Add(-time.Hour))
	r.commit("one")
	r.write("a.yaml", "new\n")
	setTime(t, filepath.Join(r.dir, "a.yaml"), time.Now().Add(-2*time.Hour))
	if got := contents(t, r.one(":worktree"))["a.yaml"]; got != "new\n" {
		t.Errorf("a.yaml = %q, want what is on disk", got)
	}
}

// A tracked path is not read through a link that has taken its folder's place,
// least of all from git's own files, which can hold tokens.
func TestFolderReplacedByLink(t *testing.T) {
	r := newRepo(t)
	r.write("folder/config", "mine\n")
	r.commit("one")
	r.remove("folder")
	r.link("folder", ".git")
	tree := r.one(":worktree")
	if len(tree.Entries) != 0 || !slices.Equal(problems(tree), []string{"symlink-dangling folder"}) {
		t.Errorf("files = %q, problems = %q", contents(t, tree), problems(tree))
	}
}

func setTime(t *testing.T, file string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

// Unmodified means equal to the index: its content comes from git, where no
// filter has changed it, and the file is not opened.
func TestUnmodifiedFileIsNotRead(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.yaml text eol=crlf\n")
	r.write("a.yaml", "a: 1\r\n")
	old := time.Now().Add(-time.Hour)
	setTime(t, filepath.Join(r.dir, "a.yaml"), old)
	r.commit("one")
	if got := contents(t, r.one(":worktree"))["a.yaml"]; got != "a: 1\n" {
		t.Errorf("a.yaml = %q, want the blob", got)
	}
}

func TestIndex(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "one\n")
	r.write("gone.yaml", "x\n")
	r.commit("one")
	r.write("a.yaml", "staged\n")
	r.write("fresh.yaml", "fresh\n")
	r.git("add", "a.yaml", "fresh.yaml")
	r.git("rm", "-q", "gone.yaml")
	r.write("a.yaml", "on disk\n")
	r.write("untracked.yaml", "x\n")
	r.write("intent.yaml", "intent\n")
	r.link("intent-link.yaml", "fresh.yaml")
	r.git("add", "-N", "intent.yaml", "intent-link.yaml")
	want := map[string]string{
		"a.yaml": "staged\n", "fresh.yaml": "fresh\n", "intent.yaml": "intent\n", "intent-link.yaml": "fresh\n",
	}
	if got := contents(t, r.one(":index")); !maps.Equal(got, want) {
		t.Errorf("index:\n got %v\nwant %v", got, want)
	}

	// `git commit -a` and `commit -p` give hooks an index of their own.
	other := filepath.Join(t.TempDir(), "other-index")
	q := r.request()
	q.Staged, q.Environ = true, append(r.env[:len(r.env):len(r.env)], "GIT_INDEX_FILE="+other)
	env := r.at(r.dir)
	env.env = q.Environ
	env.git("read-tree", "HEAD")
	_, head := openPair(t, q)
	if got := contents(t, head); !maps.Equal(got, map[string]string{"a.yaml": "one\n", "gone.yaml": "x\n"}) {
		t.Errorf("GIT_INDEX_FILE gives %v", got)
	}
}

// In a hook git sets GIT_DIR, relative to the root of the work tree.
func TestHookEnvironment(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "a\n")
	hook := "#!/bin/sh\nenv | grep '^GIT_' > \"$PWD/.git/hook-env\"\n"
	r.write(".git/hooks/pre-commit", hook)
	if err := os.Chmod(filepath.Join(r.dir, ".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.commit("one")
	data, err := os.ReadFile(filepath.Join(r.dir, ".git/hook-env"))
	if err != nil || !strings.Contains(string(data), "GIT_INDEX_FILE=") {
		t.Fatalf("hook environment: %q %v", data, err)
	}
	q := r.request()
	q.Staged = true
	q.Environ = append(append(r.env[:len(r.env):len(r.env)], strings.Fields(string(data))...), "GIT_DIR=.git")
	_, head := openPair(t, q)
	if got := contents(t, head); !maps.Equal(got, map[string]string{"a.yaml": "a\n"}) {
		t.Errorf("index = %v", got)
	}
}

func TestUnmerged(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "one\n")
	r.write("b.yaml", "b\n")
	r.commit("one")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.yaml", "topic\n")
	r.commit("topic")
	r.git("checkout", "-q", "main")
	r.write("a.yaml", "main\n")
	r.commit("main")
	if _, err := r.try(nil, "merge", "topic"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	for _, rev := range []string{":index", ":worktree"} {
		tree := r.one(rev)
		if got := problems(tree); !slices.Equal(got, []string{"unmerged a.yaml"}) || tree.Problems[0].Severity != loader.Error {
			t.Errorf("%s: problems = %v", rev, tree.Problems)
		}
		if got := paths(tree); !slices.Equal(got, []string{"b.yaml"}) {
			t.Errorf("%s: files = %q", rev, got)
		}
	}
}

func TestSubmodule(t *testing.T) {
	inner := newRepo(t)
	inner.write("in.yaml", "in\n")
	inner.commit("inner")
	r := newRepo(t)
	r.write("a.yaml", "a\n")
	r.link("into.yaml", "mod/in.yaml")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	r.commit("one")
	r.git("clone", "-q", inner.dir, "nested")
	for rev, want := range map[string][]string{
		"HEAD":      {"submodule mod", "symlink-submodule into.yaml"},
		":index":    {"submodule mod", "symlink-submodule into.yaml"},
		":worktree": {"submodule mod", "submodule nested", "symlink-submodule into.yaml"},
	} {
		tree := r.one(rev)
		if got := problems(tree); !slices.Equal(got, want) {
			t.Errorf("%s: problems = %q, want %q", rev, got, want)
		}
		for _, p := range tree.Problems {
			if p.Severity != loader.Note {
				t.Errorf("%s: severity %s of %s", rev, p.Severity, p.Code)
			}
		}
		if got := paths(tree); !slices.Equal(got, []string{".gitmodules", "a.yaml"}) {
			t.Errorf("%s: files = %q", rev, got)
		}
	}
}

func TestBareRepository(t *testing.T) {
	r, _, two, three := history(t)
	bare := r.at(filepath.Join(t.TempDir(), "bare.git"))
	r.git("clone", "-q", "--bare", r.dir, bare.dir)
	base, head := openPair(t, bare.request("main", "topic"))
	if base.Commit != two || head.Commit != three || contents(t, head)["a.yaml"] != "three\n" {
		t.Errorf("%q %q", base.Commit, head.Commit)
	}
	for _, q := range []source.Request{bare.request(), {Dir: bare.dir, Staged: true, Environ: bare.env}} {
		_, _, err := source.OpenPair(context.Background(), q)
		wantError(t, err, false, "this repository has no work tree; name two revisions")
	}
}

func TestLinkedWorkTree(t *testing.T) {
	r, _, _, _ := history(t)
	other := r.at(filepath.Join(t.TempDir(), "other"))
	r.git("worktree", "add", "-q", other.dir, "main")
	other.write("b.yaml", "b\n")
	base, head := openPair(t, other.request())
	if got := contents(t, base)["a.yaml"]; got != "two\n" {
		t.Errorf("base = %q", got)
	}
	if got := contents(t, head); !maps.Equal(got, map[string]string{"a.yaml": "two\n", "b.yaml": "b\n"}) {
		t.Errorf("head = %v", got)
	}
}

func TestSparseCheckout(t *testing.T) {
	r := newRepo(t)
	r.write("in/a.yaml", "a\n")
	r.write("out/b.yaml", "b\n")
	r.link("out/l.yaml", "b.yaml")
	r.commit("one")
	r.git("sparse-checkout", "set", "in")
	if _, err := os.Lstat(filepath.Join(r.dir, "out")); err == nil {
		t.Fatal("the checkout is not sparse")
	}
	want := map[string]string{"in/a.yaml": "a\n", "out/b.yaml": "b\n", "out/l.yaml": "b\n"}
	for _, rev := range []string{":worktree", ":index"} {
		if got := contents(t, r.one(rev)); !maps.Equal(got, want) {
			t.Errorf("%s = %v", rev, got)
		}
	}
}

// The config of a repository cannot put the work tree elsewhere.
func TestForeignWorkTree(t *testing.T) {
	r, _, _, _ := history(t)
	other, _, _, _ := history(t)
	for _, top := range []string{t.TempDir(), "/", other.dir} {
		r.git("config", "core.worktree", top)
		_, _, err := source.OpenPair(context.Background(), r.request())
		wantError(t, err, false, "core.worktree in the repository's config points to")
	}
}

func TestFileNames(t *testing.T) {
	names := []string{
		"new\nline.yaml", `quo"te.yaml`, "tab\t.yaml", "back\\slash.yaml", "-dash.yaml", ":(top)x.yaml", "*.yaml", "uml\u00e4ut.yaml",
		"bad\xff\xfe.yaml", "esc\x1b.yaml", "  spaces .yaml", "dir\n/a.yaml", "a.yaml", "a/b.yaml", "a-b.yaml",
	}
	r := newRepo(t)
	want := map[string]string{}
	for _, name := range names {
		r.write(name, name)
		want[name] = name
	}
	r.commit("names")
	r.write("a.yaml", "edited")
	check := func(t *testing.T, tree *source.Tree, a string) {
		t.Helper()
		want["a.yaml"] = a
		if got := contents(t, tree); !maps.Equal(got, want) {
			t.Errorf("files:\n got %q\nwant %q", got, want)
		}
		if !slices.IsSorted(paths(tree)) {
			t.Errorf("not sorted: %q", paths(tree))
		}
	}
	check(t, r.one("HEAD"), "a.yaml")
	check(t, r.one(":index"), "a.yaml")
	check(t, r.one(":worktree"), "edited")
	tree, err := source.OpenDirectory(context.Background(), r.dir, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, tree)
	check(t, tree, "edited")
}

// Git's own commands refuse to make such trees; an attacker does not use them.
func TestCraftedTree(t *testing.T) {
	r := newRepo(t)
	blob := r.object("blob", []byte("x\n"))
	entry := func(mode, name, id string) string {
		raw := make([]byte, 20)
		for i := range raw {
			raw[i] = hexByte(id[2*i])<<4 | hexByte(id[2*i+1])
		}
		return mode + " " + name + "\x00" + string(raw)
	}
	inner := r.object("tree", []byte(entry("100644", "a.yaml", blob)))
	bad := ""
	for _, name := range []string{"..", ".", ".git", ".GIT", "a/../../b", "/etc"} {
		bad += entry("40000", name, inner)
	}
	tree := r.object("tree", []byte(bad+entry("100644", "ok.yaml", blob)+entry("100644", "ok.yaml", blob)))
	r.git("update-ref", "refs/heads/evil", r.git("commit-tree", "-m", "evil", tree))
	got := r.one("evil")
	if !slices.Equal(paths(got), []string{"ok.yaml"}) || len(got.Problems) != 6 {
		t.Errorf("files = %q, problems = %q", paths(got), problems(got))
	}
	for _, p := range got.Problems {
		if p.Code != "invalid-path" {
			t.Errorf("%+v", p)
		}
	}
}

func hexByte(c byte) byte { return byte(strings.IndexByte("0123456789abcdef", c)) }
