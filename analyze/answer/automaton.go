package answer

import (
	"encoding/binary"
	"hash/maphash"
	"regexp/syntax"
	"slices"
	"strings"
)

// automaton runs several regular expressions over one text.
type automaton struct {
	programs []*syntax.Prog
	// letters represent the characters that no expression tells apart.
	letters []rune
	// steps is what the search may still cost: one for each instruction that is looked at.
	steps *int
}

// newAutomaton joins the programs of expressions. text is the part of a request that they match.
func newAutomaton(all []*pattern, text part, steps *int) *automaton {
	a := &automaton{steps: steps}
	for _, p := range all {
		a.programs = append(a.programs, p.program)
	}
	a.letters = a.alphabet(text)
	return a
}

// alphabet returns up to three characters of each range that no expression tells apart.
func (a *automaton) alphabet(text part) []rune {
	bounds := []rune{' ', '!', '"', '/', '0', '~' + 1}
	for _, p := range a.programs {
		for i := range p.Inst {
			in := &p.Inst[i]
			switch in.Op {
			case syntax.InstRune, syntax.InstRune1:
				if len(in.Rune) == 1 {
					bounds = append(bounds, in.Rune[0], in.Rune[0]+1)
					for _, folded := range []string{strings.ToUpper(string(in.Rune[0])), strings.ToLower(string(in.Rune[0]))} {
						r := []rune(folded)[0]
						bounds = append(bounds, r, r+1)
					}
					continue
				}
				for j := 0; j+1 < len(in.Rune); j += 2 {
					bounds = append(bounds, in.Rune[j], in.Rune[j+1]+1)
				}
			default:
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	var out []rune
	for i := range bounds[:len(bounds)-1] {
		n := 0
		for r := bounds[i]; r < bounds[i+1] && n < 3; r++ {
			if text.holds(r) {
				out = append(out, r)
				n++
			}
		}
	}
	// Letters and digits come first: they make plainer texts.
	slices.SortStableFunc(out, func(x, y rune) int { return plainness(x) - plainness(y) })
	return out
}

// holds reports whether a part of a request may hold a character.
func (p part) holds(r rune) bool {
	switch p {
	case pathPart:
		return r > ' ' && r != '?' && r != '#'
	case cookiePart:
		return r > ' ' && !strings.ContainsRune(`";,`, r)
	default:
		return r >= ' '
	}
}

func plainness(r rune) int {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return 0
	case 'A' <= r && r <= 'Z':
		return 1
	}
	return 2
}

// states are the instructions that each program may be at.
type states [][]uint32

// begin returns the states before any text.
func (a *automaton) begin() states {
	out := make(states, len(a.programs))
	for i, p := range a.programs {
		out[i] = closure(p, []uint32{uint32(p.Start)}, syntax.EmptyBeginText|syntax.EmptyBeginLine)
	}
	return out
}

// step returns the states after a character.
func (a *automaton) step(s states, r rune) states {
	out := make(states, len(a.programs))
	for i, p := range a.programs {
		*a.steps -= 1 + len(s[i])
		var next []uint32
		for _, pc := range s[i] {
			in := &p.Inst[pc]
			switch in.Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				if in.MatchRune(r) {
					next = append(next, in.Out)
				}
			default:
			}
		}
		if len(next) > 0 {
			out[i] = closure(p, next, 0)
			*a.steps -= len(out[i])
		}
	}
	return out
}

// matched reports for each program whether it matches the text so far as a whole: "010".
func (a *automaton) matched(s states) string {
	out := make([]byte, len(a.programs))
	for i, p := range a.programs {
		out[i] = '0'
		if slices.ContainsFunc(closure(p, s[i], syntax.EmptyEndText|syntax.EmptyEndLine), func(pc uint32) bool { return p.Inst[pc].Op == syntax.InstMatch }) {
			out[i] = '1'
		}
	}
	return string(out)
}

// closure adds the instructions that are reached without a character. Assertions hold if they are in
// holds; the others stay, as they may hold at the end of the text.
func closure(p *syntax.Prog, from []uint32, holds syntax.EmptyOp) []uint32 {
	if len(from) == 0 {
		return nil
	}
	seen := map[uint32]bool{}
	var out []uint32
	for len(from) > 0 {
		pc := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		in := &p.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			from = append(from, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			from = append(from, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^holds == 0 {
				from = append(from, in.Out)
			} else {
				out = append(out, pc)
			}
		case syntax.InstFail:
		case syntax.InstMatch, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			out = append(out, pc)
		}
	}
	slices.Sort(out)
	return out
}

// digest is a hash of states, with a text if it matters.
func (a *automaton) digest(seed maphash.Seed, s states, text string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var word [4]byte
	for _, set := range s {
		for _, pc := range set {
			binary.LittleEndian.PutUint32(word[:], pc+1)
			_, _ = h.Write(word[:])
		}
		_ = h.WriteByte(0)
	}
	_, _ = h.WriteString(text)
	return h.Sum64()
}

func (s states) dead() bool {
	return !slices.ContainsFunc(s, func(set []uint32) bool { return len(set) > 0 })
}

// maxStates limits the search for one set of texts, and with it what it keeps in memory; shareOfSteps is the
// part of the steps left that it may take.
const (
	maxStates    = 4000
	shareOfSteps = 8
)

// region is a set of texts: those that begin with start and are not known by themselves.
type region struct {
	start string
	// known are the texts that are not in the set, on the ways to them, and where another set begins.
	known   func(text string) bool
	leadsTo func(text string) bool
	leaves  func(text string, next rune) bool
}

// texts returns a text of a region for each combination of expressions that match one. It is false if
// the region was not searched whole.
func (a *automaton) texts(in region) (out []string, whole bool) {
	type node struct {
		text   string
		states states
	}
	first := node{in.start, a.begin()}
	for _, r := range in.start {
		first.states = a.step(first.states, r)
	}
	enough := *a.steps - *a.steps/shareOfSteps
	var queue []node
	seed := maphash.MakeSeed()
	seen, found := map[uint64]bool{}, map[string]bool{}
	// What was seen before is dropped here, so that the queue keeps no more than maxStates.
	add := func(n node) {
		apart := ""
		if in.leadsTo(n.text) || in.known(n.text) {
			apart = n.text
		}
		if n.states.dead() && apart == "" && found[strings.Repeat("0", len(n.states))] {
			return
		}
		if key := a.digest(seed, n.states, apart); !seen[key] {
			seen[key], queue = true, append(queue, n)
		}
	}
	add(first)
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if len(seen) > maxStates || *a.steps <= enough {
			return nil, false
		}
		if !in.known(at.text) {
			if vector := a.matched(at.states); !found[vector] {
				found[vector] = true
				out = append(out, at.text)
			}
		}
		if at.states.dead() && !in.leadsTo(at.text) && !in.known(at.text) {
			continue
		}
		for _, r := range a.letters {
			if !in.leaves(at.text, r) {
				add(node{at.text + string(r), a.step(at.states, r)})
			}
		}
	}
	return out, true
}
