package analyze

import (
	"encoding/json"
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
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

// untouched is what a plan says of an environment that is the same in both revisions: what a single revision
// says of itself. Nothing is compared.
type untouched struct {
	// Findings are without those that the settings ignore.
	Findings []plan.Finding
	Sums     sums
}

// isUntouched reports whether a plan has nothing to compare in an environment. That its input is the same is
// not enough where something beside it differs: a build that breaks, the release of a controller, what a kind
// looks like, objects that are not applied. Nor is it where annotations of objects silence findings.
func (o Options) isUntouched(r inputs, base, head *loader.Snapshot, t *catalogue.Table) bool {
	if !o.Rules.NoAnnotations || len(r.frozen)+len(t.Changed) > 0 || o.Rules.AsksReleases() || !o.same(r.pair, base, head, r.unread) {
		return false
	}
	name := r.pair.name()
	return len(rule.NewlyBroken(rule.ProblemsOf(base, name), rule.ProblemsOf(head, name))) == 0
}

// untouched returns the part of a plan for an environment that is the same in both revisions.
func (o Options) untouched(r inputs, base *loader.Snapshot, t *catalogue.Table, counts *[2]counter) plan.Environment {
	pair := r.pair
	o.Work.add(Work{Reused: 1})
	key, mayKeep := o.untouchedKey(pair.base, base, r.unread[0], t)
	u, known := o.recall(key, mayKeep)
	if !known {
		var whole bool
		if u, whole = o.alike(r, base, t); mayKeep && whole {
			o.keep(key, u)
		}
	}
	for i := range counts {
		counts[i].add(u.Sums, t)
	}
	env := plan.Environment{
		Name: pair.name(), Path: pair.path(), Status: pair.status(),
		Incomplete: plan.Sides{Base: pair.base.Incomplete, Head: pair.head.Incomplete},
		Findings:   rule.Unaltered(u.Findings, o.Rules, pair.name()),
	}
	env.Findings = slices.DeleteFunc(env.Findings, func(f plan.Finding) bool { return !o.Filter.finding(f) })
	return env
}

// alike analyses the revisions of an environment as one. whole is false if there was too much to decide.
func (o Options) alike(r inputs, base *loader.Snapshot, t *catalogue.Table) (u untouched, whole bool) {
	ages := age.Ages{Base: byID(r.pair.base), Given: o.Ages}
	run := o.run(r.pair.base, t, revision{ages: ages, states: effective.NewStates(), skipped: base.Skipped, other: r.pair.head, unread: r.unread[0]})
	o.Rules.Ignore, o.Rules.Baseline, o.Rules.Silenced = nil, nil, nil
	checked := o.side(r.pair, run, t)
	u = untouched{Findings: rule.CheckAll(checked), Sums: sumsOf(run)}
	return u, !checked.Exceeded
}

func (o Options) recall(key [32]byte, mayKeep bool) (u untouched, known bool) {
	if !mayKeep {
		return u, false
	}
	data, known := o.Results.Get(key)
	if !known || json.Unmarshal(data, &u) != nil {
		return untouched{}, false
	}
	o.Work.add(Work{Recalled: 1})
	return u, true
}

func (o Options) keep(key [32]byte, u untouched) {
	if data, err := json.Marshal(u); err == nil {
		o.Results.Put(key, data)
	}
}
