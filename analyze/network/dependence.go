package network

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// dependence is a question about a policy that manifests do not answer.
type dependence struct {
	policy loader.ID
	// selects means that it is whether the policy selects some pods, else whether one of its rules is about them.
	selects bool
	// namespaces are those of these pods, whose labels are not in the input.
	namespaces []string
}

// maxDependent is for how many destinations it is looked up on what they depend.
const maxDependent = 100

// dependsOn says on what a difference that is not sure depends: "whether NetworkPolicy shop/cart selects pods of namespace
// web, whose labels are not in the input". It is empty where it is something else than the labels of namespaces, which
// no reader could guess.
func (c describing) dependsOn(f *found) string {
	if f.sure || !c.After.effort.spend(16*maxDependent) {
		return ""
	}
	var asked []dependence
	n := 0
	f.to.each(func(i int) {
		if n++; n > maxDependent {
			return
		}
		for _, w := range c.samples(i, f)[:2] { // one connection, as either end sees it
			for _, world := range []*World{c.Before, c.After} {
				asked = questions(world, w, asked)
			}
		}
	})
	if len(asked) == 0 {
		return ""
	}
	slices.SortStableFunc(asked, func(a, b dependence) int { return compareBool(!a.selects, !b.selects) })
	first := asked[0]
	verb := " is about pods of "
	if first.selects {
		verb = " selects pods of "
	}
	slices.Sort(first.namespaces)
	where := "namespace " + first.namespaces[0]
	if len(first.namespaces) > 1 {
		where = "namespaces " + spelling.AtMost(maxStill, first.namespaces)
	}
	return "whether " + first.policy.Spoken() + verb + where + ", whose labels are not in the input"
}

// questions adds the questions about a connection whose answer no label in the input gives.
func questions(w *World, at witness, asked []dependence) []dependence {
	applied := w.applied(at.at, at.direction)
	if decide(applied, at.other, at.port).Allowed != fact.Unknown {
		return asked
	}
	add := func(p *compiledPolicy, selects bool, end int) {
		v := w.views.list[end]
		if v.Form != Pods || !v.namespace.Partial {
			return
		}
		i := slices.IndexFunc(asked, func(d dependence) bool { return d.policy == p.Object.ID && d.selects == selects })
		if i < 0 {
			i = len(asked)
			asked = append(asked, dependence{policy: p.Object.ID, selects: selects})
		}
		if !slices.Contains(asked[i].namespaces, v.Namespace) {
			asked[i].namespaces = append(asked[i].namespaces, v.Namespace)
		}
	}
	for _, a := range applied {
		if !a.sure {
			add(a.policy, true, at.at)
		}
		for _, r := range a.rules {
			if r.Doubt == "" && r.ports.covers(at.port) && r.perhaps.has(at.other) && !r.sure.has(at.other) {
				add(a.policy, false, at.other)
			}
		}
	}
	return asked
}
