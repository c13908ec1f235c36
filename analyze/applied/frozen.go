package applied

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Applied returns the environment with head as the cluster will have it, and the objects that head changes and that are not
// applied: those of head that differ from base, and those of base that head removes from a Kustomization that is stopped. before
// and after are the revisions.
func (p Pair) Applied(before, after *loader.Snapshot) (Pair, []*loader.Object) {
	head, frozen := withoutFrozen(p.Base, p.Head)
	frozen = append(frozen, unremoved(p.Base, p.Head)...)
	return Pair{Base: p.Base, Head: afterFailedBuilds(p.Name(), p.Base, head, before, after)}, frozen
}

// withoutFrozen returns head as the cluster will have it: an object that its deployer does not apply stays
// as in base, or is not created. It also returns those of these objects that differ from base.
func withoutFrozen(base, head *loader.Environment) (*loader.Environment, []*loader.Object) {
	isFrozen := func(o *loader.Object) bool { return o.Frozen != "" || passing(o) }
	if head == nil || !slices.ContainsFunc(head.Objects, isFrozen) && !slices.ContainsFunc(head.Workloads, isFrozen) {
		return head, nil
	}
	before := base
	if before == nil {
		before = &loader.Environment{}
	}
	out, had := *head, before.Deployers()
	var frozen, workloads []*loader.Object
	out.Objects, frozen = asApplied(before.ByID(), had, head.Objects)
	out.Workloads, workloads = asApplied(loader.ByID(before.Workloads), had, head.Workloads)
	return &out, append(frozen, workloads...)
}

// unremoved returns the objects of base that head removes from Kustomizations of Flux of which the API server rejects an object: they
// stay, and say in Frozen why.
func unremoved(base, head *loader.Environment) []*loader.Object {
	if base == nil || head == nil || len(head.Rejected) == 0 {
		return nil
	}
	by := head.Stopped()
	var out []*loader.Object
	after := loader.ByID(slices.Concat(head.Objects, head.Workloads))
	for _, o := range slices.Concat(base.Objects, base.Workloads) {
		if o.Deployer == nil || o.Context || after[o.ID] != nil {
			continue
		}
		if r, stops := by[o.Deployer.ID]; stops && r.Object.ID != o.ID {
			stays := *o
			stays.Frozen = r.Stopping()
			out = append(out, &stays)
		}
	}
	return out
}

// passing reports whether a release has an object as a hook that runs before upgrades. One that was part of the release
// until now is made by the hook and then deleted with what the release lost (helm pkg/action/upgrade.go,
// releasingUpgrade; pkg/kube/client.go, Update).
func passing(o *loader.Object) bool {
	hooks := o.Root.Str("metadata", "annotations", loader.HelmHook)
	return o.Deployer != nil && o.Deployer.ID.Kind == "HelmRelease" && strings.Contains(hooks, "pre-upgrade") && !strings.Contains(hooks, "post-upgrade")
}

// asApplied returns some objects of head as the cluster will have them, and those that differ from base.
// had are the deployers of base.
func asApplied(before map[loader.ID]*loader.Object, had map[loader.ID]*loader.Deployer, list []*loader.Object) (out, frozen []*loader.Object) {
	for _, o := range list {
		was := before[o.ID]
		if o.Frozen == "" {
			if was == nil || !passing(o) || passing(was) {
				out = append(out, o)
			}
			continue
		}
		switch {
		case was != nil && o.IsHook() && !was.IsHook():
			continue // it is no part of the release any more, which deletes it, and hooks of installations do not run
		case was != nil:
			out = append(out, was)
		case o.IsHook() && (o.Deployer == nil || had[o.Deployer.ID] == nil):
			out = append(out, o) // the release is installed
			continue
		case o.IsCreatedOnly():
			out = append(out, o)
			continue
		}
		if was == nil || was.Digest != o.Digest {
			frozen = append(frozen, o)
		}
	}
	return out, frozen
}
