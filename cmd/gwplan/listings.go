package main

import (
	"context"
	"io"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/report"
)

// effectiveCommand shows what applies to an object.
type effectiveCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME[#SECTION]" help:"Object or section; everything by default. A Gateway shows all routes below it."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${effective_formats}. yaml prints specs usable as such. Repeatable."`
	oneTree
}

// Run lists effective policies.
func (c *effectiveCommand) Run(ctx context.Context, t terminal) error {
	outs, sel, err := c.ask(c.Output, c.Target, report.Effective)
	if err != nil {
		return err
	}
	snapshot, s, err := c.load(ctx, t)
	if err != nil {
		return err
	}
	if err := found(sel, snapshot, s.options); err != nil {
		return err
	}
	list := analyze.ListEffective(snapshot, sel, s.options)
	style := c.style(t)
	err = write(outs, t, func(f report.Format, w io.Writer, o output) error { return f.Effective(w, list, o.plain(style)) })
	if err != nil {
		return err
	}
	return c.strict(snapshot)
}

// policiesCommand shows what policies affect.
type policiesCommand struct {
	Policy string   `arg:"" optional:"" name:"KIND[/[NS/]NAME]" help:"Kind or policy; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${policies_formats}. Repeatable."`
	oneTree
}

// Run lists policies.
func (c *policiesCommand) Run(ctx context.Context, t terminal) error {
	outs, sel, err := c.ask(c.Output, c.Policy, report.Policies)
	if err != nil {
		return err
	}
	snapshot, s, err := c.load(ctx, t)
	if err != nil {
		return err
	}
	if err := found(sel, snapshot, s.options); err != nil {
		return err
	}
	list := analyze.ListPolicies(snapshot, sel, s.options)
	style := c.style(t)
	err = write(outs, t, func(f report.Format, w io.Writer, o output) error { return f.Policies(w, list, o.plain(style)) })
	if err != nil {
		return err
	}
	return c.strict(snapshot)
}

// treeCommand shows the hierarchy.
type treeCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME" help:"Object to start from; the roots by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${tree_formats}. Repeatable."`
	oneTree
}

// Run draws the hierarchy.
func (c *treeCommand) Run(ctx context.Context, t terminal) error {
	outs, sel, err := c.ask(c.Output, c.Target, report.Tree)
	if err != nil {
		return err
	}
	snapshot, s, err := c.load(ctx, t)
	if err != nil {
		return err
	}
	if err := found(sel, snapshot, s.options); err != nil {
		return err
	}
	tree := analyze.ListTree(snapshot, sel, s.options)
	style := c.style(t)
	err = write(outs, t, func(f report.Format, w io.Writer, o output) error { return f.Tree(w, tree, o.plain(style)) })
	if err != nil {
		return err
	}
	return c.strict(snapshot)
}

// ask reads the words that listings have in common.
func (o *oneTree) ask(formats []string, target string, d report.Document) ([]output, analyze.Selection, error) {
	outs, err := outputs(formats, d)
	if err != nil {
		return nil, analyze.Selection{}, err
	}
	sel, err := analyze.ParseSelection(target)
	if err != nil {
		return nil, sel, usageError(err.Error(), "")
	}
	return outs, sel, nil
}
