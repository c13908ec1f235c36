package hierarchy

import (
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

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
