package network

import "slices"

// egressProfile is what some endpoints may reach.
type egressProfile struct {
	reach   reach
	members set
}

// egress returns the distinct egress reaches of all endpoints, each with the endpoints that have it.
func (w *World) egress() []egressProfile {
	if w.profiles != nil {
		return w.profiles
	}
	at := map[string]int{}
	for i := range w.views.list {
		k := w.key(i, Egress)
		n, known := at[k]
		if !known {
			n = len(w.profiles)
			at[k] = n
			w.profiles = append(w.profiles, egressProfile{reach: w.reach(i, Egress), members: newSet(len(w.views.list))})
		}
		w.profiles[n].members.add(i)
	}
	return w.profiles
}

// callers returns the endpoints that may connect to one, as the policies of both ends decide.
func (w *World) callers(i int) reach {
	in := w.reach(i, Ingress)
	var ranges []Range
	for _, p := range in {
		ranges = append(ranges, p.Range)
	}
	profiles := w.egress()
	for _, p := range profiles {
		ranges = append(ranges, p.reach.runs(i)...)
	}
	divided := classes(ranges)
	if !w.effort.spend(len(divided) * (len(profiles) + 16*len(in[0].sure))) {
		divided = classes(nil)
	}
	var out reach
	for _, class := range divided {
		from := in.at(class)
		sure, perhaps := newSet(len(w.views.list)), newSet(len(w.views.list))
		for _, p := range profiles {
			to := p.reach.at(class)
			if to.sure.has(i) {
				sure.join(p.members)
			}
			if to.perhaps.has(i) {
				perhaps.join(p.members)
			}
		}
		sure.keep(from.sure)
		perhaps.keep(from.perhaps)
		if n := len(out); n > 0 && out[n-1].Protocol == class.Protocol && out[n-1].sure.equal(sure) && out[n-1].perhaps.equal(perhaps) {
			out[n-1].To = class.To
			continue
		}
		out = append(out, portReach{Range: class, sure: sure, perhaps: perhaps})
	}
	return out
}

// runs returns the ranges of ports for which an endpoint is treated alike.
func (r reach) runs(i int) []Range {
	var out []Range
	for at, p := range r {
		if at > 0 && r[at-1].Protocol == p.Protocol && r[at-1].sure.has(i) == p.sure.has(i) && r[at-1].perhaps.has(i) == p.perhaps.has(i) {
			out[len(out)-1].To = p.To
			continue
		}
		out = append(out, p.Range)
	}
	return out
}

// isolated reports whether some policy surely denies by default what an endpoint gets or sends.
func (w *World) isolated(i int, d Direction) bool {
	return slices.ContainsFunc(w.compiled, func(p *compiledPolicy) bool { return p.Isolates[d] && p.sure.has(i) })
}

// denies reports whether something is denied by default: an endpoint is isolated by a policy of a tier in which none allows
// everything, or leaves it to the next tier.
func denies(w *World, i int, d Direction) bool {
	open := map[Tier]bool{}
	for _, p := range w.compiled {
		open[p.Tier] = open[p.Tier] || p.sure.has(i) && p.leavesAll(d)
	}
	return slices.ContainsFunc(w.compiled, func(p *compiledPolicy) bool { return p.Isolates[d] && p.sure.has(i) && !open[p.Tier] })
}

// mayDenyAll reports whether a rule of which it is not known what it decides may deny everything to or from an endpoint, such
// as one of a tier of Calico that is not in the input.
func (w *World) mayDenyAll(i int, d Direction) bool {
	return slices.ContainsFunc(w.compiled, func(p *compiledPolicy) bool {
		return p.perhaps.has(i) && slices.ContainsFunc(p.Rules[d], func(r Rule) bool {
			return r.Action == Deny && r.Doubt != "" && r.Peers == nil && r.Near == nil && r.Ports == nil
		})
	})
}

// leavesAll reports whether a rule of the policy allows everything in a direction, or leaves it to the next tier.
func (p *Policy) leavesAll(d Direction) bool {
	return slices.ContainsFunc(p.Rules[d], func(r Rule) bool {
		return (r.Action == Allow || r.Action == Pass) && r.Peers == nil && r.Near == nil && r.Ports == nil && r.Only == "" && r.Doubt == ""
	})
}

// partsOf divides a range at the classes of some reaches.
func partsOf(r Range, reaches ...reach) []Range {
	cuts := []Range{r}
	for _, one := range reaches {
		for _, p := range one {
			if p.Protocol == r.Protocol && p.From <= r.To && r.From <= p.To {
				cuts = append(cuts, Range{p.Protocol, max(p.From, r.From), min(p.To, r.To)})
			}
		}
	}
	return slices.DeleteFunc(classes(cuts), func(class Range) bool {
		return class.Protocol != r.Protocol || class.From < r.From || class.To > r.To
	})
}
