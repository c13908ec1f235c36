package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// parable is the tree before the deletion: GEP-713, The Parable.
//
//go:embed demo
var parable embed.FS

// deleted is the file that the example deletes.
const deleted = "baker/retry.yaml"

// demoCommand shows gwplan diff on an example.
type demoCommand struct {
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"plan" help:"Format of the report: ${plan_formats}. Repeatable."`
	Color  string   `enum:"auto,always,never" default:"auto" help:"Colours: auto, always or never."`
}

func (c *demoCommand) Help() string {
	return `A RetryPolicy on the namespace "baker" is deleted, as in the parable of GEP-713. Four routes lose their retries,
one keeps its own. The example is a temporary Git repository of two commits, compared by gwplan diff HEAD^ HEAD.

Examples:
  gwplan demo
  gwplan demo -o markdown   as a comment on a pull request`
}

const story = `Chihiro deletes a RetryPolicy: "that since you don't want retries". Git shows one file less:

  D %s

What that does to the gateways (gwplan diff HEAD^ HEAD):

`

// Run makes the repository, compares its commits and removes it.
func (c *demoCommand) Run(ctx context.Context, t terminal) error {
	dir, err := os.MkdirTemp("", "gwplan-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeParable(dir); err != nil {
		return err
	}
	outs, err := outputs(c.Output, report.Plan)
	if err != nil {
		return err
	}
	diff := diffCommand{Revisions: []string{"HEAD^", "HEAD"}, FailOn: "none"}
	diff.Directory, diff.Color = dir, c.Color
	t.environ = []string{"PATH=" + t.env("PATH"), "HOME=" + dir}
	doc, err := diff.plan(ctx, t)
	if err != nil {
		return err
	}
	for i, o := range outs {
		if o.Format == "text" {
			outs[i].Write = told(o.Write)
		}
	}
	return write(outs, t, doc, diff.style(t))
}

// told writes the story before the report.
func told(write func(io.Writer, *plan.Plan, outline.Style) error) func(io.Writer, *plan.Plan, outline.Style) error {
	return func(w io.Writer, doc *plan.Plan, style outline.Style) error {
		if _, err := fmt.Fprintf(w, story, deleted); err != nil {
			return err
		}
		return write(w, doc, style)
	}
}

// writeParable writes a repository of two commits: all files, then all files except the deleted
// policy.
func writeParable(dir string) error {
	before, err := parableFiles()
	if err != nil {
		return err
	}
	after := map[string][]byte{}
	for name, data := range before {
		if name != deleted {
			after[name] = data
		}
	}
	r, err := newRepository(filepath.Join(dir, ".git"))
	if err != nil {
		return err
	}
	if err := r.commit(before, "Bake cupcakes"); err != nil {
		return err
	}
	return r.commit(after, "Delete the retries, nobody wants them")
}

func parableFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	root, err := fs.Sub(parable, "demo")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	return files, err
}
