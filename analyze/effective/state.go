package effective

import "github.com/gwplan/gwplan/analyze/policy"

// State names a sequence of policies met from a root on. Equal states mean
// equal sequences, of the same policies with the same specs, in either
// revision.
type State int32

// Absent is the state of a context that one revision does not have, Start that
// of one that has met no policy.
const (
	Absent State = -1
	Start  State = 0
)

type setID int32

// States is the trie of all sequences met, shared by the runs that are to be
// compared. It is keyed by content and holds no result of either.
type States struct {
	sets  map[setKey]setID
	steps map[transition]State
	nodes []transition
}

type setKey struct {
	content string
	place   policy.Place
}

type transition struct {
	from State
	set  setID
}

// NewStates makes an empty trie.
func NewStates() *States {
	return &States{
		sets: map[setKey]setID{}, steps: map[transition]State{}, nodes: make([]transition, 1),
	}
}

// Len counts the states.
func (t *States) Len() int { return len(t.nodes) }

func (t *States) intern(content string, place policy.Place) setID {
	key := setKey{content, place}
	id, ok := t.sets[key]
	if !ok {
		id = setID(len(t.sets))
		t.sets[key] = id
	}
	return id
}

func (t *States) step(from State, set setID) State {
	key := transition{from, set}
	s, ok := t.steps[key]
	if !ok {
		s = State(len(t.nodes))
		t.steps[key] = s
		t.nodes = append(t.nodes, key)
	}
	return s
}

func (t *States) parent(s State) State { return t.nodes[s].from }
func (t *States) set(s State) setID    { return t.nodes[s].set }
