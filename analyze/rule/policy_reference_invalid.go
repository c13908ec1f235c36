package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var policyReferenceInvalid = &Rule{
	ID:       "policy-reference-invalid",
	Title:    "A policy refers to something that it cannot use",
	Severity: plan.Error,
	Why: "An authority that does not exist, or is of a kind that cannot be one. Where none is good the policy is rejected, and " +
		"connections that it secures fail (Gateway API, BackendTLSPolicy, NoValidCACertificate); where the others suffice " +
		"this is a warning. Or a backend of the policy itself, such as an authorisation service, that does not exist: where its " +
		"controller rejects the policy for that, its targets answer with errors and no other policy takes over (Envoy Gateway).",
	Fix:   "Correct the reference, or add the object.",
	Check: checkPolicyReferenceInvalid,
}

func checkPolicyReferenceInvalid(s *Environment, report Report) {
	s.policies(func(p *policy.Policy) {
		if p.Broken != nil && slices.ContainsFunc(p.References, func(ref *policy.Reference) bool { return ref.Holds }) {
			outcome := "requests fail"
			if p.FailsOpen {
				outcome = "requests pass without it, because the policy fails open"
			}
			report(Hit{
				Target: p.ID().String(), Key: []string{p.Broken.Reason}, At: p.Broken.Position(), Object: p.Object, Involves: p.Broken.Involves,
				Title: say("%s is rejected (%s), so %s: %s", p.ID(), p.Broken.Reason, outcome, p.Broken.Message),
			})
		}
		accepted := func(ref *policy.Reference) bool { return ref.Accepted == fact.True }
		if c := p.Partial(s.Run.Graph); c != nil && slices.ContainsFunc(p.References, accepted) {
			report(Hit{
				Target: p.ID().String(), Key: []string{"partial"}, At: c.Position(), Object: p.Object, Severity: plan.Warning, Involves: c.Involves,
				Title: say("%s is applied without one of its settings, or requests fail because of it: %s", p.ID(), c.Message),
			})
		}
		c := &p.Resolved
		if c.Type == "" || !c.Bad() {
			return
		}
		h := Hit{
			Target: p.ID().String(), Key: []string{c.Reason}, At: c.Position(), Object: p.Object, Severity: plan.Warning, Involves: c.Involves,
			Title: say("%s: %s (%s)", p.ID(), c.Message, c.Reason),
		}
		if reason := p.Unusable(); reason != "" {
			h.Severity = plan.Error
			h.Title = say("%s is rejected (%s): %s (%s)", p.ID(), reason, c.Message, c.Reason)
		}
		report(h)
	})
}
