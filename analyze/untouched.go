package analyze

import (
	"encoding/json"
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// Results keeps what earlier runs of the same program found, by a digest of all that it depends on.
type Results interface {
	Get(key [32]byte) ([]byte, bool)
	Put(key [32]byte, data []byte)
}

// found is what a plan reports about an environment that is the same in both revisions: only what a single revision
// shows. Nothing is compared.
type found struct {
	// Findings are without those that the settings ignore.
	Findings []plan.Finding
	Sums     sums
}

// untouched is an environment of two revisions that may be the same in both.
type untouched struct {
	Options
	inputs
	base, head *loader.Snapshot
	table      *catalogue.Table
}

// isUntouched reports whether a plan has nothing to compare in the environment. That its input is the same is
// not enough where something beside it differs: a build that breaks, the release of a controller, what a kind
// looks like, objects that are not applied. Nor is it where annotations of objects silence findings.
func (s *untouched) isUntouched() bool {
	if len(s.frozen)+len(s.table.Changed) > 0 || s.Rules.AsksReleases() || !s.same(s.pair, s.base, s.head, s.unread) || slices.ContainsFunc(s.pair.Base.Objects, rule.IsAnnotated) {
		return false
	}
	return len(applied.NewlyBroken(s.pair.Name(), s.base, s.head)) == 0
}

// plan returns the part of a plan for the environment if it is untouched.
func (s *untouched) plan(counts *[2]counter) plan.Environment {
	pair := s.pair
	s.Work.add(Work{Reused: 1})
	key, mayKeep := s.key()
	u, known := s.recall(key, mayKeep)
	if !known {
		var whole bool
		if u, whole = s.alike(); mayKeep && whole {
			s.keep(key, u)
		}
	}
	for i := range counts {
		counts[i].add(u.Sums, s.table)
	}
	env := plan.Environment{
		Name: pair.Name(), Path: pair.Path(), Status: pair.Status(),
		Incomplete: plan.Sides{Base: pair.Base.Incomplete, Head: pair.Head.Incomplete},
		Findings:   rule.Unaltered(u.Findings, s.Rules, pair.Name()),
	}
	env.Findings = slices.DeleteFunc(env.Findings, func(f plan.Finding) bool { return !s.Filter.finding(f) })
	return env
}

// alike analyses the revisions as one. whole is false if there was too much to decide.
func (s *untouched) alike() (u found, whole bool) {
	o := s.Options
	ages := age.Ages{Base: s.pair.Base.ByID(), Given: o.Ages}
	run := o.run(s.pair.Base, s.table, revision{ages: ages, states: effective.NewStates(), skipped: s.base.Skipped, other: s.pair.Head, unread: s.unread[0]})
	o.Rules.Ignore, o.Rules.Baseline, o.Rules.Silenced = nil, nil, nil
	checked, before := o.side(s.pair, run, s.table), len(o.Parts.Omitted())
	u = found{Findings: rule.CheckAll(checked), Sums: sumsOf(run)}
	return u, !checked.Exceeded && len(o.Parts.Omitted()) == before
}

func (s *untouched) recall(key [32]byte, mayKeep bool) (u found, known bool) {
	if !mayKeep {
		return u, false
	}
	data, known := s.Results.Get(key)
	if !known || json.Unmarshal(data, &u) != nil {
		return found{}, false
	}
	s.Work.add(Work{Recalled: 1})
	return u, true
}

func (s *untouched) keep(key [32]byte, u found) {
	if data, err := json.Marshal(u); err == nil {
		s.Results.Put(key, data)
	}
}
