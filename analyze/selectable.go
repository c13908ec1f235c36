package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// Selectable lists the objects of a snapshot that a Selection may name: those of Gateway API, Services,
// Namespaces, workloads and policies; or policies only.
func Selectable(s *loader.Snapshot, o Options, policies bool) []loader.ID {
	table := o.Table(s)
	var out []loader.ID
	for _, env := range s.Environments {
		for _, object := range env.Objects {
			id := object.ID
			target := id.Group == loader.GatewayGroup || id.Group == loader.ExperimentalGroup || id.Group == "" && (id.Kind == "Service" || id.Kind == "Namespace")
			if table.Kind(id.Group, id.Kind) != nil || target && !policies {
				out = append(out, id)
			}
		}
		for _, workload := range env.Workloads {
			if !policies {
				out = append(out, workload.ID)
			}
		}
	}
	slices.SortFunc(out, loader.ID.Compare)
	return slices.Compact(out)
}

// Find reports whether a selection matches something in a snapshot. If not, hint says what exists instead. What the
// run cannot afford to look at may match.
func Find(sel selection.Selection, s *loader.Snapshot, o Options) (hint string, ok bool) {
	var graphs []*hierarchy.Graph
	var environments []*loader.Environment
	for _, env := range s.Environments {
		leave, ok := o.Parts.EnterEnvironment(env.Name)
		if !ok {
			return "", true
		}
		env, g := o.graph(env, o.alone(s))
		environments, graphs = append(environments, env), append(graphs, g)
		leave()
	}
	return sel.Find(environments, graphs)
}
