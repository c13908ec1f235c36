package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

const (
	maxGraphNodes = 20
	maxGraphChars = 2_000
)

// graph draws the affected part of the hierarchy with the policies that were added, removed or
// changed. It returns "" if the graph would be too big to read.
func (m *tables) graph(g *outline.Group) string {
	if m.step >= noGraphs || m.style.Flavor == outline.PlainMarkdown {
		return ""
	}
	d := drawing{ids: map[string]string{}, edges: map[string]bool{}, marks: map[[2]string]string{}, whole: map[string]string{}}
	for _, o := range g.Outcomes {
		if o.Change.PolicyKind == nil {
			d.mark(o)
		}
	}
	for _, o := range g.Outcomes {
		for _, t := range o.Targets {
			for _, target := range t.All {
				if !d.contexts(target.Contexts) || !d.contexts(target.ContextsBefore) {
					return ""
				}
			}
		}
	}
	if len(d.order) < 2 {
		return ""
	}
	for _, p := range g.Policies {
		d.policy(p)
	}
	for _, o := range g.Outcomes {
		for _, declared := range o.Change.Declared {
			d.edited(declared)
		}
	}
	if len(d.order) > maxGraphNodes || d.body.Len() > maxGraphChars {
		return ""
	}
	return m.folded("Hierarchy of the affected part", "```mermaid\ngraph TD\n"+d.body.String()+"```\n")
}

// drawing collects the lines of a mermaid graph.
type drawing struct {
	ids   map[string]string
	order []string
	edges map[string]bool
	// marks say of edges between two nodes of the hierarchy that only one side has them: before or new.
	marks map[[2]string]string
	// whole says the same of objects that come or go with all that is below them.
	whole map[string]string
	body  strings.Builder
}

// mark records which edges only one side has: those into an object that is attached, detached, added or removed, and
// those that a target left or reached.
func (d *drawing) mark(o *outline.Outcome) {
	for _, t := range o.Targets {
		for _, target := range t.All {
			switch o.Change.Kind {
			case plan.Attached:
				d.markLast(target.Contexts, "new")
			case plan.Detached:
				d.markLast(target.Contexts, "before")
			case plan.Added:
				d.markWhole(target.Contexts, "new")
			case plan.Removed:
				d.markWhole(target.Contexts, "before")
			case plan.Moved:
				before, after := lastEdges(target.ContextsBefore), lastEdges(target.Contexts)
				for edge := range before {
					if !after[edge] {
						d.marks[edge] = "before"
					}
				}
				for edge := range after {
					if !before[edge] {
						d.marks[edge] = "new"
					}
				}
			case plan.FieldChange, plan.VerdictChange, plan.Renamed:
			}
		}
	}
}

// markLast marks the edges into the target at the end of contexts.
func (d *drawing) markLast(contexts [][]string, mark string) {
	for edge := range lastEdges(contexts) {
		d.marks[edge] = mark
	}
}

// markWhole marks the edges into an object that comes or goes, and those below it.
func (d *drawing) markWhole(contexts [][]string, mark string) {
	d.markLast(contexts, mark)
	for edge := range lastEdges(contexts) {
		d.whole[edge[1]] = mark
	}
}

// lastEdges are the edges into the target at the end of contexts.
func lastEdges(contexts [][]string) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, c := range contexts {
		if n := len(c); n > 1 {
			out[[2]string{c[n-2], c[n-1]}] = true
		}
	}
	return out
}

// contexts draws contexts from the root down. It returns false if the graph is too big.
func (d *drawing) contexts(contexts [][]string) bool {
	for _, c := range contexts {
		for i, node := range c {
			d.node(node, outline.NodeName(node))
			if i > 0 {
				d.edge(c[i-1], d.arrow(c[i-1], node), node)
			}
			if len(d.order) > maxGraphNodes {
				return false
			}
		}
	}
	return true
}

// arrow returns the arrow of an edge of the hierarchy. One that only base has is dotted, one that only head has is thick.
func (d *drawing) arrow(from, to string) string {
	switch cmp.Or(d.marks[[2]string{from, to}], d.whole[from]) {
	case "before":
		return "-.->|before|"
	case "new":
		return "==>|new|"
	}
	return "-->"
}

func (d *drawing) node(node, name string) {
	if d.ids[node] != "" {
		return
	}
	d.ids[node] = fmt.Sprintf("n%d", len(d.order))
	d.order = append(d.order, node)
	fmt.Fprintf(&d.body, "  %s[\"%s\"]\n", d.ids[node], label(name))
}

func (d *drawing) edge(from, arrow, to string) {
	line := "  " + d.ids[from] + " " + arrow + " " + d.ids[to] + "\n"
	if !d.edges[line] {
		d.edges[line] = true
		d.body.WriteString(line)
	}
}

// policy connects a policy to its declared targets on both sides. A Namespace is drawn above the objects of the
// graph that it contains.
func (d *drawing) policy(p outline.PolicyOutcome) {
	before, after := targetsOf(p.Change.Before), targetsOf(p.Change.After)
	drawn := d.order
	for _, target := range slices.Concat(after, slices.DeleteFunc(slices.Clone(before), func(t string) bool { return slices.Contains(after, t) })) {
		arrow := "-.->"
		switch {
		case !slices.Contains(after, target):
			arrow = "-.->|before|"
		case !slices.Contains(before, target):
			arrow = "-.->|new|"
		}
		d.attach(p.Change.Policy, outline.PolicyAction(p.Change), arrow, target, drawn)
	}
}

// edited connects a policy of which the change edits fields to its declared targets.
func (d *drawing) edited(declared plan.Declared) {
	if d.ids[policyNode(declared.Policy)] != "" {
		return
	}
	drawn := d.order
	for _, target := range declared.Targets {
		d.attach(declared.Policy, "changed", "-.->", target, drawn)
	}
}

// policyNode is the node of a policy: an untrusted document may use one name for a policy and for an object of the hierarchy.
func policyNode(policy string) string { return "policy\x00" + policy }

// attach connects a policy to a target that is drawn already, or to a Namespace and the drawn objects in it.
func (d *drawing) attach(policy, action, arrow, target string, drawn []string) {
	namespace, isNamespace := strings.CutPrefix(target, "Namespace/")
	if d.ids[target] == "" && !isNamespace {
		return
	}
	id := policyNode(policy)
	d.node(id, outline.NodeName(policy)+" "+action)
	d.node(target, outline.NodeName(target))
	d.edge(id, arrow, target)
	for _, node := range drawn {
		if isNamespace && inNamespace(node, namespace) {
			d.edge(target, "-.->", node)
		}
	}
}

func targetsOf(v *plan.Verdict) []string {
	if v == nil {
		return nil
	}
	var out []string
	for _, t := range v.Targets {
		out = append(out, t.Target)
	}
	return out
}

// inNamespace reports whether a node is an object in a namespace, not a section.
func inNamespace(node, namespace string) bool {
	parts := strings.Split(node, "/")
	return len(parts) == 3 && parts[1] == namespace && !strings.Contains(node, "#")
}

// label reduces a name to characters that have no meaning in mermaid or HTML.
func label(s string) string {
	s = strings.Map(func(r rune) rune {
		if outline.IsWordRune(r) || strings.ContainsRune(" ._/-", r) {
			return r
		}
		return ' '
	}, s)
	return clampASCII(strings.TrimSpace(s), 60)
}

func clampASCII(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n-3] + "..."
}
