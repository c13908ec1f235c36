package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
)

// ignoreStale needs the result of all other rules, so that Check reports nothing.
var ignoreStale = &Rule{
	ID:       "ignore-stale",
	Title:    "An entry of ignore silences nothing",
	Severity: plan.Note,
	Why: "The finding was fixed, its target has another name, or the entry has expired (then a warning). If it stays, it will silence " +
		"the next finding that happens to fit.",
	Fix:   "Delete the entry, or correct its target.",
	Check: func(*Environment, Report) {},
}

// StaleIgnores reports the entries that are expired or silenced no finding of one revision. It
// skips unexpired ones for rules that compare revisions.
func (s *Settings) StaleIgnores() []plan.Finding {
	var out []plan.Finding
	severity := s.Severity[ignoreStale.ID]
	if severity == plan.Off || s.Silenced == nil {
		return nil
	}
	for n, i := range s.Ignore {
		if of := ByID(i.Rule); !i.Expired && (s.Silenced.entries[n] || of != nil && of.Compare != nil) {
			continue
		}
		f := plan.Finding{
			Rule: ignoreStale.ID, Severity: ignoreStale.Severity, Target: i.At.File, File: i.At.File, Line: i.At.Line, Column: i.At.Column,
			Title:       fmt.Sprintf("the ignore entry for rule %s at %s silences nothing", i.Rule, i.where()),
			Fingerprint: change.Fingerprint(ignoreStale.ID, i.Rule, i.Target),
		}
		if i.Expired {
			f.Severity, f.Title = plan.Warning, fmt.Sprintf("the ignore entry for rule %s at %s has expired", i.Rule, i.where())
		}
		if severity != "" {
			f.Severity = severity
		}
		f.Message = f.Title
		out = append(out, f)
	}
	return out
}
