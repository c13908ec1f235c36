// Package effective computes effective policies: for each context from a root
// of the hierarchy to an effective target, the policies on the way folded into
// one (GEP-713, Abstract process for calculating Effective policies).
//
// Contexts multiply (gateways × listeners × routes × rules × backends) and are
// never enumerated. What flows down the graph are states: a state names the
// sequence of policies met from the root on, hash-consed in a trie, so that
// equal sequences are one integer, in both revisions. A merge is done only
// when somebody asks for the policy of a state.
package effective

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Run is the analysis of one environment of one revision.
type Run struct {
	Environment *loader.Environment

	Graph    *hierarchy.Graph
	Attached *policy.Attachments

	states *States
	// sets finds this revision's policies behind the ids of the shared trie.
	sets  map[setID]placed
	ids   map[placeKey]setID
	folds map[foldKey]*Policy
	// groups are the policies of one level, resolved once.
	groups map[placeKey]element
	// folded counts the leaves in folds.
	folded int
}

// placed is a set of policies at a place of a context.
type placed struct {
	*policy.Set
	place policy.Level
}

type placeKey struct {
	set   *policy.Set
	place policy.Level
}

// NewRun prepares a run. Runs that are to be compared share their States.
func NewRun(env *loader.Environment, g *hierarchy.Graph, a *policy.Attachments, states *States) *Run {
	return &Run{
		Environment: env, Graph: g, Attached: a, states: states,
		sets: map[setID]placed{}, ids: map[placeKey]setID{}, folds: map[foldKey]*Policy{},
		groups: map[placeKey]element{},
	}
}

// stepsAt are the steps at a node, in the order of policy.Parts. A Direct policy
// does not span, and one on a section is carved out of the reach of the one on
// its object (GEP-2648, Section Names).
func (r *Run) stepsAt(n *hierarchy.Node, k *policy.Kind) steps {
	out := noSteps()
	for i, part := range policy.Parts {
		above := part == policy.OfNamespace || part == policy.OfRoot
		place := policy.Level{Level: n.Level, Part: part}
		if above && (n.Owner != nil || n.Namespace() == "" || k.Class() == policy.Direct || !k.Has(place) || !k.Controllers.Governs(r.Graph, n)) {
			continue
		}
		// Where all were rejected as a whole nothing is met.
		if set := r.Attached.AtPart(n, part, k); set != nil && len(set.Policies) > 0 {
			out.sets[i] = r.id(set, place)
			out.above = out.above || above
			out.fresh = out.fresh || part == policy.Own
		}
	}
	out.fresh = k.Class() == policy.Direct && (n.Owner == nil || out.fresh)
	return out
}

// take is the state after the steps of a node. A Namespace's policies count
// where it stands highest: an object counts once per context.
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

// id is the number of a set at a place in the shared trie.
func (r *Run) id(set *policy.Set, place policy.Level) setID {
	key := placeKey{set: set, place: place}
	id, ok := r.ids[key]
	if !ok {
		id = r.states.intern(set.Key, place)
		r.ids[key] = id
		r.sets[id] = placed{Set: set, place: place}
	}
	return id
}

// sequence is the sets of a state, from the root down.
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
