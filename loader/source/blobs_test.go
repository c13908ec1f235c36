package source_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

func ids(trees ...*source.Tree) []string {
	var out []string
	for _, tree := range trees {
		for _, e := range tree.Entries {
			out = append(out, e.ID)
		}
	}
	return out
}

func TestEqualFilesAreReadOnce(t *testing.T) {
	r := newRepo(t)
	for i := range 200 { // more than the process for small calls takes
		r.write(fmt.Sprintf("same%03d.yaml", i), fmt.Sprintf("same %d\n", i%150))
	}
	r.write("z.yaml", "before\n")
	r.commit("one")
	r.write("z.yaml", "after\n")
	r.commit("two")
	r.write("untracked.yaml", "same 7\n")
	for name, revisions := range map[string][]string{"revisions": {"HEAD~1", "HEAD"}, "work tree": {"HEAD~1"}} {
		t.Run(name, func(t *testing.T) {
			base, head := openPair(t, r.request(revisions...))
			if base.Blobs != head.Blobs {
				t.Error("the trees do not share their Blobs")
			}
			all := ids(base, head)
			slices.Reverse(all)
			var got []string
			err := base.Blobs.Each(all, func(id string, data []byte, missing *loader.Problem) {
				if missing != nil || len(data) == 0 {
					t.Errorf("%s: %v", id, missing)
				}
				got = append(got, id)
			})
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, id := range all {
				if !slices.Contains(want, id) {
					want = append(want, id)
				}
			}
			if len(want) != 152 || !slices.Equal(got, want) {
				t.Errorf("%d ids read, want %d in the order given", len(got), len(want))
			}
		})
	}
}

func TestMissingBlobs(t *testing.T) {
	r := newRepo(t)
	const files = 100
	for i := range files {
		r.write(fmt.Sprintf("f%02d.yaml", i), fmt.Sprintf("%d\n", i))
	}
	r.commit("one")
	gone, damaged := r.git("rev-parse", "HEAD:f03.yaml"), r.git("rev-parse", "HEAD:f50.yaml")
	object := func(id string) string { return filepath.Join(r.dir, ".git/objects", id[:2], id[2:]) }
	if err := os.Remove(object(gone)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(object(damaged), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object(damaged), []byte("not zlib"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := r.one("HEAD")
	for name, read := range map[string]func() map[string]string{
		"many": func() map[string]string { return contents(t, tree) },
		"small": func() map[string]string {
			return contents(t, &source.Tree{Entries: tree.Entries[:60], Blobs: tree.Blobs})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for path, got := range read() {
				want := strings.TrimLeft(path[1:3], "0") + "\n"
				if path == "f00.yaml" {
					want = "0\n"
				}
				if path == "f03.yaml" || path == "f50.yaml" {
					want = "<missing-blob>"
				}
				if got != want {
					t.Errorf("%s = %q, want %q", path, got, want)
				}
			}
		})
	}
	err := tree.Blobs.Each([]string{gone}, func(_ string, _ []byte, missing *loader.Problem) {
		if missing == nil || !strings.Contains(missing.Message, gone) || !strings.Contains(missing.Hint, "git fetch --refetch") {
			t.Errorf("problem = %+v", missing)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is no blob's id never reaches git.
func TestOddIDs(t *testing.T) {
	r, one, _, _ := history(t)
	tree := r.one("HEAD")
	odd := []string{"", "HEAD:a.yaml", "HEAD", "path:0.1:../../etc/passwd", one + "\n" + one, one, r.git("rev-parse", "HEAD^{tree}"), "--batch"}
	calls := 0
	err := tree.Blobs.Each(odd, func(id string, data []byte, missing *loader.Problem) {
		if calls++; missing == nil || data != nil {
			t.Errorf("%q gives %q", id, data)
		}
	})
	if err != nil || calls != len(odd) {
		t.Errorf("%d calls, error %v", calls, err)
	}
	if got := contents(t, tree)["a.yaml"]; got != "three\n" {
		t.Errorf("afterwards a.yaml = %q", got)
	}
}

func TestPartialClone(t *testing.T) {
	r, _, _, _ := history(t)
	r.git("config", "uploadpack.allowFilter", "true")
	clone := r.at(filepath.Join(t.TempDir(), "clone"))
	r.git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+r.dir, clone.dir)
	tree := clone.one("origin/main")
	if got := contents(t, tree)["a.yaml"]; got != "<missing-blob>" {
		t.Errorf("a.yaml = %q: it was fetched", got)
	}
}

func TestFileSizeLimit(t *testing.T) {
	r := newRepo(t)
	limits := source.Limits{FileSize: 100}
	r.write("at.yaml", strings.Repeat("x", 100))
	r.write("over.yaml", strings.Repeat("x", 101))
	r.write("small.yaml", "s\n")
	r.commit("one")
	r.write("over2.yaml", strings.Repeat("y", 102))
	huge := bytes.Repeat([]byte("z"), 20<<20)
	r.git("update-index", "--add", "--cacheinfo", "100644,"+r.object("blob", huge)+",huge.yaml")
	trees := map[string]func() (*source.Tree, error){
		"folder": func() (*source.Tree, error) { return source.OpenDirectory(context.Background(), r.dir, limits) },
		"stdin": func() (*source.Tree, error) {
			return source.OpenOne(context.Background(), source.OneRequest{
				Filenames: []string{"-"}, Stdin: strings.NewReader(strings.Repeat("x", 1000)), Limits: limits,
			})
		},
	}
	for _, rev := range []string{"HEAD", ":index", ":worktree"} {
		trees[rev] = func() (*source.Tree, error) {
			return source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir, Revision: rev, Environ: r.env, Limits: limits})
		}
	}
	over := map[string][]string{
		"folder": {"over.yaml", "over2.yaml"}, "stdin": {"stdin.yaml"}, "HEAD": {"over.yaml"},
		":index": {"huge.yaml", "over.yaml"}, ":worktree": {"over.yaml", "over2.yaml"},
	}
	for name, open := range trees {
		t.Run(name, func(t *testing.T) {
			tree, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer closeTree(t, tree)
			var got []string
			for path, text := range contents(t, tree) {
				if text == "<limit-file-size>" {
					got = append(got, path)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, over[name]) {
				t.Errorf("over the limit: %q, want %q", got, over[name])
			}
			if name != "stdin" && contents(t, tree)["small.yaml"] != "s\n" {
				t.Error("the limit cost another file")
			}
		})
	}
	q := source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env, Limits: limits}
	tree, err := source.OpenOne(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, tree)
	err = tree.Blobs.Each(ids(tree), func(_ string, _ []byte, p *loader.Problem) {
		if p != nil && p.Message+"; "+p.Hint != "the file has 101 bytes, the limit is 100; pass --max-file-size=1048576, or split the file" {
			t.Errorf("problem = %+v", p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWholeRunLimits(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		r.write(fmt.Sprintf("%d.yaml", i), fmt.Sprintf("file %d\n", i))
		r.write(fmt.Sprintf("%d.txt", i), "text\n")
	}
	r.commit("one")
	r.commit("two")
	tests := map[string]struct {
		limits source.Limits
		text   string
	}{
		"files":      {source.Limits{Files: 4}, "more than 4 YAML and JSON files in one tree; read fewer folders: -f DIR, or --base-dir and --head-dir"},
		"all files":  {source.Limits{Files: 2}, "more than"},
		"just right": {source.Limits{Files: 5}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for source1, open := range map[string]func() (*source.Tree, error){
				"revisions": func() (*source.Tree, error) {
					q := r.request("HEAD~1", "HEAD")
					q.Limits = test.limits
					base, _, err := source.OpenPair(context.Background(), q)
					return base, err
				},
				"work tree": func() (*source.Tree, error) {
					return source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir, Revision: ":worktree", Environ: r.env, Limits: test.limits})
				},
				"folder": func() (*source.Tree, error) { return source.OpenDirectory(context.Background(), r.dir, test.limits) },
			} {
				tree, err := open()
				if err == nil {
					defer closeTree(t, tree)
					err = tree.Blobs.Each(ids(tree), func(string, []byte, *loader.Problem) {})
				}
				if test.text == "" {
					if err != nil {
						t.Errorf("%s: %v", source1, err)
					}
					continue
				}
				wantError(t, err, false, test.text)
			}
		})
	}
}

// Files of other names are not read, but listing them costs, too: a crafted tree names its own
// subtree any number of times in a few bytes.
func TestNamesAreBounded(t *testing.T) {
	r := newRepo(t)
	for i := range 9 {
		r.write(fmt.Sprintf("names/%d.txt", i), "text\n")
	}
	r.commit("names")
	subtree := r.git("rev-parse", "HEAD:names")
	var entries strings.Builder
	for i := range 9 {
		fmt.Fprintf(&entries, "040000 tree %s\t%d\n", subtree, i)
	}
	crafted, err := r.try([]byte(entries.String()), "mktree")
	if err != nil {
		t.Fatal(err, crafted)
	}
	r.git("update-ref", "refs/heads/crafted", r.git("commit-tree", "-m", "crafted", strings.TrimSpace(crafted)))
	const text = "files of any name in one tree; read fewer folders: -f DIR, or --base-dir and --head-dir"
	const long = "the files of any name in one tree have paths of more than 0 MiB; read fewer folders: -f DIR"
	for name, test := range map[string]struct {
		q     source.OneRequest
		files int
		good  bool
	}{
		"revision":     {source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env}, 2, false},
		"just right":   {source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env}, 3, true},
		"index":        {source.OneRequest{Dir: r.dir, Revision: ":index", Environ: r.env}, 2, false},
		"work tree":    {source.OneRequest{Dir: r.dir, Revision: ":worktree", Environ: r.env}, 2, false},
		"folder":       {source.OneRequest{Dir: r.dir, Filenames: []string{"names"}}, 2, false},
		"crafted tree": {source.OneRequest{Dir: r.dir, Revision: "crafted", Environ: r.env}, 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			q := test.q
			q.Limits.Names = 400
			if tree, err := source.OpenOne(context.Background(), q); err == nil {
				closeTree(t, tree)
				t.Error("names of more than 400 bytes are listed")
			} else {
				wantError(t, err, false, long)
			}
			test.q.Limits.Files = test.files
			tree, err := source.OpenOne(context.Background(), test.q)
			if err == nil {
				defer closeTree(t, tree)
			}
			if test.good {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, false, text)
		})
	}
}

// A call that leaves files out leaves nothing behind for the next one, and reading a
// file again does not count again.
func TestCallsDoNotDisturbEachOther(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		r.write(fmt.Sprintf("%d.yaml", i), fmt.Sprintf("file %d\n", i))
	}
	r.commit("one")
	open := func(limit int64) *source.Tree {
		tree, err := source.OpenOne(context.Background(), source.OneRequest{
			Dir: r.dir, Revision: "HEAD", Environ: r.env, Limits: source.Limits{TotalSize: limit},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closeTree(t, tree) })
		return tree
	}
	tree := open(35)
	for range 3 {
		if got := contents(t, tree)["4.yaml"]; got != "file 4\n" {
			t.Errorf("4.yaml = %q", got)
		}
	}
	tree = open(10)
	if got := unread(t, tree); len(got) != 4 {
		t.Errorf("%d files are not read", len(got))
	}
	if got := contents(t, &source.Tree{Entries: tree.Entries[:1], Blobs: tree.Blobs}); got["0.yaml"] != "file 0\n" {
		t.Errorf("after a call that left files out: %q", got)
	}
}

func TestClose(t *testing.T) {
	r, _, _, _ := history(t)
	base, head := openPair(t, r.request())
	contents(t, base)
	closeTree(t, base)
	closeTree(t, head)
	err := head.Blobs.Each(ids(head), func(string, []byte, *loader.Problem) { t.Error("called") })
	wantError(t, err, false, "the tree is closed")
}

func TestCancel(t *testing.T) {
	r, _, _, _ := history(t)
	ctx, cancel := context.WithCancel(context.Background())
	base, head, err := source.OpenPair(ctx, r.request())
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, base)
	cancel()
	err = base.Blobs.Each(ids(base, head), func(string, []byte, *loader.Problem) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Each after the end: %v", err)
	}
	if _, _, err := source.OpenPair(ctx, r.request()); !errors.Is(err, context.Canceled) {
		t.Errorf("OpenPair after the end: %v", err)
	}
}

func TestFileThatChangesIsAProblem(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	// Larger than what is kept from hashing to reading.
	write := func(c string) {
		if err := os.WriteFile(file, []byte(strings.Repeat(c, 65<<20)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	tree, err := source.OpenDirectory(context.Background(), dir, source.Limits{FileSize: 80 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, tree)
	if got := contents(t, tree)["a.yaml"]; len(got) != 65<<20 {
		t.Errorf("%d bytes", len(got))
	}
	write("b")
	if got := contents(t, tree)["a.yaml"]; got != "<file-changed>" {
		t.Errorf("a.yaml = %.20q", got)
	}
}

// What does not fit into the size of a tree is left out, and the rest is read.
func TestTotalSize(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		r.write(fmt.Sprintf("%d.yaml", i), fmt.Sprintf("file %d\n", i))
	}
	r.commit("one")
	for limit, want := range map[int64]int{35: 0, 34: 1, 20: 3} {
		for name, open := range map[string]func() (*source.Tree, error){
			"revision": func() (*source.Tree, error) {
				return source.OpenOne(t.Context(), source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env, Limits: source.Limits{TotalSize: limit}})
			},
			"folder": func() (*source.Tree, error) {
				return source.OpenDirectory(t.Context(), r.dir, source.Limits{TotalSize: limit})
			},
		} {
			tree, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer closeTree(t, tree)
			if got := unread(t, tree); len(got) != want || want > 0 && !strings.Contains(got[0].Message, fmt.Sprintf("have more than %d bytes", limit)) {
				t.Errorf("%s, %d bytes: %v", name, limit, got)
			}
		}
	}
}

// unread reads a tree and returns why parts of it are not read.
func unread(t *testing.T, tree *source.Tree) []*loader.Problem {
	t.Helper()
	var out []*loader.Problem
	if err := tree.Blobs.Each(ids(tree), func(_ string, _ []byte, missing *loader.Problem) {
		if missing != nil {
			out = append(out, missing)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Contents that repeat themselves are read up to a bound, however many there are and whatever is between them; others are all read.
func TestRepeatedContents(t *testing.T) {
	for _, files := range []int{10, 200} { // a small call reads past them, a large one asks for sizes first
		r := newRepo(t)
		for i := range files {
			r.write(fmt.Sprintf("%d.yaml", i), fmt.Sprintf("# %d %s\n", i, strings.Repeat("x", 100_000)))
			r.write(fmt.Sprintf("%d-plain.yaml", i), fmt.Sprintf("file: %d\n", i))
		}
		r.write("large.yaml", strings.Repeat("y", 2<<20))
		r.commit("one")
		limits := source.Limits{Repeated: 500_000, FileSize: 1 << 20}
		tree, err := source.OpenOne(t.Context(), source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		defer closeTree(t, tree)
		for range 2 { // what is judged once is not judged otherwise later
			got := unread(t, tree)
			if len(got) != files-5+1 || got[0].Code != loader.LimitRun || !strings.Contains(got[0].Message, "files that repeat themselves so") {
				t.Errorf("%d files: %d are not read, the first: %+v", files, len(got), got[0])
			}
			if last := got[len(got)-1]; last.Code != "limit-file-size" {
				t.Errorf("%d files: a large one: %+v", files, last)
			}
		}
		folder, err := source.OpenDirectory(t.Context(), r.dir, limits)
		if err != nil {
			t.Fatal(err)
		}
		defer closeTree(t, folder)
		if got := unread(t, folder); len(got) != 1 {
			t.Errorf("%d files of a folder are not read", len(got))
		}
	}
}

// TestStored: equal text takes as much of a folder as it is long, and little of a repository.
func TestStored(t *testing.T) {
	r := newRepo(t)
	r.write("large.yaml", strings.Repeat("x", 1<<20))
	r.commit("one")
	folder, err := source.OpenDirectory(t.Context(), r.dir, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	committed, err := source.OpenOne(t.Context(), source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env})
	if err != nil {
		t.Fatal(err)
	}
	for tree, within := range map[*source.Tree][2]int64{folder: {1 << 20, 1 << 20}, committed: {100, 20_000}} {
		if err := tree.Blobs.Each(ids(tree), func(string, []byte, *loader.Problem) {}); err != nil {
			t.Fatal(err)
		}
		if got := tree.Blobs.Stored(); got < within[0] || got > within[1] {
			t.Errorf("%s: %d bytes, want %v", tree.Revision, got, within)
		}
		if err := tree.Blobs.Close(); err != nil {
			t.Error(err)
		}
	}
}
