package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
)

// statusCommand shows the status that a controller would write.
type statusCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME" complete:"object" help:"Object; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"status" help:"Format: ${status_formats}. Repeatable."`
	oneTree
}

func (c *statusCommand) Help() string {
	return `Examples:
  gwplan status                                 every object
  gwplan status httproute/shop/checkout         one: which Gateways accept it, and are its references resolved
  gwplan status -e prod -o yaml                 as kubectl get -o yaml prints them`
}

// Run lists statuses.
func (c *statusCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.StatusList]{
		document: report.Status, list: analyze.ListStatus,
		problems: func(d *plan.StatusList) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}
