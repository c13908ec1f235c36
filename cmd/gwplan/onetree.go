package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// oneTree are the flags of commands that read one revision.
type oneTree struct {
	Filename    []string `sep:"none" short:"f" group:"What is read:" placeholder:"PATH" help:"File or folder to read, without a .gwplan.yaml unless --config names it; - is standard input. Repeatable; by default the repository that contains the working directory, or else that folder."`
	Rev         *string  `group:"What is read:" placeholder:"REV" complete:"revision" help:"Revision to read instead; :index is the index."`
	inputFlags  `group:"What is read:"`
	outputFlags `group:"What is shown:"`
}

// load reads the tree into a snapshot, with the settings of its configuration.
func (o *oneTree) load(ctx context.Context, t terminal) (*loader.Snapshot, settings, error) {
	if o.Rev != nil && *o.Rev == "" {
		return nil, settings{}, usageError("--rev names no revision", "is a variable of your script empty?")
	}
	defer progress(t, "reading")()
	tree, err := source.OpenOne(ctx, source.OneRequest{
		Dir: o.Directory, Filenames: o.Filename, Revision: deref(o.Rev), Stdin: t.stdin, Limits: o.limits(), Environ: t.environ,
	})
	if err != nil {
		return nil, settings{}, err
	}
	defer closeAll([]*source.Tree{tree})
	configured, err := o.oneConfig(tree)
	if err != nil {
		return nil, settings{}, err
	}
	s, err := prepare(configured, o.inputFlags, o.outputFlags)
	if err != nil {
		return nil, s, err
	}
	snapshots, err := s.render(ctx, t, o.inputFlags, tree)
	if err != nil {
		return nil, s, err
	}
	s.options.Filter.Environments, err = o.shown(snapshots...)
	return snapshots[0], s, err
}

// requireMatch rejects a selection that matches nothing in the input: a typo must not look like "no
// policy".
func requireMatch(sel selection.Selection, s *loader.Snapshot, options analyze.Options) error {
	if sel.Empty() {
		return nil
	}
	if hint, ok := analyze.Find(sel, s, options); !ok {
		return usageError(fmt.Sprintf("%s is not in the input", sel), hint)
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// strict converts problems that are more than notes, and what the analysis could not afford, into an exit code if --strict is
// set.
func (c inputFlags) strict(problems []plan.Problem, parts *afford.Parts) error {
	noted := func(p plan.Problem) bool { return p.Severity != string(plan.Note) }
	var r reasons
	if c.Strict && (len(parts.Omitted()) > 0 || slices.ContainsFunc(problems, noted)) {
		r.add(exitFailed, "--strict", gaps(problems))
	}
	return r.err()
}
