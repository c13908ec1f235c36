package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// mesh is the implementation of the mesh and its controllerName: that of a
// GatewayClass whose implementation is a mesh, too, else of an XMesh.
func (g *Graph) mesh() (*implementation.Implementation, string) {
	if g.meshOwn == nil {
		g.meshOwn, g.meshController = g.findMesh()
	}
	return g.meshOwn, g.meshController
}

func (g *Graph) findMesh() (*implementation.Implementation, string) {
	for _, n := range g.Nodes {
		if own := implementation.For(g.controllerAt(n)); own.MeshController != "" {
			return own, own.MeshController
		}
	}
	var mesh *loader.Object
	for id, o := range g.objects {
		if id.Group == ExperimentalGroup && id.Kind == "XMesh" && (mesh == nil || id.Compare(mesh.ID) < 0) {
			mesh = o
		}
	}
	controller := mesh.Spec().Str("controllerName")
	return implementation.For(controller), controller
}

// controllerAt is the controllerName that a Gateway or GatewayClass has, or "".
func (g *Graph) controllerAt(n *Node) string {
	switch n.Level {
	case LevelGateway:
		return g.Controller(n)
	case LevelGatewayClass:
		return g.controllerOf(n)
	default:
	}
	return ""
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
	// A class without a Gateway serves nothing, so Gateways come first.
	first := ""
	for _, level := range []Level{LevelGateway, LevelGatewayClass} {
		for _, n := range g.Nodes {
			if n.Level != level {
				continue
			}
			controller := g.controllerAt(n)
			if implementation.For(controller).Name != "" {
				return controller
			}
			first = or(first, controller)
		}
	}
	return first
}

// HasGateways says whether the input has a Gateway or a class of them.
func (g *Graph) HasGateways() bool {
	return slices.ContainsFunc(g.Nodes, func(n *Node) bool {
		return n.Object != nil && (n.Level == LevelGateway || n.Level == LevelGatewayClass)
	})
}
