package network

// describing puts differences into words.
type describing struct{ *comparing }

// words describes an end of a difference: exactly if that is short, and else with ends whose answer is the
// same.
func (c describing) words(f *found, source bool) []string {
	free := c.onlyInOneRevision(f, source)
	exact := c.After.views.within(f.end(source), free)
	if len(exact) > maxWords {
		if wider := c.After.views.within(f.end(source), union(free, c.endsWithSameAnswer(f, source))); len(wider) < len(exact) {
			return wider
		}
	}
	return exact
}

// maxWords is how many words an exact description may have.
const maxWords = 6

// maxFixedEnds is for how many ends at the other side free ends are looked for.
const maxFixedEnds = 20

// endsWithSameAnswer returns the ends without a difference that have the same answer in the second revision.
func (c describing) endsWithSameAnswer(f *found, source bool) set {
	members := f.end(source)
	out := newSet(len(c.Before.views.list))
	if n := f.end(!source).count(); n > maxFixedEnds || !c.After.effort.spend(n*len(c.After.views.list)*len(f.ports)) {
		return out
	}
	for i := range c.After.views.list {
		if members.has(i) {
			continue
		}
		one := newSet(len(c.After.views.list))
		one.add(i)
		if len(c.kept(f, one, f.ports, source)) == 0 {
			out.add(i)
		}
	}
	return out
}

// onlyInOneRevision returns the endpoints that only one revision has and that a description may include without becoming wrong:
// removed ones, and new ones to which the same change applies.
func (c describing) onlyInOneRevision(f *found, source bool) set {
	out, come := c.gone.clone(), c.come.without(f.end(source))
	pairs := come.count() * f.end(!source).count()
	if pairs > maxUntold || !c.After.effort.spend(pairs*len(f.ports)) {
		return out
	}
	come.each(func(i int) {
		one := newSet(len(c.After.views.list))
		one.add(i)
		kept := c.kept(f, one, f.ports, source)
		if !f.sure {
			kept = kept.minus(c.doubted(f, i, kept, source))
		}
		if len(kept) == 0 {
			out.add(i)
		}
	})
	return out
}

// maxUntold is for how many pairs of a new end and another one the answers are looked at.
const maxUntold = 5_000
