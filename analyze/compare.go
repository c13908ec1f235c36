package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/analyze/status"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/analyze/unseen"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Compare analyses two snapshots and returns the differences in effective configuration.
func Compare(base, head *loader.Snapshot, o Options) *plan.Plan {
	t := o.Table(base, head)
	o.Rules.Silenced, o.rootDigests = &rule.Silenced{}, map[*loader.Value][32]byte{}
	if o.Parts == nil {
		o.Parts = &afford.Parts{}
	}
	p := &plan.Plan{
		SchemaVersion: plan.SchemaVersion,
		Tool:          plan.Tool{Version: o.Version},
		Base:          plan.Revision{Revision: base.Revision, Commit: base.Commit},
		Head:          plan.Revision{Revision: head.Revision, Commit: head.Commit},
		Problems:      sides(base, head),
	}
	var counts [2]counter
	pairs := slices.DeleteFunc(applied.Pairs(base.Environments, head.Environments), func(pair applied.Pair) bool {
		return !o.Filter.environment(pair.Name())
	})
	var names []string
	for _, pair := range pairs {
		names = append(names, pair.Name())
	}
	h := headlines{problems: p.Problems, sentences: sentence.New(t, names)}
	c := comparison{Options: o, base: base, head: head, table: t, counts: &counts, headlines: &h, uncompared: map[string]bool{}}
	var compared []applied.Pair
	for _, pair := range pairs {
		if !applied.Comparable(pair, base, head) {
			o.Parts.OmitEnvironment(pair.Name(), "the run reached its limits, and base and head are not rendered alike")
			p.Environments = append(p.Environments, omitted(pair))
			continue
		}
		compared = append(compared, pair)
		p.Environments = append(p.Environments, c.environment(pair))
	}
	p.Problems = edited(o, sortedProblems(append(h.problems, o.leftOut()...)))
	p.Unseen = (&unseen.Edit{
		Base: base, Head: head, Pairs: compared, Plan: p.Environments, Changed: o.Changed, Hunks: o.Hunks, Table: t, Shown: o.Filter.path,
		Uncompared: c.uncompared,
	}).Changes()
	if len(p.Environments) > 0 && o.Filter.all() {
		p.Environments[0].Findings = append(p.Environments[0].Findings, o.Rules.AddedIgnores()...)
	}
	p.Notes, p.NotesOfBoth = pairNotes(o, t, &counts, base, head)
	p.Notes = append(p.Notes, connectionNotes(p, pairs)...)
	p.Rules = ruleDocs(p.Environments)
	p.Incomplete = incomplete(p)
	p.Summary = summarize(p, &counts[1])
	p.Summary.Outside = counts[1].hidden
	said := unaffordable(withOutside(headline(p, &h), p.Summary.Outside), o.Parts.Omitted())
	p.Summary.Headline, p.Summary.Conclusion = said.String(), said.conclusion(p)
	p.Silenced = o.Rules.Silenced.Findings(o.Filter.finding)
	p.Summary.Silenced = len(p.Silenced)
	skip(&p.Summary, head)
	return p
}

// comparison compares the environments of two revisions, one after the other.
type comparison struct {
	Options
	base, head *loader.Snapshot
	table      *catalogue.Table
	counts     *[2]counter
	headlines  *headlines
	// uncompared are the environments whose network policies are not compared.
	uncompared map[string]bool
}

// omitted is an environment of which nothing is known.
func omitted(pair applied.Pair) plan.Environment {
	return plan.Environment{
		Name: pair.Name(), Path: pair.Path(), Status: pair.Status(),
		Incomplete: plan.Sides{Base: pair.Base != nil, Head: pair.Head != nil},
	}
}

// environment compares one environment. It adds to the counts and the headlines.
func (c *comparison) environment(pair applied.Pair) plan.Environment {
	leave, ok := c.Parts.EnterEnvironment(pair.Name())
	if !ok {
		return omitted(pair)
	}
	defer leave()
	in := inputsOf(pair, c.base, c.head)
	if s := (untouched{c.Options, in, c.base, c.head, c.table}); s.isUntouched() {
		return s.plan(c.counts)
	}
	runs := c.runs(in, c.base, c.head, c.table)
	pair = runs.pair
	d := change.Between(runs.before, runs.after, c.changes(runs, c.base, c.head))
	c.Work.add(Work{States: runs.states.Len()})
	c.counts[0].run(runs.before, c.table)
	c.counts[1].run(runs.after, c.table)
	c.counts[1].edited(runs.before, runs.after)
	rules := c.rules(runs, d)
	env := plan.Environment{
		Name: pair.Name(), Path: pair.Path(), Status: pair.Status(),
		Incomplete: plan.Sides{Base: pair.Base != nil && pair.Base.Incomplete, Head: pair.Head != nil && pair.Head.Incomplete},
		Findings:   rule.CompareAll(rules),
	}
	if leave, ok := c.Parts.Enter("the section of requests", pair.Name()); ok {
		env.Requests = traffic.Requests(rules, c.Filter.request)
		leave()
	}
	c.suppose(runs, rules, &env)
	env.Connections = c.Filter.connections(rules)
	c.uncompared[env.Name] = rules.Connections().Uncompared
	if rules.Connections().Exceeded {
		c.headlines.problems = sortedProblems(append(c.headlines.problems, manyPolicies(env.Name, plan.InHead)))
	}
	c.headlines.uncompared(env.Name, rules.Requests().Uncompared())
	env.Findings = slices.DeleteFunc(env.Findings, func(f plan.Finding) bool { return !c.Filter.finding(f) && !c.Filter.concerned(rules, &f) })
	c.headlines.breaks(&env)
	for _, compared := range d.Changes {
		shown, ok := c.Filter.change(compared)
		if !ok {
			c.counts[1].hidden++
			continue
		}
		env.Changes = append(env.Changes, shown.Change)
		c.headlines.add(env.Name, &shown)
		k, _, _ := shown.Effective()
		c.counts[1].show(k)
	}
	env.PolicyChanges = c.policyChanges(runs, d)
	return env
}

// changes is what the comparison of two runs needs beside them.
func (o Options) changes(runs runs, base, head *loader.Snapshot) change.Options {
	return change.Options{
		Environment: runs.pair.Name(), Unreadable: runs.unread, Content: [2]func(string) string{base.Content, head.Content}, Hunks: o.Hunks,
	}
}

// rules is what the rules see of an environment.
func (c *comparison) rules(runs runs, d *change.Difference) *rule.Pair {
	pair := runs.pair
	return &rule.Pair{
		Base: c.side(pair, runs.before, c.table), Head: c.side(pair, runs.after, c.table), Difference: d, Unreadable: runs.unread, Frozen: runs.frozen,
		Lines:     rule.Lines{Hunks: c.Hunks, Content: c.head.Content},
		Revisions: [2]*loader.Snapshot{c.base, c.head},
		Broken:    applied.NewlyBroken(pair.Name(), c.base, c.head),
	}
}

// policyChanges are the policies whose verdicts differ, with the conditions that their controllers write.
func (c *comparison) policyChanges(runs runs, d *change.Difference) []plan.PolicyChange {
	var out []plan.PolicyChange
	before, after := conditionsIn(runs.before), conditionsIn(runs.after)
	for _, v := range d.Policies {
		if !c.Filter.node(v.Node) || !c.Filter.causes(v.Causes) {
			continue
		}
		formerly, was := "", v.ID
		if v.Formerly != (loader.ID{}) {
			formerly, was = v.Formerly.String(), v.Formerly
		}
		before(was, v.Before)
		after(v.ID, v.After)
		out = append(out, plan.PolicyChange{
			Policy: v.Node, Formerly: formerly, SameEffect: v.SameEffect,
			Before: v.Before, After: v.After, Causes: v.Causes, Fingerprint: v.Fingerprint,
		})
	}
	return out
}

// inputs are the two revisions of an environment.
type inputs struct {
	// pair is the environment with head as the cluster will have it, frozen what is not applied there.
	pair   applied.Pair
	frozen []*loader.Object
	// unread are the files that could not be read, for each side.
	unread [2]map[string]bool
}

// inputsOf returns what is analysed of an environment.
func inputsOf(pair applied.Pair, base, head *loader.Snapshot) inputs {
	out := inputs{unread: [2]map[string]bool{unreadable(base), unreadable(head)}}
	out.pair, out.frozen = pair.Applied(base, head)
	return out
}

// ages orders the objects of both revisions of an environment.
func (o Options) ages(pair applied.Pair) age.Ages {
	return age.Ages{Base: pair.Base.ByID(), Given: o.Ages}
}

// runs are the two runs of an environment.
type runs struct {
	inputs
	before, after *effective.Run
	states        *effective.States
}

// runs analyses both revisions of an environment, or one of them if they are the same.
func (o Options) runs(in inputs, base, head *loader.Snapshot, t *catalogue.Table) runs {
	out := runs{inputs: in, states: effective.NewStates()}
	pair := in.pair
	ages := o.ages(pair)
	out.before = o.run(pair.Base, t, revision{ages: ages, states: out.states, skipped: base.Skipped, other: pair.Head, unread: out.unread[0]})
	out.after = out.before
	if o.same(pair, base, head, out.unread) {
		o.Work.add(Work{Reused: 1})
	} else {
		out.after = o.run(pair.Head, t, revision{ages: ages, states: out.states, skipped: head.Skipped, other: pair.Base, unread: out.unread[1]})
	}
	return out
}

// conditionsIn returns a function that adds the controller's own conditions to the verdict on a policy
// of a run.
func conditionsIn(r *effective.Run) func(loader.ID, *plan.Verdict) {
	if r == nil {
		return func(loader.ID, *plan.Verdict) {}
	}
	policies := map[loader.ID]*policy.Policy{}
	for _, p := range r.Attached.Policies {
		policies[p.ID()] = p
	}
	words := status.Spoken(r)
	return func(id loader.ID, v *plan.Verdict) {
		if p := policies[id]; p != nil && v != nil {
			v.Conditions = words(p)
		}
	}
}

func (o Options) side(pair applied.Pair, r *effective.Run, t *catalogue.Table) *rule.Environment {
	if r == nil {
		return nil
	}
	return &rule.Environment{Environment: pair.Name(), Run: r, Table: t, Settings: o.Rules, Parts: o.Parts}
}

// gone returns the objects that are in one revision and missing in another, although that one could
// read their file. They do not exist elsewhere: this very edit adds or removes them.
func gone(from, in *loader.Environment, unread map[string]bool) map[loader.ID]bool {
	if from == nil || in == nil {
		return nil
	}
	there := in.ByID()
	var names map[loader.ID]bool
	named := func(id loader.ID) bool {
		if names == nil {
			names = map[loader.ID]bool{}
			for _, o := range in.Objects {
				names[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind, Name: o.ID.Name}] = true
			}
		}
		return names[loader.ID{Group: id.Group, Kind: id.Kind, Name: id.Name}]
	}
	out := map[loader.ID]bool{}
	for _, o := range from.Objects {
		if mayGive(in, from, o.ID.Namespace) {
			continue
		}
		moved := o.NamespaceAssumed && named(o.ID) // it may have got a namespace
		if there[o.ID] == nil && !moved && (len(o.Files) == 0 || !unread[o.Files[0]]) {
			out[o.ID] = true
		}
	}
	return out
}

// mayGive reports whether an environment has a gap for a namespace that the other environment does
// not have. Objects that are missing in env may come from that gap.
func mayGive(env, other *loader.Environment, namespace string) bool {
	return newGap(env, other, namespace) != nil
}

// newGap returns the first gap for a namespace that an environment has and another one does not have, or nil.
func newGap(env, other *loader.Environment, namespace string) *loader.Gap {
	for i := range env.Gaps {
		g := &env.Gaps[i]
		if (g.Namespace == "" || g.Namespace == namespace) && !slices.ContainsFunc(other.Gaps, func(known loader.Gap) bool {
			return known.Kind == g.Kind && known.Name == g.Name && known.Namespace == g.Namespace
		}) {
			return g
		}
	}
	return nil
}

// granted returns the ReferenceGrants of an environment.
func granted(env *loader.Environment) []*loader.Object {
	if env == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(env.Objects), func(o *loader.Object) bool {
		return o.ID.Group != loader.GatewayGroup || o.ID.Kind != "ReferenceGrant"
	})
}

// unreadable returns the files of a revision that could not be read in full.
func unreadable(s *loader.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Problems {
		if p.Severity != loader.Note && !p.AboutNoObject() {
			out[p.Position.File] = true
		}
	}
	return out
}

// Inspect analyses one snapshot and runs the rules about it.
func Inspect(s *loader.Snapshot, o Options) *plan.Check {
	t := o.Table(s)
	o.Rules.Silenced = &rule.Silenced{}
	c := &plan.Check{
		SchemaVersion: plan.SchemaVersion, Tool: plan.Tool{Version: o.Version},
		Revision: plan.Revision{Revision: s.Revision, Commit: s.Commit},
		Problems: problems(s.Problems, ""),
	}
	var counts counter
	said := map[string]bool{}
	var recurring plan.Recurring
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		leave, ok := o.Parts.EnterEnvironment(env.Name)
		if !ok {
			c.Environments = append(c.Environments, plan.CheckEnvironment{Name: env.Name, Incomplete: true})
			continue
		}
		r := o.single(s, env, t)
		counts.run(r, t)
		checked := &rule.Environment{Environment: env.Name, Run: r, Table: t, Settings: o.Rules, Parts: o.Parts}
		found := rule.CheckAll(checked)
		leave()
		if checked.Exceeded {
			c.Problems = append(c.Problems, manyPolicies(env.Name, ""))
		}
		found = slices.DeleteFunc(found, func(f plan.Finding) bool { return !o.Filter.finding(f) })
		c.Environments = append(c.Environments, plan.CheckEnvironment{Name: env.Name, Incomplete: env.Incomplete, Findings: found})
		c.Incomplete = c.Incomplete || env.Incomplete
		recurring.Next()
		for _, f := range found {
			if key := place(&recurring, &f); !said[key] {
				said[key] = true
				tally(&c.Summary.Findings, f.Severity)
			}
		}
	}
	c.Problems = append(c.Problems, o.leftOut()...)
	c.Silenced = o.Rules.Silenced.Findings(o.Filter.finding)
	c.Summary.Silenced = len(c.Silenced)
	if stale := o.Rules.StaleIgnores(); len(c.Environments) > 0 && o.Filter.all() {
		c.Environments[0].Findings = append(c.Environments[0].Findings, stale...)
		for _, f := range stale {
			tally(&c.Summary.Findings, f.Severity)
		}
	}
	if n := o.Rules.Baseline.Gone(); n > 0 && o.Filter.all() {
		o.Notes = append(slices.Clone(o.Notes), spelling.Count(n, "finding")+" of the baseline no longer found; run --write-baseline to update it")
	}
	c.Notes = notes(o, t, &counts, s)
	c.Rules = checkDocs(c.Environments)
	c.Incomplete = c.Incomplete || anyProblem(c.Problems)
	c.Summary.Policies, c.Summary.Routes = counts.policies, counts.routes
	c.Summary.Environments, c.Summary.Problems = len(c.Environments), len(c.Problems)
	skip(&c.Summary, s)
	return c
}
