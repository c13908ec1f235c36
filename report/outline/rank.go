package outline

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
)

// rank orders groups for readers, the worst first.
type rank int

const (
	// hasError is a group with a new error finding at a cause, exposes one of which a cause makes requests less protected.
	hasError rank = iota
	exposes
	loses
	// removesObject is an object that was removed or detached, without a change to its policies.
	removesObject
	changes
	gains
	// addsObject is an object that was added or attached, without a change to its policies.
	addsObject
	// unsure is a group that cannot be judged until an unreadable file is fixed.
	unsure
)

// worstFirst sorts groups by rank, and those of equal rank by the number of their targets.
func worstFirst(list []*Group, p *plan.Plan) []*Group {
	bad := map[fileLine]rank{}
	for _, r := range Requests(p) {
		if r.Class == plan.RequestsExposed {
			for _, c := range r.Causes {
				bad[fileLine{c.File, c.Line}] = exposes
			}
		}
	}
	for _, f := range FindingsIn(PlanFindings(p), IsNew) {
		if f.Severity != plan.Error {
			continue
		}
		// A finding is at a line of the change; the old place of what was deleted is a related one.
		bad[fileLine{f.File, f.Line}] = hasError
		for _, r := range f.Related {
			if r.Side == plan.InBase {
				bad[fileLine{r.File, r.Line}] = hasError
			}
		}
	}
	delete(bad, fileLine{})
	slices.SortStableFunc(list, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.rank(bad), b.rank(bad)), cmp.Compare(b.targets(), a.targets()))
	})
	return list
}

// targets counts the targets of all outcomes.
func (g *Group) targets() int {
	n := 0
	for _, o := range g.Outcomes {
		n += len(o.Targets)
	}
	return n
}

// fileLine is a line of a file.
type fileLine struct {
	file string
	line int
}

func (g *Group) rank(bad map[fileLine]rank) rank {
	worst := unsure
	for _, p := range g.Policies {
		if !p.Uncertain {
			worst = min(worst, policyRank(p))
		}
	}
	certain := worst < unsure
	for _, o := range g.Outcomes {
		if !o.Unread {
			worst, certain = min(worst, outcomeRank(o.Change)), true
		}
	}
	if certain {
		for _, c := range g.Causes {
			if is, known := bad[fileLine{c.File, c.Line}]; known {
				worst = min(worst, is)
			}
		}
	}
	return worst
}

func policyRank(p PolicyOutcome) rank {
	before, after := p.Change.Before, p.Change.After
	switch {
	case before == nil:
		return gains
	case after == nil, before.Accepted != plan.False && after.Accepted == plan.False:
		return loses
	}
	return changes
}

func outcomeRank(c *plan.Change) rank {
	switch c.Kind {
	case plan.Detached, plan.Removed:
		if c.PolicyKind == nil {
			return removesObject
		}
		return loses
	case plan.Added, plan.Attached:
		if c.PolicyKind == nil {
			return addsObject
		}
		return gains
	case plan.FieldChange, plan.Moved, plan.VerdictChange, plan.Renamed:
	}
	if c.PolicyKind == nil {
		return changes
	}
	for i := range c.Fields {
		if c.Fields[i].Action == plan.FieldRemoved {
			return loses
		}
	}
	if len(c.Fields) > 0 && !slices.ContainsFunc(c.Fields, func(f plan.Field) bool { return f.Action != plan.FieldAdded }) {
		return gains
	}
	return changes
}
