package catalogue

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// Controllers are the prefixes of the controllerNames that read policies of a kind, none where
// any may.
type Controllers []string

// Foreign reports whether a Gateway is known to belong to another controller than the kind's, so
// that policies of the kind have no effect there. An unknown controller may be the kind's own
// under another name.
func (c Controllers) Foreign(g *hierarchy.Graph, n *hierarchy.Node) bool {
	return n.Level == hierarchy.LevelGateway && c.Ignores(g.Controller(n))
}

// Ignores reports whether a controllerName is known not to be the kind's.
func (c Controllers) Ignores(controller string) bool {
	domain, _, _ := strings.Cut(controller, "/")
	return len(c) > 0 && implementation.WellKnown(controller) &&
		!slices.ContainsFunc(c, func(prefix string) bool { return strings.HasPrefix(prefix, domain+"/") })
}

// Governs reports whether the kind's controller may handle a node: it does not handle Gateways
// of another controller.
func (c Controllers) Governs(g *hierarchy.Graph, n *hierarchy.Node) bool {
	if len(c) == 0 || n.Level != hierarchy.LevelGateway {
		return true
	}
	controller := g.Controller(n)
	return controller == "" || slices.ContainsFunc(c, func(prefix string) bool { return strings.HasPrefix(controller, prefix) })
}
