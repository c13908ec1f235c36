package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Requests knows the requests that are answered differently in two revisions, and what protects them.
type Requests struct {
	*Pair

	// answered lists these requests. It is nil until first used.
	answered []answer.Passage
	// uncompared lists the requests that were too many to compare.
	uncompared []*answer.Way
	// doubts is nil until first used.
	doubts *Doubts
	// escaping is nil until first used.
	escaping *escapes
	// guarding has what protects the requests of each rule at a listener, of either side. It is nil until first used.
	guarding map[[2]*hierarchy.Node][]guard
	// owned has what listeners and rules protect themselves: a listener has the requests of many rules.
	owned map[*hierarchy.Node][]guard
	// plain are the ways of base without TLS by their rules. It is nil until first used.
	plain map[*effective.Joint][]*answer.Way
	// guardedPods has a way of base to each set of pods, nil if requests without protection reach them. It is nil until first used.
	guardedPods map[string]*answer.Way
}

// Requests returns what is known of the requests that are answered differently.
func (p *Pair) Requests() *Requests {
	if p.requests == nil {
		p.requests = &Requests{Pair: p}
	}
	return p.requests
}

// Answered returns the requests that are answered differently after the change: by another rule, or by
// the same rule that does something else.
func (p *Requests) Answered() []answer.Passage {
	if p.answered != nil || p.Difference == nil || p.Base == nil || p.Head == nil {
		return p.answered
	}
	p.answered = []answer.Passage{}
	if leave, ok := p.Head.enter("the comparison of requests"); ok {
		passages, left := answer.Passages(p.Difference.Join, p.reworked())
		p.answered, p.uncompared = append(p.answered, passages...), left
		leave()
	}
	return p.answered
}

// Turns returns Answered with each pair of a lost and a gained passage joined into one if the same rule answers the
// requests at another Gateway. Requests with TLS are never joined with requests without.
func (p *Requests) Turns() []answer.Passage {
	moved := map[*effective.Joint]map[string]answer.Passage{}
	for _, passage := range p.Answered() {
		if passage.Before != nil && passage.After == nil {
			at := p.Difference.Join.Of(effective.Base, passage.Before.Rule)
			if moved[at] == nil {
				moved[at] = map[string]answer.Passage{}
			}
			moved[at][passage.Request.Described()] = passage
		}
	}
	arrived := map[*answer.Way]bool{}
	var out []answer.Passage
	for _, passage := range p.Answered() {
		if passage.Before == nil && passage.After != nil {
			if left, ok := moved[p.Difference.Join.Of(effective.Head, passage.After.Rule)][passage.Request.Described()]; ok && hierarchy.HasTLS(left.Before.Listener) == hierarchy.HasTLS(passage.After.Listener) {
				passage.Before = left.Before
				arrived[left.Before] = true
			}
		}
		out = append(out, passage)
	}
	return slices.DeleteFunc(out, func(passage answer.Passage) bool { return passage.After == nil && arrived[passage.Before] })
}

// Relocated reports whether another Gateway answers requests after the change, and does not replace the one that
// answered them before: clients that can reach the new Gateway are newly answered.
func (p *Requests) Relocated(passage *answer.Passage) bool {
	if passage.Before == nil || passage.After == nil {
		return false
	}
	join := p.Difference.Join
	from, to := join.Of(effective.Base, passage.Before.Gateway()), join.Of(effective.Head, passage.After.Gateway())
	return from != nil && to != nil && from != to && (from.Nodes[effective.Head] != nil || to.Nodes[effective.Base] != nil)
}

// passages returns the requests that another rule is known to answer after the change.
func (p *Requests) passages() []answer.Passage {
	return slices.DeleteFunc(slices.Clone(p.Answered()), func(passage answer.Passage) bool { return passage.Kept || len(passage.Doubts) > 0 })
}

// reworked returns a function that reports whether the effective policies of a node differ. At listeners and Gateways
// only policies that protect or run programs count: other policies do nothing that is reported for requests.
func (p *Requests) reworked() func(*hierarchy.Node) bool {
	counting := map[plan.GroupKind]bool{}
	for _, s := range []*Environment{p.Base, p.Head} {
		for _, k := range s.Run.Attached.Kinds {
			if len(k.Protects)+len(k.Programs) > 0 {
				counting[plan.GroupKind{Group: k.Group, Kind: k.Name()}] = true
			}
		}
	}
	changed := map[hierarchy.Target]bool{}
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		if c.PolicyKind == nil {
			continue
		}
		for _, t := range c.Targets {
			at := targetOf(t.Target)
			changed[at] = changed[at] || counting[*c.PolicyKind]
		}
	}
	// A policy that makes requests fail in one revision only counts wherever it is.
	for side, s := range []*Environment{p.Base, p.Head} {
		other := map[loader.ID]bool{}
		for _, q := range []*Environment{p.Head, p.Base}[side].Run.Attached.Policies {
			other[q.ID()] = other[q.ID()] || q.Failing() != ""
		}
		for _, failing := range s.Run.Attached.Policies {
			if failing.Failing() == "" || other[failing.ID()] {
				continue
			}
			for _, ref := range failing.References {
				for _, n := range ref.Nodes {
					changed[n.Target] = true
				}
			}
		}
	}
	return func(n *hierarchy.Node) bool {
		counts, differs := changed[n.Target]
		return differs && (counts || n.Level >= hierarchy.LevelRoute)
	}
}

// Uncompared returns the requests for which it is not known whether they are answered differently.
func (p *Requests) Uncompared() []*answer.Way {
	p.Answered()
	return p.uncompared
}

// classes names the requests of the first of some passages, without those that another passage or none has, and the number of others.
func classes(passages []answer.Passage) string {
	var names []string
	var first *answer.Passage
	for i := range passages {
		name := passages[i].Request.Described()
		names = append(names, name)
		if first == nil || name < first.Request.Described() {
			first = &passages[i]
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if first.Except != nil {
		names[0] = answer.LeavingOut(names[0], slices.DeleteFunc(first.Except(), func(m *answer.Match) bool {
			return slices.ContainsFunc(passages, func(other answer.Passage) bool {
				return other.Request.Host == first.Request.Host && other.Request.Match.String() == m.String()
			})
		}))
	}
	return spelling.AtMost(1, names)
}

// requests names the first of some requests, and the number of others.
func requests(ways []*answer.Way) string {
	var names []string
	for _, w := range ways {
		names = append(names, w.Described())
	}
	slices.Sort(names)
	return spelling.AtMost(1, slices.Compact(names))
}
