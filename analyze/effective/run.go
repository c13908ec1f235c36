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
	place policy.Place
}

type placeKey struct {
	set   *policy.Set
	place policy.Place
}

// NewRun prepares a run. Runs that are to be compared share their States.
func NewRun(env *loader.Environment, g *hierarchy.Graph, a *policy.Attachments, states *States) *Run {
	return &Run{
		Environment: env, Graph: g, Attached: a, states: states,
		sets: map[setID]placed{}, ids: map[placeKey]setID{}, folds: map[foldKey]*Policy{},
		groups: map[placeKey]element{},
	}
}

// step is the state after passing a node: its Namespace first, if the kind has
// that level and the context has not passed it yet, then the node itself.
func (r *Run) step(s State, k *policy.Kind, n *hierarchy.Node) State {
	if n.Owner == nil && n.Namespace() != "" {
		s = r.stepNamespace(s, k, n)
	}
	if k.Class() == policy.Direct && (n.Owner == nil || r.Attached.At(n, k) != nil) {
		// A Direct policy does not span, and one on a section is carved out of
		// the reach of the one on its object (GEP-2648, Section Names).
		s = Start
	}
	if set := r.Attached.At(n, k); set != nil {
		s = r.push(s, set, policy.Place{Level: n.Level})
	}
	return s
}

// stepNamespace adds a Namespace's policies where it stands highest: an object
// counts once per context.
func (r *Run) stepNamespace(s State, k *policy.Kind, n *hierarchy.Node) State {
	place := policy.Place{Level: n.Level, Namespace: true}
	if !k.Has(place) {
		return s
	}
	set := r.Attached.AtNamespace(n.Namespace(), k)
	if set == nil || r.passed(s, set) {
		return s
	}
	return r.push(s, set, place)
}

func (r *Run) passed(s State, set *policy.Set) bool {
	for ; s != Start; s = r.states.parent(s) {
		if r.sets[r.states.set(s)].Set == set {
			return true
		}
	}
	return false
}

func (r *Run) push(s State, set *policy.Set, place policy.Place) State {
	key := placeKey{set, place}
	id, ok := r.ids[key]
	if !ok {
		id = r.states.intern(set.Key, place)
		r.ids[key] = id
		r.sets[id] = placed{set, place}
	}
	return r.states.step(s, id)
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
