package catalogue

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// Holds reports whether a default counts at a target.
func (d ControllerDefault) Holds(target *hierarchy.Node) bool {
	return (len(d.Kinds) == 0 || slices.Contains(d.Kinds, target.Target.Kind)) &&
		(len(d.Protocols) == 0 || slices.Contains(d.Protocols, target.Value.Str("protocol")))
}
