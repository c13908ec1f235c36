package applied

import (
	"maps"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// remaining returns a function that reports whether an object of base stays in the cluster: its deployer is broken in head, or
// one of the folders that list it cannot be built.
func remaining(base, head *loader.Environment, declared map[loader.ID]bool, roots []string, before, after *loader.Snapshot) func(*loader.Object) bool {
	broken, deploys := deployersOf(base, head, roots), map[loader.ID]bool{}
	maps.Copy(broken, declared)
	for _, part := range head.Parts {
		if part.Deployer != nil {
			deploys[part.Deployer.ID] = true
		}
	}
	// A deployer that a broken one applies remains as well, and keeps working as long as its folder
	// exists.
	var deployerRemains func(d *loader.Deployer, depth int) bool
	deployerRemains = func(d *loader.Deployer, depth int) bool {
		return d != nil && d.Parent != nil && depth < maxDeployers && !deploys[d.ID] && (broken[d.Parent.ID] || deployerRemains(d.Parent, depth+1))
	}
	return func(o *loader.Object) bool {
		switch {
		case o.Deployer == nil:
			return slices.ContainsFunc(o.Listed, func(at loader.Position) bool { return slices.Contains(roots, path.Dir(at.File)) })
		case broken[o.Deployer.ID]:
			return true
		}
		return deployerRemains(o.Deployer, 0) && !slices.ContainsFunc(o.Files, func(file string) bool {
			return before.Content(file) != after.Content(file) && !declares(o.Deployer, file) && !folderGone(path.Dir(file), before, after)
		})
	}
}

// kept returns head with the objects of base that remain. What head has of their kinds in their place, which the same failed build
// does not apply, is left out: the two are never in the cluster together.
func kept(base, head *loader.Environment, remains func(*loader.Object) bool) *loader.Environment {
	out := *head
	as := asBefore(base, head, remains)
	if len(as) > 0 {
		of := func(d loader.Duplicate) bool { return as[d.Dropped.ID] }
		out.Duplicates = slices.DeleteFunc(slices.Clone(head.Duplicates), of)
		out.Duplicates = append(out.Duplicates, slices.DeleteFunc(slices.Clone(base.Duplicates), func(d loader.Duplicate) bool { return !of(d) })...)
	}
	merged := func(had, has []*loader.Object) []*loader.Object {
		declared, known := loader.ByID(has), loader.ByID(had)
		replaced := map[loader.ID]bool{} // by kind
		var stay []*loader.Object
		for _, o := range had {
			if as[o.ID] || declared[o.ID] == nil && remains(o) {
				stay = append(stay, o)
				replaced[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] = true
			}
		}
		list := slices.DeleteFunc(slices.Clone(has), func(o *loader.Object) bool {
			return as[o.ID] || known[o.ID] == nil && replaced[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] && remains(o)
		})
		list = append(list, stay...)
		slices.SortStableFunc(list, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
		return list
	}
	out.Objects, out.Workloads = merged(base.Objects, head.Objects), merged(base.Workloads, head.Workloads)
	return &out
}

// asBefore returns the objects that base declares several times, at least once in what remains, and head nowhere in another
// way: which declaration applies does not change.
func asBefore(base, head *loader.Environment, remains func(*loader.Object) bool) map[loader.ID]bool {
	had, out := map[loader.ID][]*loader.Object{}, map[loader.ID]bool{}
	for _, d := range base.Duplicates {
		id := d.Dropped.ID
		had[id] = append(had[id], d.Kept, d.Dropped)
		out[id] = out[id] || remains(d.Kept) || remains(d.Dropped)
	}
	compare := func(o *loader.Object) {
		if !slices.ContainsFunc(had[o.ID], func(b *loader.Object) bool { return b.Digest == o.Digest && b.First().File == o.First().File }) {
			out[o.ID] = false
		}
	}
	for _, o := range slices.Concat(head.Objects, head.Workloads) {
		compare(o)
	}
	for _, d := range head.Duplicates {
		compare(d.Dropped)
	}
	maps.DeleteFunc(out, func(_ loader.ID, as bool) bool { return !as })
	return out
}
