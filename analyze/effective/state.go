package effective

import "github.com/gwplan/gwplan/analyze/catalogue"

// State identifies a sequence of policies met from a root on. Equal states mean equal sequences, of
// the same policies with the same specs, in either revision.
type State int32

// Absent is the state of a context that does not exist in one revision. Start is the state of a
// context that has met no policy.
const (
	Absent State = -1
	Start  State = 0
)

type setID int32

// States is the trie of all sequences met. Runs that are compared share it. Its keys are contents,
// and it stores no results of a run.
type States struct {
	sets  map[setKey]setID
	nodes []transition
	// slots is a hash table with open addressing from transitions to nodes. There may be a million
	// nodes, and a walk looks up each of them. Zero is an empty slot; Start has no transition.
	slots []State
}

type setKey struct {
	content string
	place   catalogue.Level
}

type transition struct {
	from State
	set  setID
}

// NewStates makes an empty trie.
func NewStates() *States {
	return &States{
		sets: map[setKey]setID{}, nodes: make([]transition, 1), slots: make([]State, 64),
	}
}

// Len returns the number of states.
func (t *States) Len() int { return len(t.nodes) }

func (t *States) intern(content string, place catalogue.Level) setID {
	key := setKey{content: content, place: place}
	id, ok := t.sets[key]
	if !ok {
		id = setID(len(t.sets))
		t.sets[key] = id
	}
	return id
}

func (t *States) step(from State, set setID) State {
	key := transition{from: from, set: set}
	at := t.slot(key)
	if t.slots[at] != 0 {
		return t.slots[at]
	}
	s := State(len(t.nodes))
	t.nodes = append(t.nodes, key)
	t.slots[at] = s
	if 2*len(t.nodes) > len(t.slots) {
		t.grow()
	}
	return s
}

// slot returns the index of the slot that holds a transition, or of the empty slot for it.
func (t *States) slot(key transition) int {
	// Multiplying by an odd constant near 2^64 divided by the golden ratio spreads consecutive
	// numbers.
	h := (uint64(key.from)<<32 | uint64(key.set)) * 0x9E3779B97F4A7C15
	last := len(t.slots) - 1
	for at := int(h>>32) & last; ; at = (at + 1) & last {
		if s := t.slots[at]; s == 0 || t.nodes[s] == key {
			return at
		}
	}
}

func (t *States) grow() {
	t.slots = make([]State, 2*len(t.slots))
	for s := 1; s < len(t.nodes); s++ {
		t.slots[t.slot(t.nodes[s])] = State(s)
	}
}

func (t *States) parent(s State) State { return t.nodes[s].from }
func (t *States) set(s State) setID    { return t.nodes[s].set }
