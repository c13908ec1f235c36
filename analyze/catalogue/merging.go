package catalogue

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/settle"
)

// Way is how the policies that a target meets become one spec.
type Way uint8

// The ways. HigherDictates is the rule of GEP-713.
const (
	// HigherDictates: between two levels the less specific policy chooses the algorithm.
	HigherDictates Way = iota
	// LowerDictates: the most specific policy counts whole, unless it asks to be merged with
	// those above (Envoy Gateway, mergeType).
	LowerDictates
	// LowestAlone: the most specific policy counts, and policies of different levels are not merged.
	LowestAlone
	// Collected: all policies count, one after the other.
	Collected
	// OlderDialect: each policy has defaults and overrides, which merge separately.
	OlderDialect
)

// Merging is how the policies of one kind meet, compiled from the kind's entry once.
type Merging struct {
	Way Way
	// LevelAlgorithm is the algorithm between levels where no policy chooses one,
	// SameAlgorithm that among policies at one level.
	LevelAlgorithm, SameAlgorithm merge.Algorithm
	// Closest reports whether a policy merges only with the closest less specific policy.
	Closest bool
	// PerObject says that nothing passes from one object to another: what is effective at an
	// object is what the root namespace, its Namespace and the object itself say.
	PerObject bool
	// OneByOne says that the policies at one place act as if each had a level of its own, the
	// older below the newer.
	OneByOne bool
	// PerTarget says that the same policies may come to another spec at another target. With
	// Beyond that depends on more than the target's own node: on its fields, or on policies of
	// other kinds.
	PerTarget, Beyond bool
	// Settling is what the kind makes of its merged specs at a target.
	Settling settle.Settling

	units  []string
	oneOf  [][]string
	yields []Yield
	// routesChoose says that only policies on routes may choose how they merge.
	routesChoose bool
	first        []Level
	skips        map[[2]Level]bool
}

func compileMerging(e *Entry) Merging {
	levels := e.Merge.Levels
	m := Merging{
		LevelAlgorithm: merge.Atomic, SameAlgorithm: merge.FromLevels,
		Closest: levels.Hops == ClosestHop, PerObject: levels.Hops == ObjectHops,
		Settling: settle.By(e.Merge.Settle),
		units:    e.Merge.Units, oneOf: e.Merge.OneOf, yields: e.Merge.Yields,
		routesChoose: levels.Select != nil && levels.Select.Kinds == "routes-only",
		skips:        map[[2]Level]bool{},
	}
	if Class(e.Class) == Direct {
		m.SameAlgorithm = merge.None
	}
	if a := levels.Algorithm; a != "" {
		m.LevelAlgorithm = merge.Algorithm(a)
	}
	if a := e.Merge.Same.Algorithm; a != "" {
		m.SameAlgorithm = merge.Algorithm(a)
	}
	lowerDictates := levels.Select != nil && levels.Select.At == moreSpecific
	switch {
	case m.LevelAlgorithm == merge.DefaultOverride:
		m.Way = OlderDialect
	case m.LevelAlgorithm == merge.Collect || m.SameAlgorithm == merge.Collect:
		m.Way = Collected
	case lowerDictates:
		m.Way = LowerDictates
	case m.Closest || levels.Hops == NoHops:
		m.Way = LowestAlone
	}
	m.OneByOne = e.Merge.Same.Tie == NewestTarget || m.SameAlgorithm == merge.Collect
	m.Beyond = len(e.Into) > 0 || slices.ContainsFunc(m.yields, func(y Yield) bool { return y.To != "" })
	m.PerTarget = m.Beyond || e.Merge.Settle != "" || len(m.yields) > 0
	for _, word := range e.Merge.Same.First {
		m.first = append(m.first, levelWords[word])
	}
	for _, s := range levels.Skip {
		m.skips[[2]Level{levelWords[s.From], levelWords[s.Over]}] = true
	}
	return m
}

// Older says whether the kind has defaults and overrides in one policy, as the older GEPs say.
func (m *Merging) Older() bool { return m.Way == OlderDialect }

// Strategy combines an algorithm with the kind's units and alternative field names.
func (m *Merging) Strategy(a merge.Algorithm) merge.Strategy {
	return merge.Strategy{Algorithm: a, Units: m.units, OneOf: m.oneOf}
}

// MayChoose reports whether a policy at a place may choose how it merges.
func (m *Merging) MayChoose(p Level) bool {
	return !m.routesChoose || p.Level == hierarchy.LevelRoute || p.Level == hierarchy.LevelRule
}

// FirstAlone reports whether only the first policy at a place counts.
func (m *Merging) FirstAlone(p Level) bool { return slices.Contains(m.first, p) }

// Skips reports whether policies at two places never merge with each other, such as those of a
// rule and of its route in Envoy Gateway.
func (m *Merging) Skips(lower, higher Level) bool { return m.skips[[2]Level{lower, higher}] }

// Differs is a key of a target, for kinds that are not Beyond. At targets with the same key, the
// same policies result in the same spec.
func (m *Merging) Differs(at *hierarchy.Node) string {
	if at == nil || !m.PerTarget {
		return ""
	}
	var b strings.Builder
	if differs := m.Settling.Differs; differs != nil {
		b.WriteString(differs(at))
	}
	for _, y := range m.yields {
		b.WriteByte('|')
		if y.By(at) != nil {
			b.WriteString(y.Path)
		}
	}
	return b.String()
}
