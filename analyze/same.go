package analyze

import (
	"maps"
	"reflect"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// same reports whether two revisions give the analysis of an environment the same input, positions
// included. It is then analysed once for both.
func (o Options) same(pair applied.Pair, base, head *loader.Snapshot, unread [2]map[string]bool) bool {
	b, h := pair.Base, pair.Head
	if o.separately || b == nil || h == nil || len(b.Objects) != len(h.Objects) ||
		!sameKinds(base.Skipped, head.Skipped) || !maps.Equal(unread[0], unread[1]) {
		return false
	}
	for i := range b.Objects {
		if b.Objects[i].Digest != h.Objects[i].Digest { // much cheaper than what follows
			return false
		}
	}
	rest := [2]loader.Environment{*b, *h}
	rest[0].Objects, rest[1].Objects = nil, nil
	rest[0].Workloads, rest[1].Workloads = nil, nil
	return slices.EqualFunc(b.Objects, h.Objects, sameObject) && slices.EqualFunc(b.Workloads, h.Workloads, sameObject) && reflect.DeepEqual(rest[0], rest[1])
}

// sameKinds reports whether documents of the same kinds were not read. Their number does not matter.
func sameKinds(base, head map[string]int) bool {
	return maps.EqualFunc(base, head, func(a, b int) bool { return (a > 0) == (b > 0) })
}

func sameObject(a, b *loader.Object) bool {
	return a == b || a.ID == b.ID && a.Version == b.Version && a.Origin == b.Origin && a.GeneratedBy == b.GeneratedBy &&
		a.Frozen == b.Frozen && a.NamespaceAssumed == b.NamespaceAssumed && a.Context == b.Context && a.Digest == b.Digest &&
		slices.Equal(a.Files, b.Files) && slices.Equal(a.Listed, b.Listed) && slices.Equal(a.Inputs, b.Inputs) &&
		reflect.DeepEqual(a.Deployer, b.Deployer) && sameValue(a.Root, b.Root)
}

// sameValue reports whether two values are equal and in the same place.
func sameValue(a, b *loader.Value) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.Shape == b.Shape && a.Text == b.Text && a.Mark == b.Mark && a.Defaulted == b.Defaulted && a.Opaque == b.Opaque &&
		a.Blank == b.Blank && a.Word == b.Word &&
		slices.EqualFunc(a.Fields, b.Fields, func(a, b loader.Field) bool { return a.Key == b.Key && sameValue(a.Value, b.Value) }) &&
		slices.EqualFunc(a.Items, b.Items, sameValue)
}
