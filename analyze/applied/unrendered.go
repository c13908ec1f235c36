package applied

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Unrendered knows which objects of an environment may exist on a side that does not declare them: the objects of a
// deployer that this side does not render and the other side does. It caches its answers.
type Unrendered struct {
	sides [2]*loader.Environment
	known [2]map[loader.ID]bool
}

// NewUnrendered is for the environment as base and head have it. If it is nil on a side, everything is known.
func NewUnrendered(base, head *loader.Environment) *Unrendered {
	return &Unrendered{sides: [2]*loader.Environment{base, head}}
}

// On reports whether an object that one side lacks may exist there. Side 0 is base.
func (u *Unrendered) On(side int, o *loader.Object) bool {
	if o.Deployer == nil || u.sides[0] == nil || u.sides[1] == nil {
		return false
	}
	env := u.sides[side]
	if u.known[side] == nil {
		u.known[side] = map[loader.ID]bool{}
		for id, d := range env.Deployers() {
			u.known[side][id] = u.inPart(side, d)
		}
	}
	unrendered, judged := u.known[side][o.Deployer.ID]
	if !judged { // the side has nothing of the deployer
		unrendered = slices.ContainsFunc(env.Gaps, func(g loader.Gap) bool { return g.CoversAllOf(o.Deployer) })
		u.known[side][o.Deployer.ID] = unrendered
	}
	return unrendered
}

// inPart reports whether a side has only a part of what the other has of a deployer in full.
func (u *Unrendered) inPart(side int, d *loader.Deployer) bool {
	env, other := u.sides[side], u.sides[1-side]
	whole := func(env *loader.Environment) bool {
		return slices.ContainsFunc(env.Releases, func(r loader.Release) bool { return r.By == d.ID })
	}
	alone := &loader.Deployer{ID: d.ID, At: d.At} // a gap of what deploys it would stand for all of it
	return whole(other) && !whole(env) || slices.ContainsFunc(env.Gaps, func(g loader.Gap) bool {
		return g.CoversAllOf(alone) && !slices.ContainsFunc(other.Gaps, func(had loader.Gap) bool { return had.String() == g.String() && had.CoversAllOf(alone) })
	})
}
