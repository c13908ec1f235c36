package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Silenced collects what ignore entries, annotations and the baseline silence.
type Silenced struct {
	// entries are the indexes of the entries of Settings.Ignore that silenced something.
	entries map[int]bool
	found   []plan.Silenced
	index   map[string]int
}

// silencer is what silences a finding.
type silencer struct {
	by     plan.SilencedBy
	entry  int // of Settings.Ignore, for plan.SilencedByConfig
	reason string
	at     loader.Position
}

// add records a finding of an environment. The same finding in several environments counts once.
func (s *Silenced) add(by *silencer, f plan.Finding, environment string) {
	if s == nil {
		return
	}
	if s.index == nil {
		s.entries, s.index = map[int]bool{}, map[string]int{}
	}
	if by.by == plan.SilencedByConfig {
		s.entries[by.entry] = true
	}
	key := f.Rule + " " + f.Target + " " + f.Message
	at, known := s.index[key]
	if !known {
		at = len(s.found)
		s.index[key] = at
		s.found = append(s.found, plan.Silenced{
			Finding: f, By: by.by, Reason: by.reason, At: plan.SilencedAt{File: by.at.File, Line: by.at.Line, Column: by.at.Column},
		})
	}
	if !slices.Contains(s.found[at].Environments, environment) {
		s.found[at].Environments = append(s.found[at].Environments, environment)
	}
}

// Findings returns the silenced findings that keep accepts, the worst first.
func (s *Silenced) Findings(keep func(plan.Finding) bool) []plan.Silenced {
	out := slices.DeleteFunc(slices.Clone(s.found), func(f plan.Silenced) bool { return !keep(f.Finding) })
	slices.SortStableFunc(out, func(a, b plan.Silenced) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Message, b.Message),
		)
	})
	return out
}
