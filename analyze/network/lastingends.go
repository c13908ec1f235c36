package network

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// lasting knows which endpoints both revisions have. To one that only one of them has, nothing was opened and nothing was
// cut: it had no connections before, or has none after. These are the pods of a new or deleted workload, and those without
// a manifest of a namespace that comes or goes with all that is in it.
type lasting struct {
	come, gone set
	// rendered means that the second revision has nothing that is not rendered and may be in any namespace.
	rendered bool
}

func lastingOf(u *universe, base, head Side, now map[loader.ID]loader.ID) lasting {
	l := lasting{come: newSet(len(u.endpoints)), gone: newSet(len(u.endpoints)), rendered: !head.Anywhere}
	was, is := base.byID(), head.byID()
	for _, renamed := range now {
		was[renamed] = is[renamed]
	}
	opened, closed := newNamespaces(base, head), newNamespaces(head, base)
	for i, e := range u.endpoints {
		switch {
		case e.Form != Pods:
		case e.presumed() && opened[e.Namespace] || !e.presumed() && was[e.Workload] == nil:
			l.come.add(i)
		case e.presumed() && closed[e.Namespace] || !e.presumed() && is[e.Workload] == nil:
			l.gone.add(i)
		}
	}
	return l
}

// newNamespaces are the namespaces that a side declares and that the other side neither declares nor uses. A namespace
// that is not declared may be as old as the cluster, and does not count as new.
func newNamespaces(other, s Side) map[string]bool {
	out := map[string]bool{}
	for _, o := range s.Declared {
		declared := slices.ContainsFunc(other.Declared, func(d *loader.Object) bool { return d.ID == o.ID })
		out[o.ID.Name] = !declared && !other.Used[o.ID.Name]
	}
	return out
}

// alone reports whether only one revision has an endpoint.
func (l *lasting) alone(i int) bool { return l.come.has(i) || l.gone.has(i) }

// surelyGone reports whether nothing that is not rendered may still have the pods of an endpoint.
func (l *lasting) surelyGone(i int) bool { return l.rendered && l.gone.has(i) }

// drop takes the sources that only one revision has out of a difference. A new one stays where the policies of the
// destination newly admit it: that is what the destination, which is not new, gains.
func (c *comparing) drop(i int, class Range, opened bool, from set) {
	come := from.and(c.come)
	from.drop(c.gone)
	from.drop(c.come)
	if !opened || come.empty() {
		return
	}
	before, after := c.Before.reach(i, Ingress), c.After.reach(i, Ingress)
	for _, part := range partsOf(class, before, after) {
		b, a := before.at(part), after.at(part)
		from.join(union(a.sure.without(b.sure), a.perhaps.without(b.perhaps)).and(come))
	}
}

// withWorkloads returns a side with the workloads that only the other one has, and under its new name a renamed one as
// this side has it.
func withWorkloads(s, other Side, now map[loader.ID]loader.ID) Side {
	own := s.byID()
	formerly := map[loader.ID]*loader.Object{}
	for old, renamed := range now {
		o := *own[old]
		o.ID = renamed
		formerly[renamed] = &o
	}
	objects := slices.Clone(s.Objects)
	for _, o := range other.Objects {
		switch {
		case own[o.ID] != nil || !Workload(o.ID.Group, o.ID.Kind):
		case formerly[o.ID] != nil:
			objects = append(objects, formerly[o.ID])
		default:
			objects = append(objects, o)
		}
	}
	s.Objects = objects
	return s
}
