package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var crossNamespaceTarget = &Rule{
	ID:       "cross-namespace-target",
	Title:    "A policy targets an object of another namespace without a grant",
	Severity: plan.Error,
	Why: "A policy may reach into another namespace only if a ReferenceGrant there allows it (GEP-713, Cross namespace " +
		"references). Without one it must not take effect.",
	Fix:      "Add a ReferenceGrant in the target's namespace, or move the policy there.",
	Security: true,
	Check:    checkCrossNamespaceTarget,
}

func checkCrossNamespaceTarget(s *Environment, report Report) {
	s.references(policy.RefNotAllowed, func(p *policy.Policy, ref *policy.Reference) {
		report(hitAt(p, ref, say("%s does not take effect on %s: %s", p.ID(), ref.Target, ref.Message)))
	})
}
