package markdown

import (
	"fmt"
	"strings"

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
	d := drawing{ids: map[string]string{}, edges: map[string]bool{}}
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
	body  strings.Builder
}

// contexts draws contexts from the root down. It returns false if the graph is too big.
func (d *drawing) contexts(contexts [][]string) bool {
	for _, c := range contexts {
		for i, node := range c {
			d.node(node, outline.NodeName(node))
			if i > 0 {
				d.edge(c[i-1], "-->", node)
			}
			if len(d.order) > maxGraphNodes {
				return false
			}
		}
	}
	return true
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

// policy connects a policy to its declared targets. A Namespace is drawn above the objects of the
// graph that it contains.
func (d *drawing) policy(p outline.PolicyOutcome) {
	verdict := p.Change.After
	if verdict == nil {
		verdict = p.Change.Before
	}
	if verdict == nil {
		return
	}
	below := d.order
	// An untrusted document may use one name for a policy and for a node.
	id := "policy\x00" + p.Change.Policy
	for _, t := range verdict.Targets {
		namespace, isNamespace := strings.CutPrefix(t.Target, "Namespace/")
		if d.ids[t.Target] == "" && !isNamespace {
			continue
		}
		d.node(id, outline.NodeName(p.Change.Policy)+" "+outline.PolicyAction(p.Change))
		d.node(t.Target, outline.NodeName(t.Target))
		d.edge(id, "-.->", t.Target)
		for _, node := range below {
			if isNamespace && inNamespace(node, namespace) {
				d.edge(t.Target, "-.->", node)
			}
		}
	}
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
