// Package inventory answers what is known of the objects of an environment: which are in the
// input, which exist elsewhere or may be rendered, what the labels of namespaces are, and
// which references to other namespaces are permitted. Offline some of it is unknown, and stays so.
package inventory

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Options are what the caller knows beyond the manifests.
type Options struct {
	// Complete says that what is not in the input does not exist. It never
	// overrides a gap: something that could not be rendered.
	Complete bool
	// NamespaceLabels are labels of namespaces whose manifests are not in the
	// input.
	NamespaceLabels map[string]map[string]string
	// External lists objects that live elsewhere: they exist, their content is
	// not known.
	External map[loader.ID]bool
	// Gone lists objects that are known not to exist: the other revision of a
	// comparison declares them.
	Gone map[loader.ID]bool
	// Granted are the ReferenceGrants of the other revision of a comparison: what one
	// of them permits, and none of this revision does, is not permitted elsewhere.
	Granted []*loader.Object
	// Unread counts the objects in the input that were not read, by GROUP/KIND: they
	// exist, whatever their names.
	Unread map[string]int
	// Controllers are controllerNames by GatewayClass, for classes that are not in
	// the input or that behave as another controller's.
	Controllers map[string]string
	// Ages decide among ListenerSets, and among routes with one match.
	Ages age.Ages
}

// Inventory is what is known of the objects of one environment. Some answers are computed when
// they are first needed, so it is for one goroutine at a time.
type Inventory struct {
	*Objects
	*Namespaces
	*References
	*Names
}

// Of makes the inventory of an environment.
func Of(env *loader.Environment, options Options) *Inventory {
	objects := newObjects(env, options)
	namespaces := &Namespaces{
		objects: objects, configured: options.NamespaceLabels,
		labels: map[string]Labels{}, selected: map[selection]fact.Fact{},
	}
	references := &References{objects: objects, grants: indexGrants(env.Objects)}
	references.revoked = indexGrants(slices.DeleteFunc(slices.Clone(options.Granted), func(o *loader.Object) bool {
		return objects.Object(o.ID) == nil && objects.Absent(o.ID) != fact.False // it may exist and be unread
	}))
	return &Inventory{
		Objects: objects, Namespaces: namespaces, References: references,
		Names: &Names{objects: objects, namespaces: namespaces, similar: map[loader.ID]string{}},
	}
}
