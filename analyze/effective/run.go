// Package effective computes effective policies. A context is a path from a root of the hierarchy
// to an effective target. For each context it folds the policies on the path into one (GEP-713,
// Abstract process for calculating Effective policies).
//
// The number of contexts is a product (gateways × listeners × routes × rules × backends), so they
// are never enumerated. Instead, states pass down the graph. A state identifies the sequence of
// policies met from the root on. Sequences are hash-consed in a trie, so that equal sequences are
// one integer, in both revisions. A merge is done only when the policy of a state is requested.
package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Run is the analysis of one environment of one revision.
type Run struct {
	Environment *loader.Environment

	Graph    *hierarchy.Graph
	Attached *policy.Attachments

	// Failing are the kinds with a policy that makes the requests to its targets fail.
	Failing []*catalogue.Kind

	states *States
	// sets maps the ids of the shared trie to this revision's policies.
	sets  map[setID]placed
	ids   map[placeKey]setID
	folds map[foldKey]*Policy
	// groups caches the step that the policies of one level merge into.
	groups map[placeKey]element
	// folded is the number of leaves in folds.
	folded int
	// alone joins the run with no other, tallies are those of Tallies. Both are nil until first used.
	alone   *Join
	tallies map[*catalogue.Kind]map[*policy.Policy]*Tally
}

// placed is a set of policies at a place of a context.
type placed struct {
	*policy.Set
	place catalogue.Level
}

type placeKey struct {
	set   *policy.Set
	place catalogue.Level
}

// NewRun prepares a run. Runs that are to be compared share their States.
func NewRun(env *loader.Environment, g *hierarchy.Graph, a *policy.Attachments, states *States) *Run {
	return &Run{
		Environment: env, Graph: g, Attached: a, Failing: failingKinds(a), states: states,
		sets: map[setID]placed{}, ids: map[placeKey]setID{}, folds: map[foldKey]*Policy{},
		groups: map[placeKey]element{},
	}
}

func failingKinds(a *policy.Attachments) []*catalogue.Kind {
	failing := map[*catalogue.Kind]bool{}
	for _, p := range a.Policies {
		if !failing[p.Kind] && p.Failing() != "" {
			failing[p.Kind] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(a.Kinds), func(k *catalogue.Kind) bool { return !failing[k] })
}

// stepsAt returns the steps at a node, in the order of policy.Parts. A Direct policy has no effect
// below its target, and a policy on a section replaces the one on its object there (GEP-2648,
// Section Names).
func (r *Run) stepsAt(n *hierarchy.Node, k *catalogue.Kind) steps {
	out := noSteps()
	for i, part := range catalogue.Parts {
		above := part == catalogue.OfNamespace || part == catalogue.OfRoot
		place := catalogue.Level{Level: n.Level, Part: part}
		set := r.Attached.AtPart(n, part, k)
		if set == nil || len(set.Policies) == 0 { // a set whose policies were all rejected as a whole is empty
			continue
		}
		if above && (n.Owner != nil || n.Namespace() == "" || k.Class() == catalogue.Direct || !k.Has(place) || !k.Controllers.Governs(r.Graph, n)) {
			continue
		}
		out.sets[i] = r.id(set, place)
		out.above = out.above || above
		out.fresh = out.fresh || part == catalogue.Own
	}
	out.fresh = k.Class() == catalogue.Direct && (n.Owner == nil || out.fresh)
	return out
}

// take returns the state after the steps of a node. The policies of a Namespace, or of the root
// namespace, count only once per context, at the first node that has them.
func (r *Run) take(s State, at steps) State {
	if at.fresh {
		s = Start
	}
	for _, id := range at.sets {
		if id == none || at.above && r.passed(s, r.sets[id].Set) {
			continue
		}
		s = r.states.step(s, id)
	}
	return s
}

func (r *Run) passed(s State, set *policy.Set) bool {
	for ; s != Start; s = r.states.parent(s) {
		if r.sets[r.states.set(s)].Set == set {
			return true
		}
	}
	return false
}

// id returns the number of a set at a place in the shared trie.
func (r *Run) id(set *policy.Set, place catalogue.Level) setID {
	key := placeKey{set: set, place: place}
	id, ok := r.ids[key]
	if !ok {
		id = r.states.intern(set.Key, place)
		r.ids[key] = id
		r.sets[id] = placed{Set: set, place: place}
	}
	return id
}

// ByCertainty returns the policies of a state that attach for certain, and those of which that is unknown.
func ByCertainty(r *Run, s State) (certain, doubtful map[loader.ID]bool) {
	certain, doubtful = map[loader.ID]bool{}, map[loader.ID]bool{}
	r.Met(s, func(set *policy.Set) {
		of := certain
		if set.Uncertain {
			of = doubtful
		}
		for _, p := range set.Policies {
			of[p.ID()] = true
		}
	})
	return certain, doubtful
}

// IsDoubtful reports whether it is unknown of a policy of a state whether it attaches.
func IsDoubtful(r *Run, s State) bool {
	doubtful := false
	r.Met(s, func(set *policy.Set) { doubtful = doubtful || set.Uncertain })
	return doubtful
}

// sequence returns the sets of a state, from the root down.
func (r *Run) sequence(s State) []placed {
	var out []placed
	for ; s > Start; s = r.states.parent(s) {
		out = append(out, r.sets[r.states.set(s)])
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
