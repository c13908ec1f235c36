package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
)

// treeCommand shows the hierarchy.
type treeCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME" complete:"object" help:"Object to start from; the roots by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"tree" help:"Format: ${tree_formats}. Repeatable."`
	oneTree
}

func (c *treeCommand) Help() string {
	return `Examples:
  gwplan tree                          all, from the GatewayClasses down
  gwplan tree gateway/infra/public     what is below a Gateway
  gwplan tree namespace/shop -e prod   what is in a Namespace, in one environment`
}

// Run draws the hierarchy.
func (c *treeCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.Tree]{
		document: report.Tree, list: analyze.ListTree,
		problems: func(d *plan.Tree) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}
