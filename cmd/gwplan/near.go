package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report/outline"
)

// near adds the current folder to a style, so that text names files of the repository as seen from there. A folder
// outside of a repository, and its root, change nothing.
func (f *inputFlags) near(ctx context.Context, t terminal, s outline.Style) outline.Style {
	if _, err := os.Stat(filepath.Join(f.Directory, ".git")); err == nil || len(f.Context) > 0 {
		return s
	}
	if folder, err := source.Folder(ctx, f.Directory, t.environ); err == nil {
		s.Folder = folder
	}
	return s
}

// near does so unless the files are named on the command line.
func (o *oneTree) near(ctx context.Context, t terminal, s outline.Style) outline.Style {
	if len(o.Filename) > 0 {
		return s
	}
	return o.inputFlags.near(ctx, t, s)
}

// near does so unless the trees are folders, or the plan was made elsewhere.
func (c *diffCommand) near(ctx context.Context, t terminal, s outline.Style) outline.Style {
	if c.BaseDir != "" || c.From != "" {
		return s
	}
	return c.inputFlags.near(ctx, t, s)
}
