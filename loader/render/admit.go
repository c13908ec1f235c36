package render

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/schema"
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
		before := map[loader.ID]*loader.Object{}
		if len(snapshots) > 1 {
			before = objectsByID(environmentOf(snapshots[0], env.Name))
		}
		set := s.finish.schemas[env]
		for i, o := range env.Objects {
			old := before[o.ID]
			if o.Context || old != nil && old.Digest == o.Digest && old.Version == o.Version {
				continue
			}
			var was *loader.Value
			if old != nil {
				was = old.Root
			}
			if unknown, by := set.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, was); len(unknown) > 0 {
				r := loader.Rejection{Object: o, By: by}
				for _, u := range unknown {
					r.Reasons = append(r.Reasons, loader.Reason{At: u.At, Path: u.Path, Message: u.Near})
				}
				env.Unknown = append(env.Unknown, r)
			}
			violations, by := validator.Validate(set, o.ID.Group, o.Version, o.ID.Kind, o.Root, was)
			if len(violations) == 0 {
				continue
			}
			r := loader.Rejection{Object: o, By: by, Outcome: outcome(len(snapshots) > 1, old, violations)}
			for _, v := range violations {
				r.Reasons = append(r.Reasons, loader.Reason{At: v.At, Path: v.Path, Message: v.Message})
			}
			env.Rejected = append(env.Rejected, r)
			if r.Outcome == loader.KeepsOlder || r.Outcome == loader.GetsNone {
				env.Objects[i] = old
			}
		}
		env.Objects = slices.DeleteFunc(env.Objects, func(o *loader.Object) bool { return o == nil })
	}
	if validator.Exceeded() {
		head.Problems = append(head.Problems, loader.Problem{
			Severity: loader.Note, Code: "limit-validation",
			Message: "the expressions of CRDs cost too much to evaluate for all objects; some were not", Hint: "simplify x-kubernetes-validations",
		})
	}
}

func outcome(compared bool, old *loader.Object, violations []schema.Violation) loader.Outcome {
	switch {
	case !compared:
		return loader.NotCompared
	case old == nil:
		return loader.GetsNone
	case slices.ContainsFunc(violations, func(v schema.Violation) bool { return !v.Transition }):
		return loader.KeepsOlder
	}
	return loader.NeedsDeletion
}

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
		for _, o := range env.Objects {
			out[o.ID] = o
		}
	}
	return out
}
