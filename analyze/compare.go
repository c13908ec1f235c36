package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/analyze/status"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Compare analyses two snapshots and returns the differences in effective configuration.
func Compare(base, head *loader.Snapshot, o Options) *plan.Plan {
	t := o.Table(base, head)
	o.Rules.Silenced, o.rootDigests = &rule.Silenced{}, map[*loader.Value][32]byte{}
	p := &plan.Plan{
		SchemaVersion: plan.SchemaVersion,
		Tool:          plan.Tool{Version: o.Version},
		Base:          plan.Revision{Revision: base.Revision, Commit: base.Commit},
		Head:          plan.Revision{Revision: head.Revision, Commit: head.Commit},
		Problems:      sides(base, head),
	}
	var counts [2]counter
	pairs := slices.DeleteFunc(pairEnvironments(base.Environments, head.Environments), func(pair environmentPair) bool {
		return !o.Filter.environment(pair.name())
	})
	var names []string
	for _, pair := range pairs {
		names = append(names, pair.name())
	}
	h := headlines{problems: p.Problems, sentences: sentence.New(t, names)}
	c := comparison{Options: o, base: base, head: head, table: t, counts: &counts, headlines: &h}
	for _, pair := range pairs {
		p.Environments = append(p.Environments, c.environment(pair))
	}
	p.Problems = edited(o, h.problems)
	p.Unseen = o.unseen(p, base, head, pairs, t)
	if len(p.Environments) > 0 && o.Filter.all() {
		p.Environments[0].Findings = append(p.Environments[0].Findings, o.Rules.AddedIgnores()...)
	}
	p.Notes, p.NotesOfBoth = pairNotes(o, t, &counts, base, head)
	p.Notes = append(p.Notes, connectionNotes(p, pairs)...)
	p.Rules = ruleDocs(p.Environments)
	p.Incomplete = incomplete(p)
	p.Summary = summarize(p, &counts[1])
	p.Summary.Headline, p.Summary.Outside = headline(p, &h), counts[1].hidden
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
}

// environment compares one environment. It adds to the counts and the headlines.
func (c *comparison) environment(pair environmentPair) plan.Environment {
	in := inputsOf(pair, c.base, c.head)
	if s := (untouched{c.Options, in, c.base, c.head, c.table}); s.isUntouched() {
		return s.plan(c.counts)
	}
	runs := c.runs(in, c.base, c.head, c.table)
	pair = runs.pair
	d := change.Between(runs.before, runs.after, change.Options{
		Environment: pair.name(),
		Unreadable:  runs.unread,
		Content:     [2]func(string) string{c.base.Content, c.head.Content},
		Hunks:       c.Hunks,
	})
	c.Work.add(Work{States: runs.states.Len()})
	c.counts[0].run(runs.before, c.table)
	c.counts[1].run(runs.after, c.table)
	c.counts[1].edited(runs.before, runs.after)
	rules := c.rules(runs, d)
	env := plan.Environment{
		Name: pair.name(), Path: pair.path(), Status: pair.status(),
		Incomplete: plan.Sides{Base: pair.base != nil && pair.base.Incomplete, Head: pair.head != nil && pair.head.Incomplete},
		Findings:   rule.CompareAll(rules),
	}
	env.Requests = c.Filter.requests(rules)
	env.Connections = c.Filter.connections(rules)
	if rules.Connections().Exceeded {
		c.headlines.problems = sortedProblems(append(c.headlines.problems, manyPolicies(env.Name, "head")))
	}
	c.headlines.uncompared(env.Name, rules.Requests().Uncompared())
	env.Findings = slices.DeleteFunc(env.Findings, func(f plan.Finding) bool { return !c.Filter.finding(f) })
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

// rules is what the rules see of an environment.
func (c *comparison) rules(runs runs, d *change.Difference) *rule.Pair {
	pair := runs.pair
	return &rule.Pair{
		Base: c.side(pair, runs.before, c.table), Head: c.side(pair, runs.after, c.table), Difference: d, Unreadable: runs.unread, Frozen: runs.frozen,
		Lines:    rule.Lines{Hunks: c.Hunks, Content: c.head.Content},
		Contents: [2]func(string) string{c.base.Content, c.head.Content},
		Problems: [2][]loader.Problem{rule.ProblemsOf(c.base, pair.name()), rule.ProblemsOf(c.head, pair.name())},
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
	pair   environmentPair
	frozen []*loader.Object
	// unread are the files that could not be read, for each side.
	unread [2]map[string]bool
}

// inputsOf returns what is analysed of an environment.
func inputsOf(pair environmentPair, base, head *loader.Snapshot) inputs {
	out := inputs{pair: pair, unread: [2]map[string]bool{unreadable(base), unreadable(head)}}
	out.pair.head, out.frozen = withoutFrozen(pair.base, pair.head)
	out.pair.head = afterFailedBuilds(pair.name(), pair.base, out.pair.head, base, head)
	return out
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
	ages := age.Ages{Base: byID(pair.base), Given: o.Ages}
	out.before = o.run(pair.base, t, revision{ages: ages, states: out.states, skipped: base.Skipped, other: pair.head, unread: out.unread[0]})
	out.after = out.before
	if o.same(pair, base, head, out.unread) {
		o.Work.add(Work{Reused: 1})
	} else {
		out.after = o.run(pair.head, t, revision{ages: ages, states: out.states, skipped: head.Skipped, other: pair.base, unread: out.unread[1]})
	}
	return out
}

// withoutFrozen returns head as the cluster will have it: an object that its deployer does not apply stays
// as in base, or is not created. It also returns those of these objects that differ from base.
func withoutFrozen(base, head *loader.Environment) (*loader.Environment, []*loader.Object) {
	isFrozen := func(o *loader.Object) bool { return o.Frozen != "" }
	if head == nil || !slices.ContainsFunc(head.Objects, isFrozen) && !slices.ContainsFunc(head.Workloads, isFrozen) {
		return head, nil
	}
	out := *head
	var frozen, workloads []*loader.Object
	had := base.Deployers()
	out.Objects, frozen = asApplied(byID(base), had, head.Objects)
	if base != nil {
		out.Workloads, workloads = asApplied(indexByID(base.Workloads), had, head.Workloads)
	}
	return &out, append(frozen, workloads...)
}

// asApplied returns some objects of head as the cluster will have them, and those that differ from base.
// had are the deployers of base.
func asApplied(before map[loader.ID]*loader.Object, had map[loader.ID]*loader.Deployer, list []*loader.Object) (out, frozen []*loader.Object) {
	for _, o := range list {
		if o.Frozen == "" {
			out = append(out, o)
			continue
		}
		was := before[o.ID]
		switch {
		case was != nil && o.IsHook() && !was.IsHook():
			continue // it is no part of the release any more, which deletes it, and hooks of installations do not run
		case was != nil:
			out = append(out, was)
		case o.IsHook() && (o.Deployer == nil || had[o.Deployer.ID] == nil):
			out = append(out, o) // the release is installed
			continue
		case o.Frozen == loader.CreatedOnly:
			out = append(out, o)
			continue
		}
		if was == nil || was.Digest != o.Digest {
			frozen = append(frozen, o)
		}
	}
	return out, frozen
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

func (o Options) side(pair environmentPair, r *effective.Run, t *catalogue.Table) *rule.Environment {
	if r == nil {
		return nil
	}
	return &rule.Environment{Environment: pair.name(), Run: r, Table: t, Settings: o.Rules}
}

// gone returns the objects that are in one revision and missing in another, although that one could
// read their file. They do not exist elsewhere: this very edit adds or removes them.
func gone(from, in *loader.Environment, unread map[string]bool) map[loader.ID]bool {
	if from == nil || in == nil {
		return nil
	}
	there := byID(in)
	out := map[loader.ID]bool{}
	for _, o := range from.Objects {
		if mayGive(in, from, o.ID.Namespace) {
			continue
		}
		if there[o.ID] == nil && !o.NamespaceAssumed && (len(o.Files) == 0 || !unread[o.Files[0]]) {
			out[o.ID] = true
		}
	}
	return out
}

// mayGive reports whether an environment has a gap for a namespace that the other environment does
// not have. Objects that are missing in env may come from that gap.
func mayGive(env, other *loader.Environment, namespace string) bool {
	return slices.ContainsFunc(env.Gaps, func(g loader.Gap) bool {
		return (g.Namespace == "" || g.Namespace == namespace) && !slices.ContainsFunc(other.Gaps, func(known loader.Gap) bool {
			return known.Kind == g.Kind && known.Name == g.Name && known.Namespace == g.Namespace
		})
	})
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

// byID indexes the objects of an environment. A nil environment has none, so everything on the
// other side is new.
func byID(env *loader.Environment) map[loader.ID]*loader.Object {
	if env == nil {
		return map[loader.ID]*loader.Object{}
	}
	return indexByID(env.Objects)
}

// indexByID indexes some objects.
func indexByID(objects []*loader.Object) map[loader.ID]*loader.Object {
	out := make(map[loader.ID]*loader.Object, len(objects))
	for _, o := range objects {
		out[o.ID] = o
	}
	return out
}

// unreadable returns the files of a revision that could not be read in full.
func unreadable(s *loader.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Problems {
		if p.Severity != loader.Note {
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
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		r := o.single(s, env, t)
		counts.run(r, t)
		checked := &rule.Environment{Environment: env.Name, Run: r, Table: t, Settings: o.Rules}
		found := rule.CheckAll(checked)
		if checked.Exceeded {
			c.Problems = append(c.Problems, manyPolicies(env.Name, ""))
		}
		found = slices.DeleteFunc(found, func(f plan.Finding) bool { return !o.Filter.finding(f) })
		c.Environments = append(c.Environments, plan.CheckEnvironment{Name: env.Name, Incomplete: env.Incomplete, Findings: found})
		c.Incomplete = c.Incomplete || env.Incomplete
		for _, f := range found {
			tally(&c.Summary.Findings, f.Severity)
		}
	}
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
