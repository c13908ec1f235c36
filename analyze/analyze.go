// Package analyze turns snapshots into the content of the reports. It is pure: it uses no files, no
// clock, no environment variables and no state that outlives a call.
//
// Each phase is a package and a function:
//
//	catalogue.NewTable   which kinds are policies, and how each attaches and merges
//	generate.With        adds the objects that controllers create from others
//	hierarchy.Build      objects to the graph of targets, with a verdict on each edge
//	policy.Attach        policies to their targets; decides conflicts
//	effective.NewRun     the policies along each context, folded into effective policies on demand
//	change.Between       two runs to changes, with their causes and fingerprints
//	answer.Passages      requests that are answered differently after the change
//	network.Compare      connections that network policies newly allow or deny
//	protection.Between   what an edit does to the protection of a target
//	rule.CheckAll        findings about one revision, and rule.CompareAll about two
//	sentence.New         each change in one sentence, for the headline
//
// Base and head go through the same functions, separately. They share only tables keyed by content.
// Terms have the meaning that GEP-713 gives them: policy, target, section, declared and effective
// target, hierarchy, context, higher and lower, merge strategy, conflict, effective policy,
// ancestor.
package analyze

import (
	"time"

	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/generate"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// Options are the inputs from the caller in addition to the manifests.
type Options struct {
	Version   string
	Catalogue *catalogue.Catalogue
	// Kinds are the configuration's catalogue entries.
	Kinds []catalogue.Entry
	// Complete means that what is not in the input does not exist.
	Complete bool
	// NamespaceLabels are labels of namespaces that are not in the input.
	NamespaceLabels map[string]map[string]string
	// External lists objects that exist outside the input.
	External map[loader.ID]bool
	// Work counts what the analysis does, unless it is nil.
	Work *Work
	// Defaults adds to lists of effective policies what controllers use for fields that nobody sets.
	Defaults bool
	// Controllers maps GatewayClasses to controllerNames, for classes whose manifests do not
	// contain them.
	Controllers map[string]string
	// Ages are creation times from the configuration.
	Ages  map[loader.ID]time.Time
	Rules rule.Settings
	// Parts are what the run can afford; nil is everything.
	Parts *afford.Parts
	// Changed are the files that differ between two revisions, sorted.
	Changed []string
	// Hunks returns the lines of a file that differ between two revisions; it may be nil.
	Hunks func(file string) []loader.Hunk
	// Notes are assumptions made before the analysis, for the report.
	Notes  []string
	Filter Filter
	// Results keeps what was found out about environments, or is nil.
	Results Results

	// rootDigests are digests of the contents of objects, for the keys of results.
	rootDigests map[*loader.Value][32]byte
	// separately analyses both revisions even if they are the same, which tests compare with.
	separately bool
}

// Table returns the policy kinds for a plan over these snapshots. Base comes first: its
// classification of a kind applies to both.
func (o Options) Table(snapshots ...*loader.Snapshot) *catalogue.Table {
	revisions := make([][]*loader.Object, len(snapshots))
	for i, s := range snapshots {
		for _, env := range s.Environments {
			revisions[i] = append(revisions[i], env.Objects...)
		}
	}
	return catalogue.NewTable(o.Catalogue, o.Kinds, revisions...)
}

// revision is the input of a run in addition to its environment.
type revision struct {
	ages   age.Ages
	states *effective.States
	// skipped counts the documents that were not read, by kind.
	skipped map[string]int
	// other is the environment that this one is compared with, or nil. unread are the files of this
	// revision that could not be read.
	other  *loader.Environment
	unread map[string]bool
	// supposed are objects that the run takes as not existing, though something that is not rendered may hold them.
	supposed map[loader.ID]bool
}

// run analyses one environment of one revision.
func (o Options) run(env *loader.Environment, t *catalogue.Table, r revision) *effective.Run {
	if env == nil {
		return nil
	}
	o.Work.add(Work{Analysed: 1, Objects: len(env.Objects)})
	env, g := o.graph(env, r)
	return effective.NewRun(env, g, policy.Attach(env, g, t, r.ages), r.states)
}

// graph returns the targets of an environment, and the environment extended by what controllers
// create from its objects.
func (o Options) graph(env *loader.Environment, r revision) (*loader.Environment, *hierarchy.Graph) {
	env = generate.With(env)
	return env, hierarchy.Build(env, inventory.Options{
		Complete: o.Complete && !env.Incomplete, NamespaceLabels: o.NamespaceLabels, External: o.External,
		Gone: gone(r.other, env, r.unread), Supposed: r.supposed, Granted: granted(r.other),
		Controllers: o.Controllers, Ages: r.ages, Unread: r.skipped,
	})
}

// alone returns the input of a run for a revision that is not compared with another.
func (o Options) alone(s *loader.Snapshot) revision {
	return revision{ages: age.Ages{Given: o.Ages}, states: effective.NewStates(), skipped: s.Skipped}
}

// single analyses one environment that is not compared with another.
func (o Options) single(s *loader.Snapshot, env *loader.Environment, t *catalogue.Table) *effective.Run {
	return o.run(env, t, o.alone(s))
}

// eachPair analyses the environments of two snapshots that the filter selects. It returns notes on what was
// assumed, and the problems of the snapshots and of the analysis.
func (o Options) eachPair(base, head *loader.Snapshot, visit func(applied.Pair, runs)) (notes []string, found []plan.Problem) {
	t := o.Table(base, head)
	var counts [2]counter
	for _, pair := range applied.Pairs(base.Environments, head.Environments) {
		if !o.Filter.environment(pair.Name()) {
			continue
		}
		leave, ok := o.Parts.EnterEnvironment(pair.Name())
		if !ok {
			continue
		}
		r := o.runs(inputsOf(pair, base, head), base, head, t)
		counts[0].run(r.before, t)
		counts[1].run(r.after, t)
		visit(pair, r)
		leave()
	}
	differ, both := pairNotes(o, t, &counts, base, head)
	return append(differ, both...), append(sides(base, head), o.leftOut()...)
}

// each analyses the environments of one snapshot that the filter selects. It returns notes on what
// was assumed, and the problems of the snapshot and of the analysis.
func (o Options) each(s *loader.Snapshot, visit func(*effective.Run)) (assumed []string, found []plan.Problem) {
	t := o.Table(s)
	var counts counter
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		if leave, ok := o.Parts.EnterEnvironment(env.Name); ok {
			r := o.single(s, env, t)
			counts.run(r, t)
			found = append(found, refused(env, t, o.Rules.Severity)...)
			visit(r)
			leave()
		}
	}
	return notes(o, t, &counts, s), append(sortedProblems(append(problems(s.Problems, ""), found...)), o.leftOut()...)
}
