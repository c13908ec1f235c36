package network

import (
	"reflect"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// edits collects the objects that differ between two revisions.
type edits struct {
	*comparing
	list []Edit
}

func (e *edits) add(id loader.ID) {
	one := Edit{e.was[id], e.is[id]}
	if one.Before == nil && one.After == nil || one.Before != nil && one.After != nil && one.Before.Digest == one.After.Digest {
		return
	}
	if one.Before != nil && one.After != nil && Workload(id.Group, id.Kind) && reflect.DeepEqual(podOf(one.Before), podOf(one.After)) {
		return // what differs is not about its connections
	}
	if !slices.Contains(e.list, one) {
		e.list = append(e.list, one)
	}
}

func (e *edits) sorted() []Edit {
	slices.SortFunc(e.list, func(a, b Edit) int { return a.id().Compare(b.id()) })
	return e.list
}

// witness is one connection of a difference, as the policies of one end see it.
type witness struct {
	at, other int
	direction Direction
	port      Range
}

// The witnesses of a difference: few sources, few ports.
const (
	maxWitnessSources = 3
	maxWitnessPorts   = 4
)

// editsOf returns the edited objects that a difference comes from: the policies that decide some of its
// connections otherwise, and else the workloads and namespaces whose labels differ.
func (c *comparing) editsOf(i int, f *found) []Edit {
	out := edits{comparing: c}
	witnesses := c.witnesses(i, f)
	candidates := c.candidates(i, f)
	for _, responsible := range []func(loader.ID, witness) bool{c.decides, func(loader.ID, witness) bool { return true }} {
		for _, p := range candidates {
			if !slices.ContainsFunc(witnesses, func(w witness) bool { return c.selects(p.id, w) && responsible(p.id, w) }) {
				continue
			}
			for _, id := range p.objects {
				out.add(id)
			}
		}
		if len(out.list) > 0 {
			return out.sorted()
		}
	}
	ends := f.from.clone()
	ends.add(i)
	ends.each(func(j int) {
		if v := c.Before.views.list[j]; v.Form == Pods {
			out.add(v.Workload)
			out.add(loader.ID{Kind: "Namespace", Name: v.Namespace})
		}
	})
	return out.sorted()
}

// samples returns some connections of a difference, as the policies of either end see them.
func (c *comparing) samples(i int, f *found) []witness {
	var sources []int
	f.from.each(func(j int) { sources = append(sources, j) })
	if n := len(sources); n > maxWitnessSources {
		sources = []int{sources[0], sources[n/2], sources[n-1]}
	}
	var out []witness
	for _, j := range sources {
		for _, r := range f.ports[:min(len(f.ports), maxWitnessPorts)] {
			port := Range{r.Protocol, r.From, r.From}
			out = append(out, witness{i, j, Ingress, port}, witness{j, i, Egress, port})
		}
	}
	return out
}

// witnesses returns connections of a difference on whose side the decision differs.
func (c *comparing) witnesses(i int, f *found) []witness {
	return slices.DeleteFunc(c.samples(i, f), func(w witness) bool {
		before, after := c.Before.applied(w.at, w.direction), c.After.applied(w.at, w.direction)
		return decide(before, w.other, w.port).Allowed == decide(after, w.other, w.port).Allowed
	})
}

// candidate is a policy that is edited, or refers to what is.
type candidate struct {
	id      loader.ID
	objects []loader.ID
}

// candidates returns the policies that select an end of a difference in some revision.
func (c *comparing) candidates(i int, f *found) []candidate {
	var out []candidate
	for _, w := range []*World{c.Before, c.After} {
		for _, p := range w.compiled {
			id := p.Object.ID
			if !p.perhaps.has(i) && p.perhaps.and(f.from).empty() {
				continue
			}
			if n := slices.IndexFunc(out, func(o candidate) bool { return o.id == id }); n >= 0 {
				out[n].objects = append(out[n].objects, p.refers...)
				continue
			}
			out = append(out, candidate{id, append([]loader.ID{id}, p.refers...)})
		}
	}
	return out
}

// selects reports whether a policy has a say about a witness in some revision.
func (c *comparing) selects(id loader.ID, w witness) bool {
	of := func(a applied) bool { return a.policy.Object.ID == id }
	return slices.ContainsFunc(c.Before.applied(w.at, w.direction), of) || slices.ContainsFunc(c.After.applied(w.at, w.direction), of)
}

// decides reports whether the edit of one policy changes a witness: alone in the first revision, or taken
// back alone in the second.
func (c *comparing) decides(id loader.ID, w witness) bool {
	before, after := c.Before.applied(w.at, w.direction), c.After.applied(w.at, w.direction)
	allowed := func(policies []applied) any { return decide(policies, w.other, w.port).Allowed }
	return allowed(exchanged(before, after, id)) != allowed(before) || allowed(exchanged(after, before, id)) != allowed(after)
}

// exchanged returns policies with one of them as another revision has it.
func exchanged(policies, other []applied, id loader.ID) []applied {
	var out []applied
	for _, a := range policies {
		if a.policy.Object.ID != id {
			out = append(out, a)
		}
	}
	for _, a := range other {
		if a.policy.Object.ID == id {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b applied) int { return comparePolicies(a.policy.Policy, b.policy.Policy) })
	return out
}
