package outline

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
)

// ConnectionsIn is a change of connections with the environments that have it.
type ConnectionsIn struct {
	*plan.ConnectionChange
	Environments []string
}

// Connections merges equal changes of several environments, newly allowed connections first.
func Connections(doc *plan.Plan) []ConnectionsIn {
	var list []ConnectionsIn
	index := map[string]int{}
	for e := range doc.Environments {
		env := &doc.Environments[e]
		for i := range env.Connections {
			c := &env.Connections[i]
			k := key(c.Class, c.Certain, c.From, c.To, c.Ports, c.Except)
			at, known := index[k]
			if !known {
				at = len(list)
				index[k] = at
				list = append(list, ConnectionsIn{ConnectionChange: c})
			}
			list[at].Environments = AppendNew(list[at].Environments, env.Name)
		}
	}
	slices.SortStableFunc(list, func(a, b ConnectionsIn) int { return cmp.Compare(a.Class.Rank(), b.Class.Rank()) })
	return list
}
