package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
)

// mesh is the implementation of the mesh and its controllerName: that of an
// XMesh, else of a GatewayClass whose implementation is a mesh, too.
func (g *Graph) mesh() (*implementation.Implementation, string) {
	if g.meshOwn == nil {
		g.meshOwn, g.meshController = g.findMesh()
	}
	return g.meshOwn, g.meshController
}

func (g *Graph) findMesh() (*implementation.Implementation, string) {
	for _, n := range g.Nodes {
		if n.Level != LevelGateway && n.Level != LevelGatewayClass {
			continue
		}
		controller := n.Value.Str("controllerName")
		if n.Level == LevelGateway {
			controller = g.Controller(n)
		}
		if own := implementation.For(controller); own.MeshController != "" {
			return own, own.MeshController
		}
	}
	for id, o := range g.objects {
		if id.Group == ExperimentalGroup && id.Kind == "XMesh" {
			controller := o.Spec().Str("controllerName")
			return implementation.For(controller), controller
		}
	}
	return implementation.Specification(), ""
}

// Dominant is the implementation that judges what belongs to no Gateway: that of
// the first Gateway or GatewayClass with one.
func (g *Graph) Dominant() *implementation.Implementation {
	return implementation.For(g.dominantController())
}

func (g *Graph) dominantController() string {
	if g.dominant == nil {
		name := g.findDominant()
		g.dominant = &name
	}
	return *g.dominant
}

func (g *Graph) findDominant() string {
	first := ""
	for _, n := range g.Nodes {
		controller := ""
		switch n.Level {
		case LevelGateway:
			controller = g.Controller(n)
		case LevelGatewayClass:
			controller = n.Value.Str("controllerName")
		default:
		}
		if implementation.For(controller).Name != "" {
			return controller
		}
		first = or(first, controller)
	}
	return first
}

// HasGateways says whether the input has a Gateway or a class of them.
func (g *Graph) HasGateways() bool {
	return slices.ContainsFunc(g.Nodes, func(n *Node) bool {
		return n.Object != nil && (n.Level == LevelGateway || n.Level == LevelGatewayClass)
	})
}
