package hierarchy

import "github.com/gwplan/gwplan/loader"

// HostsAt are the hostnames that a route serves through an edge, "*" for all.
func (e *Edge) HostsAt() []string { return hostsAt(e) }

// Covers says whether a wildcard hostname stands for a name or a longer wildcard.
func Covers(wildcard, name string) bool { return covers(wildcard, name) }

// Older orders two routes of equal matches: negative where the first one has precedence.
func (g *Graph) Older(a, b *loader.Object) int { return g.options.Ages.Order(a, b).Compare }
