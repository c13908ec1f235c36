package markdown

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report/outline"
)

// reached counts the objects in the contexts of the targets that one cause affects, as far as the
// plan lists these contexts, each once in however many environments it is.
type reached struct {
	kinds     []string
	byKind    map[string]map[string]bool
	gateways  []string
	listeners []string
	// cut is true if some target has more contexts than the plan lists.
	cut bool
}

// reach writes the blast radius of a cause in one line.
func (m *planMarkdown) reach(g *outline.Group) string {
	r := reached{byKind: map[string]map[string]bool{}}
	for _, o := range g.Outcomes {
		for _, t := range o.Targets {
			r.add(t)
		}
	}
	var counts []string
	for _, kind := range r.kinds {
		counts = append(counts, mdText(spelling.Count(len(r.byKind[kind]), kind)))
	}
	if len(counts) == 0 {
		return ""
	}
	text := "**Blast radius:** "
	if r.cut {
		text += "at least "
	}
	text += strings.Join(counts, ", ")
	if len(r.gateways) > 0 {
		text += " behind " + codes(r.gateways)
	}
	if len(r.listeners) > 0 {
		text += ", listeners " + codes(r.listeners)
	}
	return text + "\n"
}

func (r *reached) add(t *outline.TargetLine) {
	for _, target := range t.All {
		contexts := target.Contexts
		if len(contexts) == 0 {
			contexts = target.ContextsBefore
		}
		r.cut = r.cut || target.ContextCount > len(contexts)
		for _, c := range contexts {
			for _, node := range c {
				r.node(node)
			}
		}
		if len(contexts) == 0 {
			r.count(t.Target.Kind, outline.TargetName(t.Target))
		}
	}
}

// node classifies a node of a context. Gateways and listeners are entry points; the nodes below
// them are counted as reached.
func (r *reached) node(node string) {
	object, section, isSection := strings.Cut(node, "#")
	kind := loader.KindOf(object)
	switch {
	case kind == "GatewayClass":
	case kind == "Gateway" && isSection:
		r.listeners = outline.AppendNew(r.listeners, section)
	case kind == "Gateway":
		r.gateways = outline.AppendNew(r.gateways, outline.NodeName(node))
	case isSection:
		r.count(kind, object)
		r.count(kind+" "+plan.SectionNoun(kind), node)
	default:
		r.count(kind, node)
	}
}

func (r *reached) count(kind, name string) {
	if r.byKind[kind] == nil {
		r.byKind[kind] = map[string]bool{}
		r.kinds = append(r.kinds, kind)
	}
	r.byKind[kind][name] = true
}

// codes writes the first three names as code spans, and counts the others.
func codes(names []string) string {
	const shown = 3
	spans := make([]string, 0, shown)
	for _, n := range names[:min(len(names), shown)] {
		spans = append(spans, mdCode(n))
	}
	return strings.Join(spans, ", ") + spelling.More(len(names)-shown)
}
