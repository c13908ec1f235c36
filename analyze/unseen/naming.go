package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// naming finds objects of unknown kinds that name a Gateway or route of the input otherwise than policies do, such as what shifts
// the weights of a route during a rollout. What they do to it is not known.
func naming(s *search, pair applied.Pair, told map[string]bool) {
	var targets map[loader.ID]bool
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if known(s.Table, o) || o.Context || told[o.ID.String()] || len(differing(e.Was, e.Is)) == 0 {
			continue
		}
		if targets == nil {
			targets = targetsOf(pair)
		}
		var named []string
		for _, form := range []*loader.Object{e.Was, e.Is} {
			if form == nil {
				continue
			}
			for _, id := range loader.NamedTargets(form.Spec(), form.ID.Namespace) {
				if targets[id] {
					named = append(named, spokenTarget(id))
				}
			}
		}
		if slices.Sort(named); len(named) > 0 {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), slices.Compact(named)).Global = true
		}
	}
}

// known reports whether the analysis says something of objects of a kind.
func known(t *catalogue.Table, o *loader.Object) bool {
	return t.Kind(o.ID.Group, o.ID.Kind) != nil || hierarchy.Needs(o.ID.Group, o.ID.Kind) || Unattached(o.ID.Group, o.ID.Kind) || catalogue.Describes(o.ID.Group, o.ID.Kind)
}

// targetsOf are the Gateways, ListenerSets and routes of both revisions, the routes without their kind, too.
func targetsOf(pair applied.Pair) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		for _, o := range env.Objects {
			id := o.ID
			if id.Group != loader.GatewayGroup && id.Group != loader.ExperimentalGroup {
				continue
			}
			id.Group = loader.GatewayGroup
			out[id] = true
			if hierarchy.LevelOf(id.Group, id.Kind) == hierarchy.LevelRoute {
				id.Kind = ""
				out[id] = true
			}
		}
	}
	return out
}

func spokenTarget(id loader.ID) string {
	if id.Kind == "" {
		return "the route " + id.Namespace + "/" + id.Name
	}
	return id.Spoken()
}
