package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report"
)

// listing is a command that reads one tree and prints one document about it.
type listing[D any] struct {
	document report.Document[D]
	list     func(*loader.Snapshot, selection.Selection, analyze.Options) *D
	problems func(*D) []plan.Problem
}

func (l listing[D]) run(ctx context.Context, t terminal, o *oneTree, target string, formats []string) error {
	outs, err := outputs(formats, l.document)
	if err != nil {
		return err
	}
	sel, err := selection.Parse(target)
	if err != nil {
		return usageError(err.Error(), "")
	}
	snapshot, s, err := o.load(ctx, t)
	if err != nil {
		return err
	}
	if err := requireMatch(sel, snapshot, s.options); err != nil {
		return err
	}
	done := s.analysing()
	list := l.list(snapshot, sel, s.options)
	done()
	if err := write(outs, t, list, o.near(ctx, t, o.largest(o.style(t)))); err != nil {
		return err
	}
	return o.strict(l.problems(list), s.options.Parts)
}
