package source_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gwplan/gwplan/internal/leak"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// Reading that stops early leaves neither a git process nor the goroutine that writes to it.
func TestNothingRunsAfterClose(t *testing.T) {
	r := newRepo(t)
	for i := range 600 {
		r.write(fmt.Sprintf("%d.yaml", i), fmt.Sprint(i))
	}
	r.commit("many files")
	tests := map[string]func(t *testing.T, ctx context.Context, cancel func()){
		"closed unread": func(t *testing.T, ctx context.Context, _ func()) {
			closeTree(t, openOne(t, ctx, r))
		},
		"read": func(t *testing.T, ctx context.Context, _ func()) {
			tree := openOne(t, ctx, r)
			if err := tree.Blobs.Each(ids(tree), func(string, []byte, *loader.Problem) {}); err != nil {
				t.Error(err)
			}
			closeTree(t, tree)
		},
		"cancelled between contents": func(t *testing.T, ctx context.Context, cancel func()) {
			tree := openOne(t, ctx, r)
			if err := tree.Blobs.Each(ids(tree), func(string, []byte, *loader.Problem) { cancel() }); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			closeTree(t, tree)
		},
		"cancelled before": func(t *testing.T, ctx context.Context, cancel func()) {
			cancel()
			if _, _, err := source.OpenPair(ctx, r.request()); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		},
		"no such revision": func(t *testing.T, ctx context.Context, _ func()) {
			if _, _, err := source.OpenPair(ctx, r.request("HEAD", "none")); err == nil {
				t.Error("it was opened")
			}
		},
		"a limit of the run": func(t *testing.T, ctx context.Context, _ func()) {
			request := r.request("HEAD", "HEAD")
			request.Limits.Files = 10
			if _, _, err := source.OpenPair(ctx, request); err == nil {
				t.Error("it was opened")
			}
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			f(t, ctx, cancel)
			// Not after cancel, which would end what was forgotten.
			if left := leak.Goroutines(); left != "" {
				t.Errorf("goroutines are left:\n%s", left)
			}
			cancel()
		})
	}
}

func openOne(t *testing.T, ctx context.Context, r *repo) *source.Tree {
	t.Helper()
	tree, err := source.OpenOne(ctx, source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
