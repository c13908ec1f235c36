// Package inventory holds what is known about the objects of an environment: which are in the
// input, which exist elsewhere or may be rendered, which labels the namespaces have, and which
// references to other namespaces are permitted. Offline, some of this is unknown and is reported as
// unknown.
package inventory

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Options holds caller input that is not in the manifests.
type Options struct {
	// Complete means that an object which is not in the input does not exist. It never overrides a
	// gap, which is a part of the input that could not be rendered.
	Complete bool
	// NamespaceLabels are labels of namespaces whose manifests are not in the
	// input.
	NamespaceLabels map[string]map[string]string
	// External lists objects that are defined elsewhere: they exist, but their content is not
	// known.
	External map[loader.ID]bool
	// Gone lists objects that are known not to exist, because only the other revision of a
	// comparison declares them.
	Gone map[loader.ID]bool
	// Supposed lists objects that are taken as not existing, whatever may render them.
	Supposed map[loader.ID]bool
	// Granted holds the ReferenceGrants of the other revision of a comparison. If one of them
	// permits a reference and no grant of this revision does, no grant outside the input is assumed
	// to permit it.
	Granted []*loader.Object
	// Unread counts the objects in the input that were not read, by GROUP/KIND. They exist, but
	// their names are not known.
	Unread map[string]int
	// Controllers maps a GatewayClass to a controllerName, for classes that are not in the input or
	// that behave like the class of another controller.
	Controllers map[string]string
	// Ages decides which ListenerSet, or which of several routes with the same match, has
	// precedence.
	Ages age.Ages
}

// Inventory holds what is known about the objects of one environment. It computes some answers on
// first use, so only one goroutine may use it at a time.
type Inventory struct {
	*Objects
	*Namespaces
	*References
	*Names
}

// Of builds the inventory of an environment.
func Of(env *loader.Environment, options Options) *Inventory {
	objects := newObjects(env, options)
	namespaces := &Namespaces{
		objects: objects, configured: options.NamespaceLabels, managed: managedLabels(env),
		labels: map[string]Labels{}, selected: map[selection]fact.Fact{},
	}
	references := &References{objects: objects, namespaces: namespaces, grants: indexGrants(env.Objects)}
	references.revoked = indexGrants(slices.DeleteFunc(slices.Clone(options.Granted), func(o *loader.Object) bool {
		return objects.Object(o.ID) == nil && objects.ExistsOutside(o.ID) != fact.False // it may exist and be unread
	}))
	return &Inventory{
		Objects: objects, Namespaces: namespaces, References: references,
		Names: &Names{objects: objects, namespaces: namespaces, similar: map[loader.ID]string{}},
	}
}
