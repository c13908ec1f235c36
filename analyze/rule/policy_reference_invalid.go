package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var policyReferenceInvalid = &Rule{
	ID:       "policy-reference-invalid",
	Title:    "A policy refers to something that it cannot use",
	Severity: plan.Error,
	Why: "An authority that does not exist, or is of a kind that cannot be one. Where none is good the policy is rejected, and " +
		"connections that it secures fail (Gateway API, BackendTLSPolicy, NoValidCACertificate); where the others suffice " +
		"this is a warning. Or a backend of the policy itself, such as an authorisation service, that does not exist: where its " +
		"controller rejects the policy for that, its targets answer with errors and no other policy takes over (Envoy Gateway). " +
		"A warning where an object is not in the input and one of almost that name is, or the change brings the reference to it.",
	Fix:   "Correct the reference, or add the object.",
	Check: checkPolicyReferenceInvalid,
}

// misspeltReferences reports references of a policy to objects that are not in the input if one with a similar name is, or if the change
// brings the reference to a kind that the input has. Secrets are often made by hand.
func misspeltReferences(s *Environment, p *policy.Policy, report Report) {
	g := s.Run.Graph
	misspelt := func(id loader.ID, ref *loader.Value, owner *loader.Object, reason string) {
		meant := meantBy(s, owner, id)
		if meant == "" && !(id.Kind != "Secret" && g.KnowsKind(id.Group, id.Kind) && brings(s, owner, id)) {
			return
		}
		report(Hit{
			Target: p.ID().String(), Key: []string{id.String()}, At: owner.Position(ref), Object: p.Object, Severity: plan.Warning, Involves: []loader.ID{id},
			Title: say("%s: %s is not in the input%s", p.ID(), id.Spoken(), spelling.Meant(meant)), Detail: without(reason),
		})
	}
	for _, b := range p.Backends() {
		misspelt(g.Named(b.ID), b.Ref, p.Object, p.Kind.BrokenBackends)
	}
	for _, d := range p.Draws {
		if d.Object == nil && d.Absent == fact.Unknown {
			misspelt(d.ID, d.Ref, d.Owner, d.Broken)
		}
	}
}

// meantBy returns the name that an object probably means by a reference to what is not in the input, or "".
func meantBy(s *Environment, owner *loader.Object, id loader.ID) string {
	g := s.Run.Graph
	if id.Name == "" || g.Object(id) != nil || g.External(id) {
		return ""
	}
	// Something that is not rendered may have any name. If the reference named an existing object before, the new name
	// is still probably a typo.
	if meant := g.Similar(id); meant != "" {
		if g.Producer(id) == "" || renames(s, owner, meant, id.Name) {
			return meant
		}
		return ""
	}
	if other := g.Namesake(id); other.Namespace != "" && renames(s, owner, other.Namespace, "") {
		return other.Namespace + "/" + other.Name
	}
	return ""
}

// without says what becomes of a policy without an object that it refers to, by the reason of the rejection.
func without(reason string) string {
	if reason == "" {
		return ""
	}
	return "without it the policy is rejected (" + reason + "), and requests fail"
}

// renames reports whether the spec of an object contained a name in base and no longer does, and contains the name in
// by, if that is not empty, only in this revision.
func renames(s *Environment, o *loader.Object, name, by string) bool {
	if s.former == nil {
		return false
	}
	before := s.former(o.ID)
	return before != nil && has(before.Spec(), name) && !has(o.Spec(), name) && (by == "" || !has(before.Spec(), by))
}

// brings reports whether a change brings a reference of an object to another one that neither revision has, and that nothing which is
// not rendered may have.
func brings(s *Environment, owner *loader.Object, id loader.ID) bool {
	g := s.Run.Graph
	if s.former == nil || id.Name == "" || loader.Placeholder(id.Name) || loader.Placeholder(id.Namespace) ||
		g.Exists(id) || g.External(id) || g.Producer(id) != "" || s.former(id) != nil {
		return false
	}
	before := s.former(owner.ID)
	return before == nil || !has(before.Spec(), id.Name)
}

// has reports whether a value is a given text, or contains a value that is.
func has(v *loader.Value, text string) bool {
	return v != nil && v.Shape == loader.String && v.Text == text ||
		slices.ContainsFunc(v.ItemList(), func(item *loader.Value) bool { return has(item, text) }) ||
		slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return has(f.Value, text) })
}

func checkPolicyReferenceInvalid(s *Environment, report Report) {
	s.policies(func(p *policy.Policy) {
		misspeltReferences(s, p, report)
		if p.Broken != nil && slices.ContainsFunc(p.References, func(ref *policy.Reference) bool { return ref.Holds }) {
			outcome := "requests fail"
			if p.FailsOpen {
				outcome = "requests pass without it, because the policy fails open"
			}
			report(Hit{
				Target: p.ID().String(), Key: []string{p.Broken.Reason}, At: p.Broken.Position(), Object: p.Object, Involves: p.Broken.Involves,
				Subject: p.ID().Spoken(), Statement: p.Broken.Reason + ": " + p.Broken.Message,
				Title: say("%s is rejected (%s), so %s: %s", p.ID(), p.Broken.Reason, outcome, p.Broken.Message),
			})
		}
		accepted := func(ref *policy.Reference) bool { return ref.Accepted == fact.True }
		if c := p.Partial(s.Run.Graph); c != nil && slices.ContainsFunc(p.References, accepted) {
			outcome := "is applied without one of its settings, or requests fail because of it"
			if policy.OnlyWrong(p, c) {
				outcome = "is not applied, because its only setting is wrong"
			}
			report(Hit{
				Target: p.ID().String(), Key: []string{"partial"}, At: c.Position(), Object: p.Object, Severity: plan.Warning, Involves: c.Involves,
				Title: say("%s %s: %s", p.ID(), outcome, c.Message),
			})
		}
		c := &p.Resolved
		if c.Type == "" || !c.Bad() {
			return
		}
		h := Hit{
			Target: p.ID().String(), Key: []string{c.Reason}, At: c.Position(), Object: p.Object, Severity: plan.Warning, Involves: c.Involves,
			Title: say("%s: %s (%s)", p.ID(), c.Message, c.Reason), Subject: p.ID().Spoken(), Statement: c.Reason + ": " + c.Message,
		}
		if reason := p.Unusable(); reason != "" {
			h.Severity = plan.Error
			h.Title = say("%s is rejected (%s): %s (%s)", p.ID(), reason, c.Message, c.Reason)
		}
		report(h)
	})
}
