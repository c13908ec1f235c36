package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// waited finds what the cluster gets only with this change although it was merged before: objects that their deployer left alone
// until now, and what a deployer did not apply as long as the API server rejected one of its objects. What the cluster has of them
// is older than base, so that a comparison with base does not show all that changes.
func waited(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	after := loader.ByID(slices.Concat(pair.Head.Objects, pair.Head.Workloads))
	for _, r := range pair.Head.Mended {
		o, what := r.Object, r.Object.ID.Spoken()
		reason := what + " was rejected: " + r.Reasons[0].Path + ": " + r.Reasons[0].Message
		if r.Stops() {
			what = o.Deployer.ID.Spoken()
		} else if bearing(s.Table, o.ID.Group, o.ID.Kind) == loader.Unread {
			continue
		}
		change, at := plan.EditRemoved, o.Position(r.Reasons[0].At)
		if is := after[o.ID]; is != nil {
			change, at = plan.EditChanged, is.First()
		}
		s.add(what, change, pair.Name(), at, []string{reason}).Waited = true
	}
	before := loader.ByID(slices.Concat(pair.Base.Objects, pair.Base.Workloads))
	for _, o := range slices.Concat(pair.Head.Objects, pair.Head.Workloads) {
		was := before[o.ID]
		if was == nil || was.Frozen == "" || o.Frozen != "" || was.IsHook() || o.Context || bearing(s.Table, o.ID.Group, o.ID.Kind) == loader.Unread {
			continue
		}
		s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.First(), []string{"until now " + was.Frozen}).Waited = true
	}
}
