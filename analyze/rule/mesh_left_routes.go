package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// meshRoutes are the routes of an environment that are attached to Services of a mesh, by Service, and by the namespace for
// Services that do not say themselves which waypoint they have.
type meshRoutes map[loader.ID]map[string]bool

func meshRoutesOf(s *Environment) meshRoutes {
	out := meshRoutes{}
	for _, n := range s.Run.Graph.Nodes {
		if n.Level != hierarchy.LevelFrontend && n.Level != hierarchy.LevelFrontendPort {
			continue
		}
		service := n.Target.ID
		says := false
		if o := s.Run.Graph.Object(service); o != nil {
			_, says = o.Labels()[useWaypoint]
		}
		for _, e := range n.Down {
			if e.Child.Level != hierarchy.LevelRoute {
				continue
			}
			out.add(service, e.Child.Spoken())
			if !says {
				out.add(loader.ID{Kind: "Namespace", Name: service.Namespace}, e.Child.Spoken())
			}
		}
	}
	return out
}

func (m meshRoutes) add(id loader.ID, route string) {
	if m[id] == nil {
		m[id] = map[string]bool{}
	}
	m[id][route] = true
}

// withoutWaypoint reports a Service or Namespace that names a waypoint no more and whose routes are in force only there for
// clients of the ambient mesh: ztunnel does not read them (Istio, Ambient mode, Configure waypoint proxies). Sidecars of clients do.
func (m meshRoutes) withoutWaypoint(o *loader.Object, was loader.ID, at loader.Position, report Report) {
	routes := slices.Sorted(maps.Keys(m[o.ID]))
	if len(routes) == 0 {
		return
	}
	verb := "are"
	if len(routes) == 1 {
		verb = "is"
	}
	report(Hit{
		Target: o.ID.String(), Key: []string{"routes", was.String()}, Severity: plan.Warning, Object: o, At: at, OpensNothing: true,
		Title: say("Requests to %s no longer pass %s: %s %s not applied to those of the ambient mesh", o.ID, was, spelling.AtMost(1, routes), verb),
	})
}
