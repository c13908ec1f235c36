package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// Tree draws the hierarchy: edges that are refused carry a cross and the
// reason, conditions that are not well an exclamation mark, what is not known a
// question mark, policies a flag.
func Tree(w io.Writer, tree *plan.Tree, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range tree.Environments {
		p.environment(env.Name, len(tree.Environments))
		for i := range env.Roots {
			p.node(branch{}, &env.Roots[i])
		}
		if len(env.Roots) == 0 {
			p.line(dim, "no Gateway API objects or policies to show in environment %s", env.Name)
		}
	}
	p.nothing(len(tree.Environments))
	p.problems(tree.Problems)
	p.notes(tree.Notes)
	return p.flush(w)
}

// branch holds the prefixes of a node's line and of the lines below it.
type branch struct{ first, rest string }

func (p *page) node(b branch, n *plan.TreeNode) {
	about := ""
	if len(n.Hostnames) > 0 {
		about = "  " + strings.Join(n.Hostnames, ", ")
	}
	if n.Callers != "" {
		about += "  (for callers in namespace " + n.Callers + ")"
	}
	if n.Missing {
		about += "  (not in the input)"
	}
	color, edge := plainText, ""
	switch n.Admitted {
	case plan.False:
		color, edge = red, "  ✗ "+n.Reason
	case plan.Unknown:
		color, edge = yellow, "  ? "+n.Reason
	}
	p.parts(b.first, p.paint(bold, n.Node), p.paint(dim, about), p.paint(color, edge))
	lines := len(n.Conditions) + len(n.Policies) + len(n.Children)
	if n.Elsewhere > 0 {
		lines++
	}
	for i, condition := range n.Conditions {
		color, sign := red, "! "
		if condition.Unknown {
			color, sign = yellow, "? "
		}
		p.parts(b.below(i == lines-1).first, p.paint(color, sign+condition.String()))
	}
	for i, policy := range n.Policies {
		p.parts(b.below(len(n.Conditions)+i == lines-1).first, p.paint(cyan, "⚑ "+policy))
	}
	for i := range n.Children {
		p.node(b.below(len(n.Conditions)+len(n.Policies)+i == lines-1), &n.Children[i])
	}
	switch {
	case n.Elsewhere == 1:
		p.parts(b.below(true).first, p.paint(dim, "(1 route is accepted elsewhere by the same parentRef)"))
	case n.Elsewhere > 1:
		p.parts(b.below(true).first, p.paint(dim, fmt.Sprintf("(%d routes are accepted elsewhere by the same parentRefs)", n.Elsewhere)))
	}
}

// below returns the branch of a line under this one.
func (b branch) below(last bool) branch {
	if last {
		return branch{b.rest + "└─ ", b.rest + "   "}
	}
	return branch{b.rest + "├─ ", b.rest + "│  "}
}
