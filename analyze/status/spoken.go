package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Spoken returns the conditions that controllers write on a policy, each once as
// TYPE=STATUS/REASON. It omits Unknown conditions and those that only report success. The
// annotation of a dry run is included.
func Spoken(r *effective.Run) func(*policy.Policy) []string {
	s := newPolicyStates(r)
	return func(p *policy.Policy) []string {
		var out []string
		if p.DryRun != "" {
			out = append(out, p.DryRun)
		}
		if p.Kind.Silent() {
			return out
		}
		for _, a := range s.ancestors(p) {
			for _, c := range a.Conditions {
				plain := c.Status == "True" && (c.Type == hierarchy.Accepted || c.Type == hierarchy.ResolvedRefs)
				if plain || c.Status == "Unknown" {
					continue
				}
				if word := c.Type + "=" + c.Status + "/" + c.Reason; !slices.Contains(out, word) {
					out = append(out, word)
				}
			}
		}
		slices.Sort(out)
		return out
	}
}
