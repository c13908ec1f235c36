package render

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/tree"
)

// admit validates the objects of head as an API server does: in a comparison those that differ from
// base, else all. In a comparison, a rejected object does not reach the cluster, which keeps the
// object of base, if any. A single tree keeps it, so that what else is wrong with it is found, too.
func (s *session) admit(snapshots []*loader.Snapshot) {
	if s.opts.Schemas == nil || !s.opts.Admission {
		return
	}
	validator := schema.NewValidator()
	head := snapshots[len(snapshots)-1]
	for _, env := range head.Environments {
		a := admission{validator: validator, schemas: s.finish.schemas[env], environment: env, compared: len(snapshots) > 1, unjudged: map[schema.Skipped][]*loader.Object{}, removed: map[loader.ID]map[wrong]bool{}}
		if a.compared {
			base := environmentOf(snapshots[0], env.Name)
			if base != nil && s.again[env] == base {
				continue // every object is the one of base
			}
			a.before = objectsByID(base)
			a.redefine(s.finish.schemas[base], env.Objects)
		}
		all := slices.Concat(env.Objects, env.Workloads)
		a.declared = sync.OnceValue(func() map[loader.ID]*loader.Object { return loader.ByID(all) })
		env.Objects = a.admitted(env.Objects)
		env.Workloads = a.admitted(env.Workloads)
		workload := func(o *loader.Object) bool { return s.opts.Workload(o.ID.Group, o.ID.Kind) }
		env.Workloads = a.restore(env.Workloads, workload)
		env.Objects = a.restore(env.Objects, func(o *loader.Object) bool { return !workload(o) })
		if a.compared {
			pruneBefore(environmentOf(snapshots[0], env.Name), env, s.finish.schemas[environmentOf(snapshots[0], env.Name)])
		}
		a.mendedByRemoval()
		stopRejected(env)
		for _, why := range []schema.Skipped{schema.NotKnown, schema.TooCostly} {
			if objects := a.unjudged[why]; len(objects) > 0 {
				head.Problems = append(head.Problems, a.problem(why, objects))
				env.Incomplete = true
			}
		}
	}
}

// admission validates the objects of one environment.
type admission struct {
	validator   *schema.Validator
	schemas     *schema.Set
	environment *loader.Environment
	// declared are the objects as they are declared.
	declared func() map[loader.ID]*loader.Object
	// before are the objects of base, if it is compared.
	before   map[loader.ID]*loader.Object
	compared bool
	// redefined are the kinds whose definition head brings or changes, former is what they were.
	redefined map[loader.ID]bool
	former    *schema.Set
	// removed is what is wrong with objects that only base has, by their kind.
	removed map[loader.ID]map[wrong]bool
	// restored are objects of base that the cluster keeps in the place of objects of no kind.
	restored []*loader.Object
	// unjudged are objects of which some rules were not evaluated, by the reason.
	unjudged map[schema.Skipped][]*loader.Object
}

// problem names objects that an API server may reject for a rule that was not evaluated.
func (a *admission) problem(why schema.Skipped, objects []*loader.Object) loader.Problem {
	p := loader.Problem{Severity: loader.Warning, Position: objects[0].First(), Environments: []string{a.environment.Name}}
	others := ""
	if n := len(objects) - 1; n > 0 {
		others = fmt.Sprintf(" (and %d more)", n)
	}
	p.Message = objects[0].ID.Spoken() + " was checked against only some of the rules of its CRD" + others
	switch why {
	case schema.TooCostly:
		p.Code, p.Hint = loader.LimitValidation, "simplify x-kubernetes-validations"
		p.Message += ": some cost too much, and an API server may reject it"
	case schema.NotKnown, schema.None:
		p.Code, p.Hint = "rule-not-known", "see which functions of x-kubernetes-validations your API server has"
		p.Message += ": some call functions that are not known here, and an API server may reject it"
	}
	return p
}

// admitted returns the objects as the cluster will have them, and records what is wrong with them.
func (a *admission) admitted(objects []*loader.Object) []*loader.Object {
	out := objects[:0]
	for _, o := range objects {
		if kept := a.admit(o); kept != nil {
			out = append(out, kept)
		}
	}
	return out
}

// redefine finds the kinds whose definition is new or another one.
func (a *admission) redefine(former *schema.Set, objects []*loader.Object) {
	a.former, a.redefined = former, map[loader.ID]bool{}
	for _, o := range objects {
		if o.ID.Kind != tree.CrdKind {
			continue
		}
		if was := a.before[o.ID]; was == nil || was.Digest != o.Digest {
			a.redefined[loader.ID{Group: o.Root.Str("spec", "group"), Kind: o.Root.Str("spec", "names", "kind")}] = true
		}
	}
}

// hold holds an object that does not change against the new definition of its kind: fields that this no longer has are pruned
// when the object is read, and a version that is no longer served cannot be applied.
func (a *admission) hold(o *loader.Object) {
	unknown, by := a.schemas.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, nil)
	if len(unknown) > 0 {
		known, _ := a.former.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, nil)
		unknown = slices.DeleteFunc(unknown, func(u schema.Unknown) bool {
			return slices.ContainsFunc(known, func(was schema.Unknown) bool { return was.Path == u.Path })
		})
		a.drops(o, unknown, by)
	}
	unserved, who := a.schemas.Unserved(o.ID.Group, o.Version, o.ID.Kind)
	if before, _ := a.former.Unserved(o.ID.Group, o.Version, o.ID.Kind); unserved && !before {
		a.environment.Rejected = append(a.environment.Rejected, loader.Rejection{
			Object: o, By: who, Outcome: loader.KeepsOlder, Reasons: reasons([]schema.Violation{notServed(o)}),
		})
	}
}

// drops records fields that the API server drops.
func (a *admission) drops(o *loader.Object, unknown []schema.Unknown, by string) {
	if len(unknown) == 0 {
		return
	}
	r := loader.Rejection{Object: o, By: by}
	for _, u := range unknown {
		r.Reasons = append(r.Reasons, loader.Reason{At: u.At, Path: u.Path, Message: u.Near})
	}
	a.environment.Unknown = append(a.environment.Unknown, r)
}

// admit returns the object that the cluster has once an object is applied, or nil.
func (a *admission) admit(o *loader.Object) *loader.Object {
	old := a.before[o.ID]
	stays := old != nil && old.Digest == o.Digest && old.Version == o.Version
	if o.Context || stays && !a.redefined[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] {
		return o
	}
	if stays {
		a.hold(o)
		return o
	}
	if meant := a.schemas.Misspelt(o.ID.Group, o.ID.Kind); meant != "" {
		return a.nonexistent(o, meant)
	}
	var was *loader.Value
	if old != nil {
		was = old.Root
	}
	violations, by, skipped := a.validator.Validate(a.schemas, o.ID.Group, o.Version, o.ID.Kind, o.Root, was)
	if skipped != schema.None && len(violations) == 0 {
		a.unjudged[skipped] = append(a.unjudged[skipped], o)
	}
	unknown, api := a.schemas.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, was)
	if refused := refusedFields(o, unknown); len(refused) > 0 {
		violations, by = append(refused, violations...), api
	} else {
		a.drops(o, unknown, api)
	}
	if unserved, who := a.schemas.Unserved(o.ID.Group, o.Version, o.ID.Kind); unserved {
		violations, by = []schema.Violation{notServed(o)}, who
	}
	if changed := immutableChanges(old, o); len(changed) > 0 {
		violations, by = append(violations, changed...), "Kubernetes"
	}
	if len(violations) == 0 {
		a.mends(old)
		return pruned(o, a.schemas)
	}
	r := loader.Rejection{Object: o, By: by, Outcome: a.outcome(old, violations)}
	if (r.Outcome == loader.KeepsOlder || r.Outcome == loader.GetsNone) && a.takenBefore(o, old, violations) {
		r.Outcome = loader.TakenBefore
	}
	r.Reasons = reasons(violations)
	a.environment.Rejected = append(a.environment.Rejected, r)
	if r.Outcome == loader.KeepsOlder || r.Outcome == loader.GetsNone {
		return old
	}
	return pruned(o, a.schemas)
}

// pruneBefore prunes the objects of base that differ from those of head, or that head no longer has, as those of head are. The
// environment of base may be nil.
func pruneBefore(base, head *loader.Environment, schemas *schema.Set) {
	if base == nil {
		return
	}
	after := objectsByID(head)
	for _, list := range [][]*loader.Object{base.Objects, base.Workloads} {
		for i, o := range list {
			if is := after[o.ID]; !o.Context && (is == nil || is.Digest != o.Digest) {
				list[i] = pruned(o, schemas)
			}
		}
	}
}

// nonexistent rejects an object of a kind that does not exist. The cluster keeps the object of the kind that was meant: it is not
// deleted either, because a deployer that cannot apply all objects deletes none.
func (a *admission) nonexistent(o *loader.Object, meant string) *loader.Object {
	replaced := o.ID
	replaced.Kind = meant
	old := a.before[replaced]
	if a.declared()[replaced] != nil {
		old = nil // it is still declared
	}
	r := loader.Rejection{Object: o, By: meant, Outcome: a.outcome(old, nil), Reasons: reasons([]schema.Violation{noKind(o, meant)})}
	if old != nil {
		r.Outcome = loader.KeepsOlder
		a.restored = append(a.restored, old)
	}
	a.environment.Rejected = append(a.environment.Rejected, r)
	if r.Outcome == loader.NotCompared {
		return o
	}
	return nil
}

// noKind says that there is no such kind as an object has.
func noKind(o *loader.Object, meant string) schema.Violation {
	return schema.Violation{At: o.Root.Get("kind"), Path: loader.KindPath, Message: "there is no kind " + o.ID.Kind + "; did you mean " + meant + "?"}
}

// notServed says that no API server serves the version of an object.
func notServed(o *loader.Object) schema.Violation {
	return schema.Violation{At: o.Root.Get("apiVersion"), Path: "apiVersion", Message: strconv.Quote(o.Version) + " is not served"}
}

// reasons are violations as the analysis knows them.
func reasons(violations []schema.Violation) []loader.Reason {
	out := make([]loader.Reason, 0, len(violations))
	for _, v := range violations {
		out = append(out, loader.Reason{At: v.At, Path: v.Path, Message: v.Message})
	}
	return out
}

// restore returns objects together with those of base that the cluster keeps in the place of objects of no kind, where belongs says so.
func (a *admission) restore(objects []*loader.Object, belongs func(*loader.Object) bool) []*loader.Object {
	before := len(objects)
	for _, o := range a.restored {
		if belongs(o) {
			objects = append(objects, o)
		}
	}
	if len(objects) > before {
		slices.SortFunc(objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	}
	return objects
}

// pruned returns an object without its misspelt fields.
func pruned(o *loader.Object, schemas *schema.Set) *loader.Object {
	unknown, _ := schemas.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, nil)
	root := schema.Pruned(o.Root, unknown)
	if root == o.Root {
		return o
	}
	out := *o
	out.Root, out.Digest = root, loader.Digest(o.ID, root)
	return &out
}

func (a *admission) outcome(old *loader.Object, violations []schema.Violation) loader.Outcome {
	switch {
	case !a.compared:
		return loader.NotCompared
	case old == nil:
		return loader.GetsNone
	case slices.ContainsFunc(violations, func(v schema.Violation) bool { return !v.Transition }):
		return loader.KeepsOlder
	}
	return loader.NeedsDeletion
}

// takenBefore reports whether every violation was also in the object that this one replaces or, for a new object, in one of its
// kind that head removes, which it may be by another name. The cluster accepted it before: it serves another release of the CRD,
// or a placeholder is filled in. It is false if the CRD is in the input.
func (a *admission) takenBefore(o, old *loader.Object, violations []schema.Violation) bool {
	if a.schemas.Holds(o.ID.Group, o.Version, o.ID.Kind) {
		return false
	}
	was := a.wrongWith(old)
	if old == nil {
		was = a.wrongWithRemoved(o.ID)
	}
	return !slices.ContainsFunc(violations, func(v schema.Violation) bool { return !was[wrongOf(v)] })
}

// wrong is a violation wherever it is in a list.
type wrong struct{ path, message string }

func wrongOf(v schema.Violation) wrong { return wrong{unnumbered(v.Path), v.Message} }

func (a *admission) wrongWith(o *loader.Object) map[wrong]bool {
	out := map[wrong]bool{}
	if o == nil {
		return out
	}
	found, _ := a.faults(a.schemas, o)
	for _, v := range found {
		out[wrongOf(v)] = true
	}
	return out
}

// wrongWithRemoved is what is wrong with the objects of a kind that only base has.
func (a *admission) wrongWithRemoved(id loader.ID) map[wrong]bool {
	kind := loader.ID{Group: id.Group, Kind: id.Kind}
	if known, ok := a.removed[kind]; ok {
		return known
	}
	out := map[wrong]bool{}
	after := objectsByID(a.environment) // one that was judged already stays in it if base has it, too
	for _, other := range slices.SortedFunc(maps.Keys(a.before), loader.ID.Compare) {
		if other.Group == id.Group && other.Kind == id.Kind && after[other] == nil {
			maps.Copy(out, a.wrongWith(a.before[other]))
		}
	}
	a.removed[kind] = out
	return out
}

// positions are those of items in a path.
var positions = regexp.MustCompile(`\[\d+\]`)

// unnumbered returns a path without the positions of items, which move.
func unnumbered(path string) string { return positions.ReplaceAllString(path, "[]") }

func environmentOf(s *loader.Snapshot, name string) *loader.Environment {
	for _, env := range s.Environments {
		if env.Name == name {
			return env
		}
	}
	return nil
}

func objectsByID(env *loader.Environment) map[loader.ID]*loader.Object {
	out := map[loader.ID]*loader.Object{}
	if env != nil {
		for _, o := range slices.Concat(env.Objects, env.Workloads) {
			out[o.ID] = o
		}
	}
	return out
}
