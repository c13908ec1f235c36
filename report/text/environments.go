package text

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// maxParts is how many entries of a list are shown without -v.
const maxParts = 12

// Environments writes what was found, environment by environment.
func Environments(w io.Writer, list *plan.EnvironmentList, style outline.Style) error {
	p := &listing{&page{style: style}}
	for i, env := range list.Environments {
		if i > 0 {
			p.gap()
		}
		p.foundEnvironment(env)
	}
	if len(list.LeftOut) > 0 {
		p.gap()
		p.line(bold, "Left out: nothing deploys them")
		p.some(len(list.LeftOut), func(i int) { p.line(plainText, "  %s", list.LeftOut[i]) })
	}
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

// foundEnvironment writes one environment with its parts and what is missing.
func (p *listing) foundEnvironment(env plan.ListedEnvironment) {
	incomplete := ""
	if env.Incomplete {
		incomplete = ", incomplete"
	}
	p.line(bold, "%s  %s from %s, found by %s%s", env.Name, spelling.Count(env.Objects, "object"), env.Path, env.Deployer, incomplete)
	if p.style.Detail == outline.Quiet {
		return
	}
	p.some(len(env.Parts), func(i int) {
		part := env.Parts[i]
		by := ""
		if part.By != "" {
			by = "  by " + outline.NodeName(part.By)
		}
		p.parts("  ", p.paint(plainText, part.Kind+" "+part.Path), p.paint(dim, "  "+spelling.Count(part.Objects, "object")+by))
	})
	if len(env.Gaps) > 0 {
		p.line(plainText, "  not known:")
		p.some(len(env.Gaps), func(i int) {
			gap := env.Gaps[i]
			where := ""
			if gap.Namespace != "" {
				where = "  in namespace " + gap.Namespace
			}
			p.parts("    ", p.paint(yellow, gap.What), p.paint(dim, "  "+outline.PositionName(gap.File, gap.Line, gap.Column)+where))
		})
	}
}

// some writes the first entries of a list, or all of them with -v.
func (p *page) some(total int, write func(int)) {
	shown := total
	if p.style.Detail != outline.Verbose {
		shown = min(total, maxParts)
	}
	for i := range shown {
		write(i)
	}
	p.more("  ", total, shown)
}
