package main

import (
	"context"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report"
)

// routesCommand lists what a data plane answers.
type routesCommand struct {
	Target string   `arg:"" optional:"" name:"GATEWAY|HOST" complete:"gateway" help:"Gateway, as [gateway/][NS/]NAME, or a hostname; everything by default."`
	Output []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"routes" help:"Format: ${routes_formats}. Repeatable."`
	oneTree
}

func (c *routesCommand) Help() string {
	return `The matches of each hostname in the order in which the data plane tries them, with the rule, its backends and what
protects it. A match that is never reached says so; with -v each also names the rules with precedence that take some of its
requests.

Examples:
  gwplan routes                    all Gateways
  gwplan routes infra/public       one Gateway
  gwplan routes shop.example.com   one hostname`
}

// Run lists matches.
func (c *routesCommand) Run(ctx context.Context, t terminal) error {
	target, host := c.Target, ""
	switch {
	case strings.Contains(target, ".") && !strings.Contains(target, "/"):
		target, host = "", target
	case target != "" && strings.Count(target, "/") < 2 && !strings.HasPrefix(strings.ToLower(target), "gateway/") && !strings.HasPrefix(strings.ToLower(target), "service/"):
		target = "gateway/" + target
	}
	list := func(s *loader.Snapshot, sel selection.Selection, o analyze.Options) *plan.RouteTable {
		return analyze.ListRoutes(s, sel, host, o)
	}
	return listing[plan.RouteTable]{
		document: report.Routes, list: list,
		problems: func(d *plan.RouteTable) []plan.Problem { return d.Problems },
	}.run(ctx, t, &c.oneTree, target, c.Output)
}
