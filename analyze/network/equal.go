package network

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Equal reports whether two revisions surely decide all connections alike, because all that is read for
// these decisions is equal. It costs much less than Compare, and most edits are about something else.
func Equal(base, head Side) bool {
	if base.Complete != head.Complete || !slices.EqualFunc(base.Objects, head.Objects, decideAlike) ||
		!slices.EqualFunc(base.Services, head.Services, sameContent) ||
		!slices.EqualFunc(base.Endpoints, head.Endpoints, sameContent) || !slices.EqualFunc(base.Accounts, head.Accounts, sameContent) || !slices.EqualFunc(base.Declared, head.Declared, sameContent) {
		return false
	}
	asked := map[string]bool{}
	for _, list := range [][]*loader.Object{base.Objects, base.Services} {
		for _, o := range list {
			asked[o.ID.Namespace] = true
		}
	}
	// A policy may name a namespace that nobody declares and that has no object here.
	for _, o := range base.Objects {
		if IsPolicy(o.ID) {
			addNames(o.Root, asked)
		}
	}
	for name := range asked {
		b, h := base.Namespaces.NamespaceLabels(name), head.Namespaces.NamespaceLabels(name)
		if b.Partial != h.Partial || !maps.Equal(b.Values, h.Values) {
			return false
		}
	}
	return true
}

// addNames adds what may be the name of a namespace in the texts of a policy, some of which are expressions.
func addNames(v *loader.Value, names map[string]bool) {
	if v == nil {
		return
	}
	if v.Shape == loader.String {
		for name := range strings.FieldsFuncSeq(v.Text, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
			names[name] = true
		}
	}
	for _, f := range v.Fields {
		addNames(f.Value, names)
	}
	for _, item := range v.Items {
		addNames(item, names)
	}
}

// decideAlike reports whether an object of each revision has the same say in decisions: of a workload, only
// its pods count.
func decideAlike(a, b *loader.Object) bool {
	return sameContent(a, b) || a.ID == b.ID && Workload(a.ID.Group, a.ID.Kind) && reflect.DeepEqual(podOf(a), podOf(b))
}

// sameContent reports whether two objects are equal in all that is read of them: everything but metadata, and
// the labels.
func sameContent(a, b *loader.Object) bool {
	if a == b || a.ID == b.ID && a.Digest == b.Digest {
		return true
	}
	return a.ID == b.ID && loader.Equal(a.Root.Get("metadata", "labels"), b.Root.Get("metadata", "labels")) && a.SameBody(b)
}
