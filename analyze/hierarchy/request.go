package hierarchy

import (
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/loader"
)

// HostsAt are the hostnames that a route serves through an edge, "*" for all.
func (e *Edge) HostsAt() []string {
	if len(e.Hostnames) == 0 {
		return []string{"*"}
	}
	return e.Hostnames
}

// Covers says whether a wildcard hostname stands for a name or a longer wildcard.
func Covers(wildcard, name string) bool { return covers(wildcard, name) }

// Order orders two routes of equal matches by age, with what decided it.
func (g *Graph) Order(a, b *loader.Object) age.Order { return g.ages.Order(a, b) }
