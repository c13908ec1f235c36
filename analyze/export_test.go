package analyze

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Separately returns options with which both revisions are analysed even if they are the same.
func Separately(o Options) Options {
	o.separately = true
	return o
}

// Graph returns the targets of the first environment of a snapshot.
func Graph(s *loader.Snapshot, o Options) *hierarchy.Graph {
	_, g := o.graph(s.Environments[0], o.alone(s))
	return g
}
