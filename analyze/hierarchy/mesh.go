package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// controllers determines which implementation's rules apply to the objects of a graph.
type controllers struct {
	*nodes
	// configured holds the controllerNames that the caller configures, by GatewayClass.
	configured      map[string]string
	implementations map[*Node]*implementation.Implementation
	meshOwn         *implementation.Implementation
	meshController  string
	dominant        *string
}

// mesh returns the implementation of the mesh and its controllerName: those of a Gateway or
// GatewayClass whose implementation is also a mesh, or else those of an XMesh.
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

// controllerAt returns the controllerName of a Gateway or GatewayClass, or "".
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

// Dominant returns the implementation that evaluates objects which belong to no Gateway: that of
// the first Gateway, or otherwise GatewayClass, with a known one.
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
	// A class without a Gateway serves no traffic, so Gateways come first.
	first := ""
	for _, level := range []Level{LevelGateway, LevelGatewayClass} {
		for _, n := range c.Nodes {
			if n.Level != level {
				continue
			}
			controller := c.controllerAt(n)
			if implementation.For(controller).Judges() {
				return controller
			}
			first = cmp.Or(first, controller)
		}
	}
	return first
}

// HasGateways reports whether the input has a Gateway or a GatewayClass.
func (c *controllers) HasGateways() bool {
	return slices.ContainsFunc(c.Nodes, func(n *Node) bool {
		return n.Object != nil && (n.Level == LevelGateway || n.Level == LevelGatewayClass)
	})
}
