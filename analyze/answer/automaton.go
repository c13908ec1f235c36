package answer

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// automaton runs several regular expressions over one text.
type automaton struct {
	programs []*syntax.Prog
	// letters represent the characters that no expression tells apart.
	letters []rune
}

// newAutomaton compiles expressions. It is false for those that RE2 does not have, and for word
// boundaries, which depend on what follows.
func newAutomaton(expressions []string) (*automaton, bool) {
	a := &automaton{}
	for _, expression := range expressions {
		parsed, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			return nil, false
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return nil, false
		}
		for i := range program.Inst {
			if in := &program.Inst[i]; in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
				return nil, false
			}
		}
		a.programs = append(a.programs, program)
	}
	a.letters = a.alphabet()
	return a, true
}

// alphabet returns up to three characters of each range that no expression tells apart.
func (a *automaton) alphabet() []rune {
	bounds := []rune{'!', '"', '/', '0', '~' + 1}
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
			if r > ' ' && !strings.ContainsRune(`?#%`, r) {
				out = append(out, r)
				n++
			}
		}
	}
	// Letters and digits come first: they make plainer texts.
	slices.SortStableFunc(out, func(x, y rune) int { return plainness(x) - plainness(y) })
	return out
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
		out[i] = closure(p, next, 0)
	}
	return out
}

// matched reports for each program whether it matches the text so far as a whole.
func (a *automaton) matched(s states) []bool {
	out := make([]bool, len(a.programs))
	for i, p := range a.programs {
		out[i] = slices.ContainsFunc(closure(p, s[i], syntax.EmptyEndText|syntax.EmptyEndLine), func(pc uint32) bool { return p.Inst[pc].Op == syntax.InstMatch })
	}
	return out
}

// closure adds the instructions that are reached without a character. Assertions hold if they are in
// holds; the others stay, as they may hold at the end of the text.
func closure(p *syntax.Prog, from []uint32, holds syntax.EmptyOp) []uint32 {
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

func (s states) key() string {
	var b strings.Builder
	for _, set := range s {
		for _, pc := range set {
			b.WriteRune(rune(pc) + 1)
		}
		b.WriteByte(0)
	}
	return b.String()
}

func (s states) dead() bool {
	return !slices.ContainsFunc(s, func(set []uint32) bool { return len(set) > 0 })
}

// maxStates limits the search for one set of texts.
const maxStates = 4000

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
	queue := []node{first}
	seen, found := map[string]bool{}, map[string]bool{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		key := at.states.key()
		if in.leadsTo(at.text) || in.known(at.text) {
			key += "\x00" + at.text
		}
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > maxStates {
			return out, false
		}
		if !in.known(at.text) {
			vector := ""
			for _, ok := range a.matched(at.states) {
				vector += map[bool]string{true: "1", false: "0"}[ok]
			}
			if !found[vector] {
				found[vector] = true
				out = append(out, at.text)
			}
		}
		if at.states.dead() && !in.leadsTo(at.text) && !in.known(at.text) {
			continue
		}
		for _, r := range a.letters {
			if !in.leaves(at.text, r) {
				queue = append(queue, node{at.text + string(r), a.step(at.states, r)})
			}
		}
	}
	return out, true
}
