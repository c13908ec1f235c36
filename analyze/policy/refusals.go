package policy

import "github.com/gwplan/gwplan/analyze/refusal"

// refusals returns what the controller refuses in the spec of a policy.
func refusals(p *Policy) []refusal.Refusal {
	of := refusal.By(p.Kind.Refusals)
	if of == nil {
		return nil
	}
	return of(p.Object.Spec())
}

// checkRefusals makes a policy Invalid because of what its controller refuses before it takes the
// targets.
func checkRefusals(p *Policy) {
	for _, refused := range refusals(p) {
		if refused.Untaken && p.Invalid == "" {
			p.Invalid, p.InvalidAt = refused.Path+": "+refused.Why, refused.At
		}
	}
}
