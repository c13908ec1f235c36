//go:build unix

package source_test

import (
	"context"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

func TestPipes(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "a\n")
	r.commit("one")
	if err := syscall.Mkfifo(filepath.Join(r.dir, "pipe.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree, err := source.OpenDirectory(context.Background(), r.dir, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, tree)
	if !slices.Equal(problems(tree), []string{"irregular-file pipe.yaml"}) || !slices.Equal(paths(tree), []string{"a.yaml"}) {
		t.Errorf("%q %q", problems(tree), paths(tree))
	}
	// A tracked file that has become a pipe, too.
	r.remove("a.yaml")
	r.remove("pipe.yaml")
	if err := syscall.Mkfifo(filepath.Join(r.dir, "a.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := problems(r.one(":worktree")); !slices.Equal(got, []string{"irregular-file a.yaml"}) {
		t.Errorf("problems = %q", got)
	}
}
