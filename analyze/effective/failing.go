package effective

import "github.com/gwplan/gwplan/analyze/plan"

// Failing reports whether the requests to a target fail because one of its policies in force cannot be
// used. Nothing that the policies set then applies. The policy may be nil.
func (p *Policy) Failing() bool {
	if p == nil {
		return false
	}
	for _, share := range p.Shares {
		if share.Enforcement != plan.Overridden && share.Failing != "" {
			return true
		}
	}
	return false
}
