package change

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
)

// pair is a context of base and its counterpart in head.
type pair struct {
	before, after effective.Flow
}

// moved reports whether the two are different contexts.
func (p pair) moved() bool {
	return p.before.States != p.after.States || p.before.States[effective.Base] == effective.Absent ||
		p.before.States[effective.Head] == effective.Absent
}

type pairing struct {
	pairs        []pair
	lost, gained []effective.Flow
}

// pairFlows pairs the contexts of one target. A context on both sides is its own counterpart. A
// context of only one side is paired with the most similar context that only the other side has. A
// route that moves from one Gateway to another then shows what it loses and gains. A context is
// lost or gained only if there is no candidate on the other side.
func pairFlows(flows []effective.Flow) pairing {
	var out pairing
	for _, f := range flows {
		switch {
		case f.States[effective.Head] == effective.Absent:
			out.lost = append(out.lost, f)
		case f.States[effective.Base] == effective.Absent:
			out.gained = append(out.gained, f)
		default:
			out.pairs = append(out.pairs, pair{before: f, after: f})
		}
	}
	if len(out.lost) == 0 || len(out.gained) == 0 {
		return out
	}
	type key struct{ lost, gained int }
	chosen := map[key]bool{}
	for l := range out.lost {
		chosen[key{lost: l, gained: best(out.lost[l], out.gained)}] = true
	}
	for g := range out.gained {
		chosen[key{lost: best(out.gained[g], out.lost), gained: g}] = true
	}
	for l := range out.lost {
		for g := range out.gained {
			if chosen[key{lost: l, gained: g}] {
				out.pairs = append(out.pairs, pair{before: out.lost[l], after: out.gained[g]})
			}
		}
	}
	out.lost, out.gained = nil, nil
	return out
}

// best returns the index of the flow whose path is most similar to that of f.
func best(f effective.Flow, candidates []effective.Flow) int {
	found, most := 0, -1
	for i, candidate := range candidates {
		if s := similarity(f.Samples[0], candidate.Samples[0]); s > most {
			found, most = i, s
		}
	}
	return found
}

// similarity scores two paths: 2 for each shared node, 1 for sections of the same level and name.
func similarity(a, b *effective.Path) int {
	score := 0
	for p := a; p != nil; p = p.Up {
		for q := b; q != nil; q = q.Up {
			switch {
			case p.Node == q.Node:
				score += 2
			case p.Node.Level == q.Node.Level && p.Node.Any().Target.Section != "" &&
				p.Node.Any().Target.Section == q.Node.Any().Target.Section:
				score++
			}
		}
	}
	return score
}

func specOf(p *effective.Policy) *merge.Tree {
	if p == nil {
		return nil
	}
	return p.Spec
}
