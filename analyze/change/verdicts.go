package change

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// all reports the policies that were added or removed, or whose verdict changed. It judges only
// policies that were edited, whose references have other verdicts, or that take part where
// something differs.
func (c *verdicts) all() []PolicyVerdicts {
	var out []PolicyVerdicts
	for _, k := range c.kinds() {
		out = append(out, c.kindVerdicts(k)...)
	}
	slices.SortFunc(out, func(a, b PolicyVerdicts) int { return strings.Compare(a.Node, b.Node) })
	return out
}

func (c *verdicts) kindVerdicts(k *catalogue.Kind) []PolicyVerdicts {
	byID := [2]map[loader.ID]*policy.Policy{policiesOf(c.runs[0], k), policiesOf(c.runs[1], k)}
	touched := map[loader.ID]bool{}
	for side, policies := range byID {
		for id, p := range policies {
			if _, edited := c.edits[id]; edited || c.seen[p] || c.judgedOtherwise(p, byID[1-side][id]) {
				touched[id] = true
			}
		}
	}
	if len(touched) == 0 {
		return nil
	}
	wanted := func(p *policy.Policy) bool { return touched[p.ID()] }
	var tallies [2]map[*policy.Policy]*effective.Tally
	for side := range c.runs {
		tallies[side] = c.join.Tallies(k, effective.Side(side), wanted)
	}
	var out []PolicyVerdicts
	for id := range touched {
		v := PolicyVerdicts{ID: id, Node: id.String()}
		v.Before = verdictOf(c.runs[0], byID[0][id], tallies[0])
		v.After = verdictOf(c.runs[1], byID[1][id], tallies[1])
		if o := c.edits[id]; o.before != nil && o.after == nil && c.unreadObject(o.before) {
			v.After = unreadVerdict()
		} else if o.after != nil && o.before == nil && c.unreadObject(o.after) {
			v.Before = unreadVerdict()
		}
		if sameVerdict(v.Before, v.After) {
			continue
		}
		v.Causes = c.verdictCauses(byID[0][id], byID[1][id])
		v.Fingerprint = Fingerprint(c.options.Environment, "policy-verdict", v.Node)
		out = append(out, v)
	}
	out = c.renamedPolicies(k, out)
	c.compareMissingTargets(k, out, byID, tallies)
	return out
}

// unreadVerdict is the verdict on a policy on a side that could not read its file. It is unknown
// whether the policy was added or removed.
func unreadVerdict() *plan.Verdict {
	return &plan.Verdict{Accepted: "unknown", Reason: "NotReadable", Enforcement: plan.EnforcementUnknown}
}

func policiesOf(r *effective.Run, k *catalogue.Kind) map[loader.ID]*policy.Policy {
	out := map[loader.ID]*policy.Policy{}
	if r == nil {
		return out
	}
	for _, p := range r.Attached.Policies {
		if p.Kind == k {
			out[p.ID()] = p
		}
	}
	return out
}

func verdictOf(r *effective.Run, p *policy.Policy, tallies map[*policy.Policy]*effective.Tally) *plan.Verdict {
	if p == nil {
		return nil
	}
	return r.VerdictOf(p, tallies[p])
}

// judgedOtherwise reports whether the verdicts on the references of a policy differ.
func (c *verdicts) judgedOtherwise(p, q *policy.Policy) bool {
	if p == nil || q == nil || len(p.References) != len(q.References) {
		return true
	}
	for i, ref := range p.References {
		other := q.References[i]
		if ref.Accepted != other.Accepted || ref.Reason != other.Reason || ref.Target != other.Target {
			return true
		}
	}
	return false
}

// sameVerdict compares two verdicts. It ignores how many targets a policy affects, because the
// changes show this.
func sameVerdict(a, b *plan.Verdict) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Accepted == b.Accepted && a.Reason == b.Reason && a.Enforcement == b.Enforcement &&
		reflect.DeepEqual(byTarget(a.Targets), byTarget(b.Targets))
}

// byTarget sorts verdicts on targets, because their order in the policy has no effect.
func byTarget(list []plan.TargetVerdict) []plan.TargetVerdict {
	return slices.SortedFunc(slices.Values(list), func(a, b plan.TargetVerdict) int { return strings.Compare(a.Target, b.Target) })
}

// verdictCauses returns the edits of the policy itself, else of its targets and competing policies,
// else of policies of its kind, else any cause.
func (c *verdicts) verdictCauses(before, after *policy.Policy) []plan.Cause {
	var own, around []*loader.Object
	for side, p := range []*policy.Policy{before, after} {
		if p == nil {
			continue
		}
		own = append(append(own, p.Object), c.objectsOf(p.Involves())...)
		for _, ref := range p.References {
			if ref.LostTo != nil {
				around = append(around, ref.LostTo.Object)
			}
			for _, n := range ref.Nodes {
				if n.Object != nil {
					around = append(around, n.Object)
				}
				for _, other := range c.runs[side].YieldsTo(p, n) {
					around = append(around, other.Object)
				}
			}
		}
	}
	if found := c.edited(own); len(found) > 0 {
		return found
	}
	if found := c.edited(around); len(found) > 0 {
		return found
	}
	var rivals []*loader.Object
	for id, e := range c.edits {
		if before != nil && id.Group == before.ID().Group && id.Kind == before.ID().Kind {
			rivals = append(rivals, firstOf(e.after, e.before))
		}
	}
	if found := c.edited(rivals); len(found) > 0 {
		return found
	}
	return c.anyCause()
}

func firstOf(a, b *loader.Object) *loader.Object {
	if a != nil {
		return a
	}
	return b
}

// anyCause returns the fallback causes: edited objects that decide admission, else all edited
// objects of the hierarchy.
func (c *sides) anyCause() []plan.Cause {
	if found := c.admissionCauses(); len(found) > 0 {
		return found
	}
	var all []plan.Cause
	for id := range c.edits {
		if hierarchy.LevelOf(id.Group, id.Kind) != hierarchy.LevelOutside {
			all = append(all, c.causeOf(id))
		}
	}
	return sortedCauses(all)
}
