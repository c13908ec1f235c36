package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/policy"
)

var policyReferenceInvalid = &Rule{
	ID:       "policy-reference-invalid",
	Title:    "A policy refers to something that it cannot use",
	Severity: Error,
	Why: "An authority that does not exist, or is of a kind that cannot be one: where none is good the policy " +
		"is rejected, and connections that it secures fail (Gateway API, BackendTLSPolicy, " +
		"NoValidCACertificate).",
	Fix:   "Correct the reference, or add the object.",
	Check: checkPolicyReferenceInvalid,
}

func checkPolicyReferenceInvalid(s *Snapshot, report Report) {
	s.policies(func(p *policy.Policy) {
		if c := &p.Resolved; c.Type != "" && c.Bad() {
			report(Hit{
				Target: p.ID().String(), Key: []string{c.Reason}, At: c.Position(), Object: p.Object,
				Message: fmt.Sprintf("%s: %s (%s)", p.ID(), c.Message, c.Reason),
			})
		}
	})
}
