package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report"
)

// effectiveCommand shows what applies to an object.
type effectiveCommand struct {
	Target string   `arg:"" optional:"" name:"KIND/[NS/]NAME[#SECTION]" help:"Object or section; everything by default. A Gateway shows all routes below it, a Namespace all targets in it, a policy those that it takes part in."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"effective" help:"Format: ${effective_formats}. yaml prints specs usable as such. Repeatable."`
	oneTree
}

// Run lists effective policies.
func (c *effectiveCommand) Run(ctx context.Context, t terminal) error {
	return listing[plan.EffectiveList]{document: report.Effective, list: analyze.ListEffective}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}
