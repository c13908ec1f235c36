package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// controllers are the implementations whose rules hold for the objects of a graph.
type controllers struct {
	*nodes
	// configured are controllerNames that the caller knows, by GatewayClass.
	configured      map[string]string
	implementations map[*Node]*implementation.Implementation
	meshOwn         *implementation.Implementation
	meshController  string
	dominant        *string
}

// mesh is the implementation of the mesh and its controllerName: that of a
// GatewayClass whose implementation is a mesh, too, else of an XMesh.
func (c *controllers) mesh() (*implementation.Implementation, string) {
	if c.meshOwn == nil {
		c.meshOwn, c.meshController = c.findMesh()
	}
	return c.meshOwn, c.meshController
}

func (c *controllers) findMesh() (*implementation.Implementation, string) {
	for _, n := range c.Nodes {
		if own := implementation.For(c.controllerAt(n)); own.MeshController != "" {
			return own, own.MeshController
		}
	}
	var mesh *loader.Object
	if all := c.AllOf(loader.ExperimentalGroup, "XMesh"); len(all) > 0 {
		mesh = all[0]
	}
	controller := mesh.Spec().Str("controllerName")
	return implementation.For(controller), controller
}

// controllerAt is the controllerName that a Gateway or GatewayClass has, or "".
func (c *controllers) controllerAt(n *Node) string {
	switch n.Level {
	case LevelGateway:
		return c.Controller(n)
	case LevelGatewayClass:
		return c.controllerOf(n)
	default:
	}
	return ""
}

// Dominant is the implementation that judges what belongs to no Gateway: that of
// the first Gateway or GatewayClass with one.
func (c *controllers) Dominant() *implementation.Implementation {
	return implementation.For(c.dominantController())
}

func (c *controllers) dominantController() string {
	if c.dominant == nil {
		name := c.findDominant()
		c.dominant = &name
	}
	return *c.dominant
}

func (c *controllers) findDominant() string {
	// A class without a Gateway serves nothing, so Gateways come first.
	first := ""
	for _, level := range []Level{LevelGateway, LevelGatewayClass} {
		for _, n := range c.Nodes {
			if n.Level != level {
				continue
			}
			controller := c.controllerAt(n)
			if implementation.For(controller).Name != "" {
				return controller
			}
			first = cmp.Or(first, controller)
		}
	}
	return first
}

// HasGateways says whether the input has a Gateway or a class of them.
func (c *controllers) HasGateways() bool {
	return slices.ContainsFunc(c.Nodes, func(n *Node) bool {
		return n.Object != nil && (n.Level == LevelGateway || n.Level == LevelGatewayClass)
	})
}
