package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var placementChanged = &Rule{
	ID:       "placement-changed",
	Title:    "A policy of Open Cluster Management reaches other clusters",
	Severity: plan.Warning,
	Why: "The clusters that a Policy or a work reaches follow from labels and taints of the managed clusters, from Placements and " +
		"from bindings. An edit of one of these adds the policy to this cluster, takes it away there, or has it enforce what it only " +
		"reported. Objects that a policy created stay in the cluster unless pruneObjectBehavior says otherwise.",
	Fix:     "If it is not meant, restore the label of the cluster, or correct the Placement or the binding.",
	Compare: comparePlacements,
}

func comparePlacements(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil || p.Base.Run == p.Head.Run {
		return
	}
	was, is := placedAt(p.Base), placedAt(p.Head)
	names := map[loader.ID]bool{}
	for _, side := range []map[loader.ID]loader.Placed{was, is} {
		for id := range side {
			names[id] = true
		}
	}
	ids := make([]loader.ID, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, loader.ID.Compare)
	for _, id := range ids {
		before, had := was[id]
		after, has := is[id]
		text := ""
		switch {
		case !had && has && !after.Certain:
			text = say("%s may reach the cluster now: %s", id, after.Why)
		case !had && has:
			text = say("%s reaches the cluster now (%s)", id, after.Action)
		case had && !has:
			text = say("%s no longer reaches the cluster (before: %s)", id, before.Action)
		case before.Action != after.Action:
			text = say("%s reaches the cluster with %s; before with %s", id, after.Action, before.Action)
		case after.Certain && !before.Certain:
			text = say("it is known now that %s reaches the cluster: %s", id, cmp.Or(after.Why, before.Why))
		case before.Certain && !after.Certain:
			text = say("it is no longer known whether %s reaches the cluster: %s", id, cmp.Or(after.Why, before.Why))
		default:
			continue
		}
		hit := Hit{Target: id.String(), Key: []string{before.Action, after.Action}, At: after.At, Title: text}
		if !has {
			hit.At, hit.InBase = before.At, true
		}
		if at, ok := p.Lines.firstIn(slices.Concat(after.Inputs, before.Inputs)); ok {
			hit.At, hit.InBase = at, false
		}
		report(hit)
	}
}

// placedAt indexes what reaches a cluster by its object.
func placedAt(s *Environment) map[loader.ID]loader.Placed {
	out := map[loader.ID]loader.Placed{}
	for _, p := range s.Run.Environment.Placed {
		out[p.Object] = p
	}
	return out
}
