// Package policy attaches policies to the hierarchy: what a policy sets, its target references,
// the verdict on each, and precedence among policies at one level (GEP-713).
package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Policy is one policy of an environment.
type Policy struct {
	Kind   *catalogue.Kind
	Object *loader.Object
	// Invalid says why the policy as a whole is rejected, or is empty. InvalidAt is where, nil for its whole spec.
	Invalid   string
	InvalidAt *loader.Value
	// Resolved is the ResolvedRefs condition for the objects that the policy refers to. Its type
	// is empty if the kind has no such references.
	Resolved hierarchy.Condition
	// Broken is the condition for a backend that cannot be used or a drawn object that does not
	// exist. It is nil if there is none, or if the kind does not check.
	Broken *hierarchy.Condition
	// BrokenAt are the listeners at which alone Broken is so, none for all.
	BrokenAt []*hierarchy.Node
	// Faults are all such conditions, of which Broken is the first: another policy that is merged over it may mend some.
	Faults []hierarchy.Condition
	// FailsOpen means that requests pass if Broken is set.
	FailsOpen bool
	// opened is the field of Spec that does nothing for that reason.
	opened string
	// Draws are the objects that the policy draws settings from, keyed by the values that name
	// them in references.
	Draws map[*loader.Value]*Draw
	// References are the declared targets, in document order.
	References []*Reference
	// Notes list what was assumed or read tolerantly.
	Notes []Note

	// DryRun is the annotation, NAME=VALUE, with which the policy is evaluated without effect.
	DryRun string

	// Algorithm and Direction are those that the policy itself selects. Unmergeable is the choice
	// that its controller does not know, because of which it refuses to merge the policy, or nil.
	Algorithm   merge.Algorithm
	Unmergeable *loader.Value
	Direction   merge.Role
	// Spec is the spec proper, nil if the kind counts it as absent. Defaults and Overrides are
	// the two bodies of the older dialect; Spec is then unused.
	Spec, Defaults, Overrides *merge.Tree

	// ignored means that the controller leaves the policy to others.
	ignored bool

	leaves int
	// draws are Draws in the order in which they were found.
	draws []*Draw
	// settings are the parameters of Gateways on which it depends whether the policy is accepted.
	settings []loader.ID
}

// Leaves counts the values that the policy sets.
func (p *Policy) Leaves() int { return p.leaves }

func (p *Policy) countLeaves() {
	p.leaves = 0
	for _, body := range []*merge.Tree{p.Spec, p.Defaults, p.Overrides} {
		body.Walk(func([]string, *merge.Tree) { p.leaves++ })
	}
}

// Involves are the objects that the policy's verdict depends on.
func (p *Policy) Involves() []loader.ID {
	out := slices.Concat(p.Resolved.Involves, p.settings)
	if p.Broken != nil {
		out = append(out, p.Broken.Involves...)
	}
	return out
}

// ID is the policy's identity.
func (p *Policy) ID() loader.ID { return p.Object.ID }

// Touches reports whether any field of the policy can have an effect at targets of a level.
func (p *Policy) Touches(level hierarchy.Level) bool {
	fields := p.Kind.Settling.Fields
	if fields == nil || p.Spec == nil {
		return true
	}
	elsewhere := map[string]bool{}
	for _, l := range p.Kind.EffectiveLevels() {
		for _, field := range fields(l) {
			elsewhere[field] = true
		}
	}
	return slices.ContainsFunc(p.Spec.Entries, func(e merge.Entry) bool {
		return !elsewhere[e.Key] || slices.Contains(fields(level), e.Key)
	})
}

// Note is a remark at a place of a policy.
type Note struct {
	Text string
	At   *loader.Value
}

// Reference is one declared target of a policy with its verdict.
type Reference struct {
	Policy *Policy
	Target hierarchy.Target
	// Ref is the reference as written, with its position. It is in Owner if that object refers
	// to the policy, and otherwise in the policy.
	Ref   *loader.Value
	Owner *loader.Object
	// Part selects which part of Nodes, the targets in the hierarchy, is meant. Nodes is empty
	// if the target is one Namespace or all of them.
	Part      catalogue.Part
	Nodes     []*hierarchy.Node
	Namespace string
	// Accepted, Reason and Message are the verdict (GEP-713, Policy status).
	Accepted        fact.Fact
	Reason, Message string
	// DidYouMean is the name of an object written almost like a target that is
	// not in the input.
	DidYouMean string
	// Holds means that the policy keeps the target although it is not accepted there: its
	// feature fails, and no other policy takes effect in its place.
	Holds bool
	// Takes means that the policy takes the target from others of its kind although it is not attached there.
	Takes bool
	// Void means that nothing of the policy applies at the target that it keeps.
	Void bool
	// LostTo is the policy that won the conflict at this target.
	LostTo *Policy
	// LostBy is the criterion that made the other policy win, if a time that is not in the input could reverse it; kept for
	// kinds whose policies of one target unite where they can.
	LostBy string
	// Bound means that only the proxy to which the target is bound applies the policy.
	Bound bool
	// numbered means that sections are port numbers.
	numbered bool
}

// IsAttached reports whether the policy is attached to the target, as far as is known.
func (r *Reference) IsAttached() bool { return r.Accepted != fact.False || r.Holds }

// Reasons of the verdict on a reference.
const (
	Accepted       = "Accepted"
	TargetNotFound = "TargetNotFound"
	Invalid        = "Invalid"
	Conflicted     = "Conflicted"
	RefNotAllowed  = hierarchy.NotPermitted
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
