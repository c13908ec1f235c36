package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// Doubts are the targets of changes that are not certain.
type Doubts struct {
	// uncertain are the targets for which it is not known whether they changed. unread are the targets whose file, or
	// that of one of their policies, one side could not read.
	uncertain, unread map[hierarchy.Target]bool
}

// Doubts returns the targets for which it is not known what happens to them.
func (p *Requests) Doubts() *Doubts {
	if p.doubts == nil {
		p.doubts = &Doubts{map[hierarchy.Target]bool{}, map[hierarchy.Target]bool{}}
		for i := range p.Difference.Changes {
			for _, t := range p.Difference.Changes[i].Targets {
				target := targetOf(t.Target)
				p.doubts.uncertain[target] = p.doubts.uncertain[target] || !t.Certain
				p.doubts.unread[target] = p.doubts.unread[target] || t.Unreadable
			}
		}
	}
	return p.doubts
}

// Uncertain reports whether it is uncertain that a route was added or removed, because it may come from something that
// could not be read or rendered.
func (d *Doubts) Uncertain(route *hierarchy.Node) bool { return d.uncertain[route.Target] }

// Unread reports whether it is not known what protects requests on a way, because the file of a policy, or of something on
// the way, could not be read on one side.
func (d *Doubts) Unread(w *answer.Way) bool {
	return slices.ContainsFunc([]*hierarchy.Node{w.Rule, w.Route, w.Listener, w.Gateway()}, func(n *hierarchy.Node) bool {
		return n != nil && d.unread[n.Target]
	})
}

// targetOf is the target that a change names.
func targetOf(t plan.TargetRef) hierarchy.Target {
	return hierarchy.Target{ID: t.ID(), Section: t.Section}
}
