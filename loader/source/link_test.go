package source_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

const outsideSecret = "outside: secret\n"

// linked is a tree with a link of every kind, and a folder outside it.
func linked(t *testing.T) *repo {
	t.Helper()
	r := newRepo(t)
	secret := filepath.Join(filepath.Dir(r.dir), "secret-"+filepath.Base(r.dir)+".yaml")
	if err := os.WriteFile(secret, []byte(outsideSecret), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(secret) })
	r.write("apps/base/a.yaml", "a\n")
	r.write("apps/base/sub/b.yaml", "b\n")
	r.write("apps/notes.txt", "notes\n")

	r.link("file.yaml", "apps/base/a.yaml")
	r.link("folder", "apps/base")
	r.link("apps/prod", "./base/../base/sub/..")
	r.link("apps/base/sub/up.yaml", "../a.yaml")
	r.link("second.yaml", "file.yaml")
	r.link("through.yaml", "folder/sub/b.yaml")
	r.link("notes.yaml", "apps/notes.txt")

	r.link("passwd.yaml", "/etc/passwd")
	r.link("above.yaml", "../"+filepath.Base(secret))
	r.link("returns.yaml", "../"+filepath.Base(r.dir)+"/apps/base/a.yaml")
	r.link("absolute.yaml", filepath.Join(r.dir, "apps/base/a.yaml"))
	r.link("chain.yaml", "chain2.yaml")
	r.link("chain2.yaml", "apps/../../"+filepath.Base(secret))
	r.link("chain3.yaml", "passwd.yaml")
	r.link("self.yaml", "self.yaml")
	r.link("ping.yaml", "pong.yaml")
	r.link("pong.yaml", "ping.yaml")
	r.link("apps/loop", "..")
	r.link("nothing.yaml", "no/such.yaml")
	r.link("below-a-file.yaml", "apps/base/a.yaml/x")
	r.link("config.yaml", ".git/config")
	r.link("hops/0.yaml", "../apps/base/a.yaml")
	for i := range 45 {
		r.link(fmt.Sprintf("hops/%d.yaml", i+1), fmt.Sprintf("%d.yaml", i))
	}
	return r
}

func TestLinks(t *testing.T) {
	r := linked(t)
	r.commit("links")
	sources := map[string]func(*testing.T) *source.Tree{
		"revision":  func(*testing.T) *source.Tree { return r.one("HEAD") },
		"index":     func(*testing.T) *source.Tree { return r.one(":index") },
		"work tree": func(*testing.T) *source.Tree { return r.one(":worktree") },
		"folder": func(t *testing.T) *source.Tree {
			tree, err := source.OpenDirectory(context.Background(), r.dir, source.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { closeTree(t, tree) })
			return tree
		},
		"given": func(t *testing.T) *source.Tree {
			tree, err := source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { closeTree(t, tree) })
			return tree
		},
	}
	want := map[string]string{
		"apps/base/a.yaml": "a\n", "apps/base/sub/b.yaml": "b\n", "apps/base/sub/up.yaml": "a\n", "apps/notes.txt": "notes\n",
		"apps/prod/a.yaml": "a\n", "apps/prod/sub/b.yaml": "b\n", "apps/prod/sub/up.yaml": "a\n",
		"folder/a.yaml": "a\n", "folder/sub/b.yaml": "b\n", "folder/sub/up.yaml": "a\n",
		"file.yaml": "a\n", "second.yaml": "a\n", "through.yaml": "b\n", "notes.yaml": "notes\n",
	}
	for i := range 40 {
		want[fmt.Sprintf("hops/%d.yaml", i)] = "a\n"
	}
	wantProblems := []string{
		"limit-symlink-hops hops/40.yaml", "limit-symlink-hops hops/41.yaml", "limit-symlink-hops hops/42.yaml",
		"limit-symlink-hops hops/43.yaml", "limit-symlink-hops hops/44.yaml", "limit-symlink-hops hops/45.yaml",
		"limit-symlink-hops ping.yaml", "limit-symlink-hops pong.yaml", "limit-symlink-hops self.yaml",
		"symlink-dangling below-a-file.yaml", "symlink-dangling config.yaml", "symlink-dangling nothing.yaml",
		"symlink-loop apps/loop",
		"symlink-outside above.yaml", "symlink-outside absolute.yaml", "symlink-outside chain.yaml", "symlink-outside chain2.yaml",
		"symlink-outside chain3.yaml", "symlink-outside passwd.yaml", "symlink-outside returns.yaml",
	}
	for name, open := range sources {
		t.Run(name, func(t *testing.T) {
			tree := open(t)
			got := contents(t, tree)
			if !maps.Equal(got, want) {
				t.Errorf("files:\n got %v\nwant %v", got, want)
			}
			if got := problems(tree); !slices.Equal(got, wantProblems) {
				t.Errorf("problems:\n got %q\nwant %q", got, wantProblems)
			}
			for _, p := range tree.Problems {
				if strings.Contains(p.Message+p.Hint, "secret\n") || !strings.Contains(p.Message, "symbolic link") || p.Hint == "" {
					t.Errorf("problem %+v", p)
				}
			}
			if !slices.IsSorted(paths(tree)) {
				t.Error("entries are not sorted")
			}
		})
	}
}

// Folders that lead to each other would give endlessly many paths.
func TestLinksBetweenFolders(t *testing.T) {
	r := newRepo(t)
	r.write("x/a.yaml", "a\n")
	r.write("y/b.yaml", "b\n")
	r.link("x/to-y", "../y")
	r.link("y/to-x", "../x")
	r.commit("cycle")
	tree := r.one("HEAD")
	if want := []string{"x/a.yaml", "x/to-y/b.yaml", "y/b.yaml", "y/to-x/a.yaml"}; !slices.Equal(paths(tree), want) {
		t.Errorf("files = %q, want %q", paths(tree), want)
	}
	if want := []string{"symlink-loop x/to-y", "symlink-loop y/to-x"}; !slices.Equal(problems(tree), want) {
		t.Errorf("problems = %q, want %q", problems(tree), want)
	}
}

// Twenty levels with two links each are a million paths to one file.
func TestLinkBomb(t *testing.T) {
	r := newRepo(t)
	const levels = 20
	for i := range levels {
		for _, name := range []string{"l", "r"} {
			r.link(fmt.Sprintf("d%02d/%s", i, name), fmt.Sprintf("../d%02d", i+1))
		}
	}
	r.write(fmt.Sprintf("d%02d/a.yaml", levels), "a\n")
	r.write("plain.yaml", "plain\n")
	r.commit("bomb")
	tree := r.one("HEAD")
	if len(tree.Entries) < 2 || len(tree.Entries) > 100_002 {
		t.Errorf("%d entries", len(tree.Entries))
	}
	if !slices.Contains(problems(tree), "limit-symlink-files d00/r") || contents(t, tree)["plain.yaml"] != "plain\n" {
		t.Errorf("problems = %q", problems(tree))
	}
}

// Links with long paths to a folder of many files add many long paths.
func TestLinkedNamesAreBounded(t *testing.T) {
	r := newRepo(t)
	blob := r.object("blob", []byte("a\n"))
	var entries strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&entries, "100644 %s\td/%04d.yaml\n", blob, i)
	}
	above := strings.Repeat(strings.Repeat("x", 200)+"/", 5)
	to := r.object("blob", []byte(strings.Repeat("../", 5)+"d"))
	for i := range 30 {
		fmt.Fprintf(&entries, "120000 %s\t%sl%02d\n", to, above, i)
	}
	if out, err := r.try([]byte(entries.String()), "update-index", "--add", "--index-info"); err != nil {
		t.Fatal(err, out)
	}
	r.git("commit", "-q", "-m", "names")
	tree := r.one("HEAD")
	size := 0
	for _, path := range paths(tree) {
		size += len(path)
	}
	if size < 15<<20 || size > 16<<20+100_000 {
		t.Errorf("paths of %d bytes", size)
	}
	if got := problems(tree); len(got) == 0 || !strings.HasPrefix(got[0], "limit-symlink-files x") {
		t.Errorf("%d problems: %.200q", len(got), got)
	}
}

// Links that stand in folders that links lead to count as hops of one way.
func TestLinkedFoldersInEachOther(t *testing.T) {
	r := newRepo(t)
	const folders = 45
	for i := range folders {
		r.link(fmt.Sprintf("d%02d/next", i), fmt.Sprintf("../d%02d", i+1))
	}
	r.write(fmt.Sprintf("d%02d/a.yaml", folders), "a\n")
	r.commit("chain")
	tree := r.one("HEAD")
	// The links of the first folders cannot reach the last one; a link along the way is told.
	if got := problems(tree); len(got) == 0 || !strings.HasPrefix(got[0], "limit-symlink-hops d") {
		t.Errorf("problems = %q", got)
	}
	if deep := "d00" + strings.Repeat("/next", folders) + "/a.yaml"; slices.Contains(paths(tree), deep) {
		t.Errorf("%s was reached", deep)
	}
	if near := "d10" + strings.Repeat("/next", folders-10) + "/a.yaml"; !slices.Contains(paths(tree), near) {
		t.Errorf("%s was not reached", near)
	}
}

// A link of a few thousand steps is cheap to write and to share: what all links of a tree may
// take to resolve is bounded, and what is no link is read all the same.
func TestLinkStepsAreBounded(t *testing.T) {
	r := newRepo(t)
	long := r.object("blob", []byte(strings.Repeat("./", 2040)+"a.yaml"))
	var entries strings.Builder
	fmt.Fprintf(&entries, "100644 %s\ta.yaml\n", r.object("blob", []byte("a\n")))
	for i := range 3000 {
		fmt.Fprintf(&entries, "120000 %s\tl%04d.yaml\n", long, i)
	}
	if out, err := r.try([]byte(entries.String()), "update-index", "--add", "--index-info"); err != nil {
		t.Fatal(err, out)
	}
	r.git("commit", "-q", "-m", "steps")
	tree := r.one("HEAD")
	if got := problems(tree); len(got) == 0 || !strings.HasPrefix(got[0], "limit-symlink-files l") {
		t.Errorf("%d problems: %.200q", len(got), got)
	}
	if got := contents(t, tree); got["a.yaml"] != "a\n" || got["l0000.yaml"] != "a\n" {
		t.Errorf("%d files, without the first ones", len(got))
	}
}

func TestLinkTargets(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "a\n")
	r.git("add", "a.yaml")
	for path, target := range map[string]string{
		"long": strings.Repeat("x", 5000), "empty": "", "nul": "a.yaml\x00", "escape": "\x1b]0;\a", "slash": "a.yaml/", "dot": ".",
	} {
		r.git("update-index", "--add", "--cacheinfo", "120000,"+r.object("blob", []byte(target))+","+path)
	}
	r.git("commit", "-q", "-m", "odd links")
	tree := r.one("HEAD")
	want := []string{
		"symlink-dangling empty", "symlink-dangling escape", "symlink-dangling nul", "symlink-loop dot", "symlink-target long",
	}
	if got := problems(tree); !slices.Equal(got, want) {
		t.Errorf("problems = %q, want %q", got, want)
	}
	for _, p := range tree.Problems {
		if strings.ContainsAny(p.Message, "\x1b\x00\a") || len(p.Message) > 300 {
			t.Errorf("message %q", p.Message)
		}
	}
}
