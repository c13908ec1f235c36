package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/settle"
	"github.com/gwplan/gwplan/loader"
)

// Policy is an effective policy: the folded policies of a kind for the contexts of one state.
type Policy struct {
	Kind *catalogue.Kind
	// Spec is the merged spec proper, nil if it is empty. Each leaf has its source.
	Spec *merge.Tree
	// Shares list how much of each policy of the state is in force, from the root down.
	Shares []Share
	// AgeSensitive is true if a time that is not in the input could change the spec. DecidedBy is
	// then the rule that broke the tie.
	AgeSensitive bool
	DecidedBy    string
	// Drawn are the referenced objects that add settings to the spec, in the order of their places.
	Drawn []Drawn
	// Yielded are the fields that were left out in favour of policies of other kinds, or of the
	// target's own fields.
	Yielded []Yielded
	// Uncertain is true if it is not known whether one of the policies attaches.
	Uncertain bool

	size int
}

// Share is the enforcement of one policy in an effective policy.
type Share struct {
	Policy      *policy.Policy
	Enforcement plan.Enforcement
	// Void means that the controller refused the policy at this target.
	Void bool
	// Failing says why requests to this target fail because of the policy, or is empty.
	Failing string
}

type foldKey struct {
	kind  *catalogue.Kind
	state State
	// target is set for kinds whose spec depends on the individual target. For other kinds, targets
	// with equal differs get the same spec.
	target  *hierarchy.Node
	differs string
	// sure is set if the policies are left out of which it is unknown whether they attach.
	sure bool
}

// Policy folds the policies of a state into the effective policy of a target. It returns nil for a
// context that has met no policy.
func (r *Run) Policy(k *catalogue.Kind, s State, target *hierarchy.Node) *Policy {
	return folded(r, k, s, target, false)
}

// Sure is the effective policy without the policies of which it is unknown whether they attach.
func Sure(r *Run, k *catalogue.Kind, s State, target *hierarchy.Node) *Policy {
	return folded(r, k, s, target, true)
}

func folded(r *Run, k *catalogue.Kind, s State, target *hierarchy.Node, sure bool) *Policy {
	if s <= Start {
		return nil
	}
	key := foldKey{kind: k, state: s, differs: differs(r, k, target), sure: sure}
	if k.Beyond {
		key.target = target
	}
	if p, ok := r.folds[key]; ok {
		return p
	}
	if !k.PerTarget {
		target = nil
	}
	sets := r.sequence(s)
	if sure {
		sets = slices.DeleteFunc(sets, func(set placed) bool { return set.Uncertain })
	}
	p := r.fold(k, sets, target)
	if r.folded += p.size; r.folded > maxFolded {
		clear(r.folds)
		r.folded = p.size
	}
	r.folds[key] = p
	return p
}

// maxFolded limits the memory of folded policies, in leaves. Policies dropped from the cache are
// folded again on demand.
const maxFolded = 1 << 19

func (r *Run) fold(k *catalogue.Kind, sets []placed, target *hierarchy.Node) *Policy {
	p := &Policy{Kind: k}
	stack := withoutTLS(r, k, r.elements(k, sets), target)
	merged := combine(k, stack, target)
	p.Spec = settled(k, merged, target)
	p.Spec, p.Yielded = r.yield(k, p.Spec, target)
	if k.Settling.Spec != nil || len(p.Yielded) > 0 {
		merged = p.Spec
	}
	p.share(stack, merged, target)
	if !unaffectedByTLS(r, k, target) {
		for i := range p.Shares {
			p.Shares[i].Failing = p.Shares[i].Policy.Failing()
		}
	}
	for _, set := range sets {
		p.Uncertain = p.Uncertain || set.Uncertain
	}
	r.judgeAge(p, k, sets, target)
	p.draw()
	return p
}

// settled returns the final spec of a merged tree at a target.
func settled(k *catalogue.Kind, merged *merge.Tree, target *hierarchy.Node) *merge.Tree {
	spec := merged.Strip()
	if comesTo := k.Settling.Spec; comesTo != nil && spec != nil && target != nil {
		return comesTo(spec, settle.Target{Node: target, Root: k.Target.Root})
	}
	return spec
}

// element is one step of a fold: the policies of one place that act as one.
type element struct {
	place catalogue.Level
	// target is the policies' target, for kinds with their own fold function.
	target    hierarchy.Target
	algorithm merge.Algorithm
	direction merge.Role
	spec      *merge.Tree
	// defaults and overrides are the bodies of the older dialect.
	defaults, overrides *merge.Tree
	policies            []*policy.Policy
	// void means that nothing of the policies applies there.
	void bool
	// route and inherit are copied from the set, see policy.Set.
	route   loader.ID
	inherit merge.Role
}

// elements converts the sets of a sequence into the steps of its fold, from the least specific to
// the most specific.
func (r *Run) elements(k *catalogue.Kind, sets []placed) []element {
	var out []element
	for _, set := range sets {
		if k.Settling.Fold != nil {
			for _, p := range slices.Backward(set.Policies) {
				e := single(p, set.place)
				e.target = set.Target
				out = append(out, e)
			}
			continue
		}
		if k.OneByOne {
			// Kuadrant: at one target the older policy acts as the less specific one.
			first := k.FirstAlone(set.place)
			for i, p := range set.Policies {
				e := single(p, set.place)
				if first && i > 0 {
					e.spec = nil
				}
				e.route, e.inherit = set.Route, set.Inherit
				out = append(out, e)
			}
			continue
		}
		key := placeKey{set: set.Set, place: set.place}
		e, ok := r.groups[key]
		if !ok {
			e = group(k, set)
			r.groups[key] = e
		}
		out = append(out, e)
	}
	return out
}

func single(p *policy.Policy, place catalogue.Level) element {
	return element{
		place: place, algorithm: p.Algorithm, direction: p.Direction, spec: p.Spec,
		defaults: p.Defaults, overrides: p.Overrides, policies: []*policy.Policy{p},
	}
}

// group merges the policies of one level into one step. The older policy wins (as a whole where
// specs are atomic, else per field). The step takes the strategy of the first policy.
func group(k *catalogue.Kind, set placed) element {
	out := single(set.Policies[0], set.place)
	out.policies, out.route, out.inherit = set.Policies, set.Route, set.Inherit
	algorithm := k.SameAlgorithm
	if algorithm == merge.FromLevels {
		algorithm = out.algorithm
	}
	strategy := k.Strategy(algorithm)
	leafwise := merge.Strategy{Algorithm: merge.LeafWise}
	out.spec, out.defaults, out.overrides = nil, nil, nil
	for _, older := range slices.Backward(set.Policies) {
		out.spec = strategy.Merge(older.Spec, out.spec)
		out.defaults = leafwise.Merge(older.Defaults, out.defaults)
		out.overrides = leafwise.Merge(older.Overrides, out.overrides)
	}
	if set.Nothing != nil {
		out.spec, out.void = set.Nothing, true
	}
	return out
}

// share records how much of each policy survived: all of its leaves, some or none.
func (p *Policy) share(stack []element, merged *merge.Tree, target *hierarchy.Node) {
	alive := map[*loader.Object]int{}
	// A value that is written once may appear at several places.
	places := map[*loader.Object]map[loader.Mark]bool{}
	perTarget := p.Kind.PerTarget && target != nil
	eachLeaf(merged, func(leaf *merge.Tree) {
		p.size++
		if leaf.Source == nil {
			return
		}
		o := leaf.Source.Object
		alive[o]++
		if perTarget && leaf.Value != nil {
			if places[o] == nil {
				places[o] = map[loader.Mark]bool{}
			}
			places[o][leaf.Value.Mark] = true
		}
	})
	shown := map[*policy.Policy]bool{}
	for _, e := range stack {
		for _, member := range e.policies {
			// One policy may target two levels of a context.
			if shown[member] {
				continue
			}
			shown[member] = true
			left, total := alive[member.Object], member.Leaves()
			if perTarget {
				left = len(places[member.Object])
				total = left + p.countLost(e, member, merged, places[member.Object], target)
			}
			share := Share{Policy: member, Enforcement: enforcement(left, total)}
			if e.void || member.Unmergeable != nil && share.Enforcement == plan.Overridden {
				share.Enforcement, share.Void = plan.NotEnforced, true
			}
			p.Shares = append(p.Shares, share)
		}
	}
}

// eachLeaf visits the leaves without their paths, because building paths costs more than visiting
// the leaves.
func eachLeaf(t *merge.Tree, visit func(*merge.Tree)) {
	if t == nil {
		return
	}
	if len(t.Entries) == 0 {
		visit(t)
		return
	}
	for _, e := range t.Entries {
		eachLeaf(e.Tree, visit)
	}
}

// countLost counts the values of a policy that would be in force at a target if it were the only
// policy there, but are not in force now. here holds the marks of the values that are in force.
func (p *Policy) countLost(e element, member *policy.Policy, merged *merge.Tree, here map[loader.Mark]bool, target *hierarchy.Node) int {
	own := single(member, e.place)
	own.target = e.target
	step := []element{own}
	alone := combineAt(p.Kind, step, target)
	if len(p.Kind.Into) > 0 {
		alone = combineInto(p.Kind, step, target, nil)
	}
	lost := 0
	settled(p.Kind, alone, target).Walk(func(path []string, leaf *merge.Tree) {
		if leaf.Source == nil || leaf.Source.Object != member.Object || leaf.Value == nil {
			return
		}
		at := merged
		for _, key := range path {
			at = at.Get(key)
		}
		taken := at != nil && at.Source != nil && at.Source.Object != member.Object
		if taken || !here[leaf.Value.Mark] {
			lost++
		}
	})
	return lost
}

func enforcement(alive, total int) plan.Enforcement {
	switch {
	case total == 0:
		return plan.NotEnforced
	case alive == 0:
		return plan.Overridden
	case alive >= total:
		return plan.Enforced
	}
	return plan.PartiallyEnforced
}

// maxRivals limits how many policies of one level are tried in another order.
const maxRivals = 8

// judgeAge folds again with another policy first, for each policy that could be first according to
// times that only the cluster has. If a spec differs, the effective policy is age-sensitive.
func (r *Run) judgeAge(p *Policy, k *catalogue.Kind, sets []placed, target *hierarchy.Node) {
	for i, set := range sets {
		if !set.Unsure {
			continue
		}
		all := slices.Concat(set.Policies, set.Losers)
		for j := 1; j < min(len(all), maxRivals); j++ {
			other := *set.Set
			other.Policies = slices.Concat(all[j:j+1], all[:j], all[j+1:])
			if len(set.Losers) > 0 {
				other.Policies = other.Policies[:1]
			}
			swapped := slices.Clone(sets)
			swapped[i] = placed{Set: &other, place: set.place}
			again, _ := r.yield(k, settled(k, combine(k, r.elements(k, swapped), target), target), target)
			delete(r.groups, placeKey{set: &other, place: set.place}) // nobody asks for it again
			if !merge.Equal(again, p.Spec) {
				p.AgeSensitive, p.DecidedBy = true, set.DecidedBy
				return
			}
		}
	}
}
