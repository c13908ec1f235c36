package main

import (
	"context"
	"io"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/report"
)

// checkCommand reports the findings of one revision.
type checkCommand struct {
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format of the report: ${check_formats}. Repeatable."`
	FailOn string   `placeholder:"SEVERITY" default:"error" help:"Exit with 1 on findings of this severity or worse: none, note, warning, error."`
	oneTree
	markdownFlags
}

// Run checks and reports.
func (c *checkCommand) Run(ctx context.Context, t terminal) error {
	outs, err := outputs(c.Output, report.Check)
	if err != nil {
		return err
	}
	if err := checkSeverity(c.FailOn); err != nil {
		return err
	}
	snapshot, s, err := c.load(ctx, t)
	if err != nil {
		return err
	}
	check := analyze.Inspect(snapshot, s.options)
	style := c.markdownFlags.apply(c.style(t))
	err = write(outs, t, func(f report.Format, w io.Writer, o output) error { return f.Check(w, check, o.plain(style)) })
	if err != nil {
		return err
	}
	if err := c.strict(snapshot); err != nil {
		return err
	}
	if fails(check.Summary.Findings, c.FailOn) {
		return errFindings
	}
	return nil
}
