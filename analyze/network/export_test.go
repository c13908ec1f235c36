package network

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
)

// Len returns how many endpoints a world has.
func (w *World) Len() int { return len(w.views.list) }

// Allows reports whether a connection is allowed, read from the sets that hold the answers for all
// connections.
func (w *World) Allows(from, to int, port Range) fact.Fact {
	at := w.callers(to).at(port)
	switch {
	case at.sure.has(from):
		return fact.True
	case at.perhaps.has(from):
		return fact.Unknown
	}
	return fact.False
}

// Differing lists what differs for each endpoint, before it is joined and put into words. flip swaps what is
// opened and what is cut.
func Differing(base, head Side, flip bool) []string {
	c := differences(base, head)
	var out []string
	for _, f := range c.found {
		f.to.each(func(i int) {
			f.from.each(func(j int) {
				out = append(out, fmt.Sprint(f.opened != flip, f.sure, c.Before.endpoints[j].key(), c.Before.endpoints[i].key(), []Range(f.ports)))
			})
		})
	}
	slices.Sort(out)
	return out
}
