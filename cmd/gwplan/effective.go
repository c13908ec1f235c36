package main

import (
	"context"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report"
)

// effectiveCommand shows what applies to an object.
type effectiveCommand struct {
	Target   string   `arg:"" optional:"" name:"KIND/[NS/]NAME[#SECTION]" complete:"object" help:"Object or section; everything by default. A Gateway shows all routes below it, a Namespace all targets in it, a policy those that it takes part in."`
	Output   []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"effective" help:"Format: ${effective_formats}. yaml prints specs usable as such. Repeatable."`
	Defaults bool     `help:"Also show what controllers use for fields that nobody sets, as far as their source tells."`
	oneTree
}

func (c *effectiveCommand) Help() string {
	return `Examples:
  gwplan effective httproute/shop/pay             what holds for each rule, and which line set it
  gwplan effective httproute/shop/pay --defaults  which timeout holds, also where nobody sets one
  gwplan effective gateway/infra/public -o json   for all routes below a Gateway`
}

// Run lists effective policies.
func (c *effectiveCommand) Run(ctx context.Context, t terminal) error {
	list := func(s *loader.Snapshot, sel selection.Selection, o analyze.Options) *plan.EffectiveList {
		o.Defaults = c.Defaults
		return analyze.ListEffective(s, sel, o)
	}
	return listing[plan.EffectiveList]{
		document: report.Effective, list: list,
		problems: func(d *plan.EffectiveList) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, c.Target, c.Output)
}
