package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// mesh returns the implementation of the mesh and its controllerName: those of a Gateway or
// GatewayClass whose implementation is also a mesh, or else those of an XMesh, or of the implementation that
// alone has kinds of parents which the input has.
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
	if controller == "" {
		return c.evident()
	}
	return implementation.For(controller), controller
}

// evident returns the implementation whose own kind of parent is in the input, or is named by a route there.
func (c *controllers) evident() (*implementation.Implementation, string) {
	for _, own := range implementation.All() {
		for _, kind := range own.Routes.Frontends {
			if len(c.AllOf(kind.Group, kind.Name)) > 0 || c.isParent(kind) {
				return own, own.MeshController
			}
		}
	}
	return implementation.Specification(), ""
}

// isParent reports whether a route names a parent of a kind.
func (c *controllers) isParent(kind implementation.Kind) bool {
	for i := range kinds {
		if kinds[i].level != LevelRoute {
			continue
		}
		for _, route := range c.AllOf(kinds[i].group, kinds[i].name) {
			if slices.ContainsFunc(route.Spec().List("parentRefs"), func(ref *loader.Value) bool {
				return ref.Str("kind") == kind.Name && ref.Str("group") == kind.Group
			}) {
				return true
			}
		}
	}
	return false
}
