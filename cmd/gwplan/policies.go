package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
)

// policiesCommand shows what policies affect.
type policiesCommand struct {
	Policy string   `arg:"" optional:"" name:"KIND[/[NS/]NAME]" help:"Kind or policy; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"policies" help:"Format: ${policies_formats}. Repeatable."`
	oneTree
}

// Run lists policies.
func (c *policiesCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.PolicyList]{document: report.Policies, list: analyze.ListPolicies}.run(ctx, t, &c.oneTree, c.Policy, c.Output)
}
