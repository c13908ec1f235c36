package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report"
)

// effectiveCommand shows what applies to an object.
type effectiveCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME[#SECTION]" help:"Object or section; everything by default. A Gateway shows all routes below it, a Namespace all targets in it, a policy those that it takes part in."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${effective_formats}. yaml prints specs usable as such. Repeatable."`
	oneTree
}

// Run lists effective policies.
func (c *effectiveCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.EffectiveList]{
		document: report.Effective, list: analyze.ListEffective,
		render: func(f report.Format) renderer[plan.EffectiveList] { return f.Effective },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}

// policiesCommand shows what policies affect.
type policiesCommand struct {
	Policy string   `arg:"" optional:"" name:"KIND[/[NS/]NAME]" help:"Kind or policy; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${policies_formats}. Repeatable."`
	oneTree
}

// Run lists policies.
func (c *policiesCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.PolicyList]{
		document: report.Policies, list: analyze.ListPolicies,
		render: func(f report.Format) renderer[plan.PolicyList] { return f.Policies },
	}.run(ctx, t, &c.oneTree, c.Policy, c.Output)
}

// treeCommand shows the hierarchy.
type treeCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME" help:"Object to start from; the roots by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${tree_formats}. Repeatable."`
	oneTree
}

// Run draws the hierarchy.
func (c *treeCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.Tree]{
		document: report.Tree, list: analyze.ListTree,
		render: func(f report.Format) renderer[plan.Tree] { return f.Tree },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}

// statusCommand shows the status that a controller would write.
type statusCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME" help:"Object; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" help:"Format: ${status_formats}. Repeatable."`
	oneTree
}

// Run lists statuses. A List holds the objects of one cluster, so of several
// environments one must be named.
func (c *statusCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.StatusList]{
		document: report.Status, list: analyze.ListStatus, oneEnvironment: true,
		render: func(f report.Format) renderer[plan.StatusList] { return f.Status },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}

type renderer[D any] func(io.Writer, *D, report.Style) error

// listing is a command that reads one tree and shows one document of it.
type listing[D any] struct {
	document report.Document
	list     func(*loader.Snapshot, analyze.Selection, analyze.Options) *D
	render   func(report.Format) renderer[D]
	// oneEnvironment says that the document is about one environment.
	oneEnvironment bool
}

func (l listing[D]) run(ctx context.Context, t terminal, o *oneTree, target string, formats []string) error {
	outs, err := outputs(formats, l.document)
	if err != nil {
		return err
	}
	sel, err := analyze.ParseSelection(target)
	if err != nil {
		return usageError(err.Error(), "")
	}
	snapshot, s, err := o.load(ctx, t)
	if err != nil {
		return err
	}
	if err := found(sel, snapshot, s.options); err != nil {
		return err
	}
	if l.oneEnvironment && len(snapshot.Environments) > 1 && len(o.Environment) != 1 {
		return usageError(fmt.Sprintf("there are %d environments", len(snapshot.Environments)), "name one with -e: "+strings.Join(environmentNames(snapshot), ", "))
	}
	document, style := l.list(snapshot, sel, s.options), o.style(t)
	err = write(outs, t, func(f report.Format, w io.Writer, out output) error {
		return l.render(f)(w, document, out.plain(style))
	})
	if err != nil {
		return err
	}
	return o.strict(snapshot)
}
