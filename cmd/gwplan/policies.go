package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
)

// policiesCommand shows what policies affect.
type policiesCommand struct {
	Policy string   `arg:"" optional:"" name:"KIND[/[NS/]NAME]" complete:"policy" help:"Kind or policy; all by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"policies" help:"Format: ${policies_formats}. Repeatable."`
	oneTree
}

func (c *policiesCommand) Help() string {
	return `Examples:
  gwplan policies                                  all, with how many things each affects
  gwplan policies securitypolicy                   of one kind
  gwplan policies securitypolicy/shop/auth -v      one, with every target
  gwplan policies --rev main -o json               those of a revision`
}

// Run lists policies.
func (c *policiesCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.PolicyList]{
		document: report.Policies, list: analyze.ListPolicies,
		problems: func(d *plan.PolicyList) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, c.Policy, c.Output)
}
