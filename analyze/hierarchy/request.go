package hierarchy

import (
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/loader"
)

// HostsAt returns the hostnames that a route serves through an edge, "*" for all.
func (e *Edge) HostsAt() []string {
	if len(e.Hostnames) == 0 {
		return []string{"*"}
	}
	return e.Hostnames
}

// Order orders two routes with equal matches by age, and returns what decided the order.
func (g *Graph) Order(a, b *loader.Object) age.Order { return g.ages.Order(a, b) }

// OrderWith orders two routes as a cluster does in which another route is as old as its manifest allows.
func (g *Graph) OrderWith(oldest, a, b *loader.Object) int { return g.ages.OrderWith(oldest, a, b) }
