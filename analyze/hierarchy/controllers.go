package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
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
	alone           *bool
}

// Controller returns the controllerName of a Gateway's class, or "" if it is unknown.
func (c *controllers) Controller(gateway *Node) string {
	class := classOf(gateway)
	if class == nil {
		return ""
	}
	return c.controllerOf(class)
}

// controllerOf returns the controllerName of a class: the one that the caller configures, the one
// in the class, or the one of an implementation that creates the class itself.
func (c *controllers) controllerOf(class *Node) string {
	name := class.Target.Name
	return cmp.Or(c.configured[name], class.Value.Str("controllerName"), implementation.ControllerOfClass(name))
}

// Implementation returns the implementation whose rules apply to a Gateway.
func (c *controllers) Implementation(gateway *Node) *implementation.Implementation {
	if own, ok := c.implementations[gateway]; ok {
		return own
	}
	own := implementation.For(c.Controller(gateway))
	c.implementations[gateway] = own
	return own
}

// Dominant returns the implementation that evaluates objects which belong to no Gateway: that of
// the first Gateway, or otherwise GatewayClass, with a known one, or that of the mesh, or one of whose own kinds there are objects.
func (c *controllers) Dominant() *implementation.Implementation {
	return implementation.For(c.dominantController())
}

// Alone reports whether no Gateway belongs to a known implementation other than the dominant one. Another one may
// accept what the dominant one does not know.
func (c *controllers) Alone() bool {
	if c.alone == nil {
		dominant := c.Dominant()
		alone := !slices.ContainsFunc(c.Nodes, func(n *Node) bool {
			return n.Level == LevelGateway && c.Implementation(n).Judges() && c.Implementation(n) != dominant
		})
		c.alone = &alone
	}
	return *c.alone
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
	if first == "" {
		_, first = c.mesh()
	}
	if first == "" && c.Whole() {
		first = c.signed()
	}
	return first
}

// signed returns the controllerName of an implementation of whose own kinds there are objects, or "".
func (c *controllers) signed() string {
	for _, own := range implementation.All() {
		if slices.ContainsFunc(own.Signs, func(k implementation.Kind) bool { return len(c.AllOf(k.Group, k.Name)) > 0 }) {
			return own.Controllers[0]
		}
	}
	return ""
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

// Decider returns the implementation whose rules apply to a route.
func (c *controllers) Decider(route *Node) *implementation.Implementation {
	own, _ := c.deciderOf(route)
	return own
}

// deciderOf returns the implementation whose rules apply to the references of a route: that of its
// first parent which is not a Service, of those whose implementation is known if there are any. mesh is true if all its parents are
// Services.
func (c *controllers) deciderOf(route *Node) (own *implementation.Implementation, mesh bool) {
	own, mesh = implementation.Specification(), len(route.Up) > 0
	for _, e := range route.Up {
		parent := e.Parent
		if parent.Owner != nil {
			parent = parent.Owner
		}
		if parent.Level == LevelFrontend {
			continue
		}
		if LevelOf(parent.Target.Group, parent.Target.Kind) == LevelRoute {
			return c.Dominant(), false // finding the Gateway would traverse all ancestors
		}
		mesh = false
		if known := c.Implementation(GatewayOf(parent)); known.Name != "" {
			return known, false
		}
	}
	if mesh {
		own, _ = c.mesh()
	}
	return own, mesh
}
