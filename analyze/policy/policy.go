package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Policy is one policy of an environment.
type Policy struct {
	Kind   *Kind
	Object *loader.Object
	// Invalid says why the policy as a whole is rejected, or is empty.
	Invalid string
	// Resolved is the verdict on the objects that the policy refers to; its type is
	// empty where the kind has none.
	Resolved hierarchy.Condition
	// Broken is why a backend of the policy cannot be used, with its place; nil where
	// all can, or nobody asks.
	Broken *hierarchy.Condition
	// FailsOpen says that requests pass without it then.
	FailsOpen bool
	// Draws are the objects that the policy draws settings from, under the values that
	// name them in references.
	Draws map[*loader.Value]*Draw
	// References are the declared targets, in document order.
	References []*Reference
	// Notes say what was read kindly or assumed.
	Notes []Note

	// DryRun is the annotation, NAME=VALUE, that has the policy evaluated without
	// effect.
	DryRun string

	// Algorithm and Direction are those that the policy itself asks for.
	Algorithm merge.Algorithm
	Direction merge.Role
	// Spec is the spec proper, nil if the kind counts it as absent. Defaults
	// and Overrides are the two bodies of the older dialect, of which Spec is
	// then unused.
	Spec, Defaults, Overrides *merge.Tree

	leaves int
	// draws are Draws in the order in which they were found.
	draws []*Draw
}

// Leaves counts the values that the policy sets.
func (p *Policy) Leaves() int { return p.leaves }

func (p *Policy) countLeaves() {
	for _, body := range []*merge.Tree{p.Spec, p.Defaults, p.Overrides} {
		body.Walk(func([]string, *merge.Tree) { p.leaves++ })
	}
}

// Involves are the objects on which its verdict hangs.
func (p *Policy) Involves() []loader.ID {
	out := slices.Clone(p.Resolved.Involves)
	if p.Broken != nil {
		out = append(out, p.Broken.Involves...)
	}
	return out
}

// ID is the policy's identity.
func (p *Policy) ID() loader.ID { return p.Object.ID }

// Note is a remark at a place of a policy.
type Note struct {
	Text string
	At   *loader.Value
}

// Reference is one declared target of a policy and what becomes of it.
type Reference struct {
	Policy *Policy
	Target hierarchy.Target
	// Ref is the reference as written: it gives the place, in the policy or, if it is
	// the one that points, in Owner.
	Ref   *loader.Value
	Owner *loader.Object
	// Part says what of Nodes, the targets in the hierarchy, is meant. Where it is a
	// Namespace, or all of them, there are no Nodes.
	Part      Part
	Nodes     []*hierarchy.Node
	Namespace string
	// Accepted, Reason and Message are the verdict (GEP-713, Policy status).
	Accepted        fact.Fact
	Reason, Message string
	// DidYouMean is the name of an object written almost like a target that is
	// not in the input.
	DidYouMean string
	// Holds says that the policy stands at the target though it is not accepted there:
	// what it asks for fails, and no other policy takes its place.
	Holds bool
	// LostTo is the policy that won the conflict at this target.
	LostTo *Policy
	// numbered says that sections go by the numbers of ports.
	numbered bool
}

// Hangs says whether the policy stands at the target, as far as is known.
func (r *Reference) Hangs() bool { return r.Accepted != fact.False || r.Holds }

// Reasons of a reference that is not accepted.
const (
	Accepted       = "Accepted"
	TargetNotFound = "TargetNotFound"
	Invalid        = "Invalid"
	Conflicted     = "Conflicted"
	RefNotAllowed  = "RefNotPermitted"
	NotInInput     = "NotInInput"
	NotBound       = "AncestorNotBound"
)

// Position is where the reference is written.
func (r *Reference) Position() loader.Position {
	if r.Owner != nil {
		return r.Owner.Position(r.Ref)
	}
	return r.Policy.Object.Position(r.Ref)
}
