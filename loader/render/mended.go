package render

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/schema"
)

// refusedFields are the probably misspelt fields of an object because of which its deployer cannot apply it.
func refusedFields(o *loader.Object, unknown []schema.Unknown) []schema.Violation {
	if !o.Deployer.AppliesOnServer() {
		return nil
	}
	var out []schema.Violation
	for _, u := range unknown {
		if u.Near != "" {
			out = append(out, schema.Violation{At: u.At, Path: u.Path, Message: "there is no such field; is " + u.Near + " meant?"})
		}
	}
	return out
}

// faults returns the reasons for which an API server rejects an object wherever it is new, and a name for its schema.
func (a *admission) faults(schemas *schema.Set, o *loader.Object) (found []schema.Violation, by string) {
	found, by, _ = a.validator.Validate(schemas, o.ID.Group, o.Version, o.ID.Kind, o.Root, nil)
	unknown, api := schemas.Unknown(o.ID.Group, o.Version, o.ID.Kind, o.Root, nil)
	if refused := refusedFields(o, unknown); len(refused) > 0 {
		found, by = append(refused, found...), api
	}
	return found, by
}

// mends records the object of base that head replaces or removes, if an API server rejects it. It may be nil.
func (a *admission) mends(old *loader.Object) {
	if old == nil || old.Context {
		return
	}
	found, by := a.faults(a.former, old)
	if meant := a.former.Misspelt(old.ID.Group, old.ID.Kind); meant != "" {
		found, by = []schema.Violation{noKind(old, meant)}, meant
	} else if unserved, who := a.former.Unserved(old.ID.Group, old.Version, old.ID.Kind); unserved {
		found, by = []schema.Violation{notServed(old)}, who
	} else if changed := immutableChanges(nil, old); len(changed) > 0 {
		found, by = append(found, changed...), "Kubernetes"
	}
	if len(found) == 0 {
		return
	}
	a.environment.Mended = append(a.environment.Mended, loader.Rejection{Object: old, By: by, Outcome: loader.KeepsOlder, Reasons: reasons(found)})
}

// mendedByRemoval records the objects that head removes from what a deployer applies and because of which it applied nothing, and
// forgets what was mended for deployers that still apply nothing.
func (a *admission) mendedByRemoval() {
	if !a.compared {
		return
	}
	declared, deployers := a.declared(), a.environment.Deployers()
	for _, id := range slices.SortedFunc(maps.Keys(a.before), loader.ID.Compare) {
		old := a.before[id]
		if declared[id] == nil && old.Deployer.AppliesOnServer() && deployers[old.Deployer.ID] != nil {
			a.mends(old)
		}
	}
	stopped := a.environment.Stopped()
	a.environment.Mended = slices.DeleteFunc(a.environment.Mended, func(r loader.Rejection) bool {
		if !r.Stops() {
			return false
		}
		_, still := stopped[r.Object.Deployer.ID]
		return still
	})
}
