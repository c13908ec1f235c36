package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Concerns reports whether a finding is about one of the shown changes, or depends on an edited object in one of the
// chosen files, whichever line the finding is at.
func Concerns(p *Pair, f *plan.Finding, shows func(change.Compared) bool, in func(file string) bool) bool {
	s := p.settings()
	if slices.ContainsFunc(s.changes[f.Fingerprint], func(c *change.Compared) bool { return shows(*c) }) {
		return true
	}
	if f.State != plan.New {
		return false
	}
	return slices.ContainsFunc(deciding(p, s.involved[f.Fingerprint]), func(id loader.ID) bool {
		before, after := p.Base.object(id.String()), p.Head.object(id.String())
		if before != nil && after != nil && before.Digest == after.Digest {
			return false
		}
		return before != nil && in(before.First().File) || after != nil && in(after.First().File)
	})
}
