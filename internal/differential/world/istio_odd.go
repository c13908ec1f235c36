package world

import (
	"maps"
	"slices"
)

// widen changes what a world has already, so that it holds what only some clusters of Istio have.
func (b *Builder) widen() {
	b.foreignWaypoint()
	b.oddGateways()
	b.oddListeners()
	b.oddFrontends()
	b.oddRules()
	b.oddCertificates()
	b.grantAuthorities()
}

// labels are those of an object, to be changed.
func (b *Builder) labels(o Object) fields {
	meta := o["metadata"].(fields)
	labels := fields{}
	if old, ok := meta["labels"].(fields); ok {
		labels = maps.Clone(old)
	}
	meta["labels"] = labels
	return labels
}

// each calls change with the specs of some objects of a kind.
func (b *Builder) each(p float64, change func(o Object, spec fields), kinds ...string) {
	for _, o := range b.objects {
		if spec, ok := o["spec"].(fields); ok && slices.Contains(kinds, o.Kind()) && b.chance(p) {
			change(o, spec)
		}
	}
}
