package policy

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// selectable is an object that targetSelectors may select.
type selectable struct {
	*hierarchy.Node
	labels inventory.Labels
}

func (s *selectable) matches(selector *loader.Value) fact.Fact { return s.labels.Matches(selector) }

// selectables are the objects of a graph that targetSelectors may select, in the order of its nodes. Both the policies and the
// objects may be thousands.
type selectables struct{ of map[kindIn][]*selectable }

// kindIn is a kind in a namespace, or in all of them.
type kindIn struct {
	group, kind, namespace string
	all                    bool
}

// in returns the objects of a kind in a namespace.
func (s *selectables) in(g *hierarchy.Graph, group, kind, namespace string) []*selectable {
	return s.index(g)[kindIn{group: group, kind: kind, namespace: namespace}]
}

// everywhere returns the objects of a kind in all namespaces.
func (s *selectables) everywhere(g *hierarchy.Graph, group, kind string) []*selectable {
	return s.index(g)[kindIn{group: group, kind: kind, all: true}]
}

func (s *selectables) index(g *hierarchy.Graph) map[kindIn][]*selectable {
	if s.of != nil {
		return s.of
	}
	s.of = map[kindIn][]*selectable{}
	for _, n := range g.Nodes {
		if n.Target.Section != "" || n.Object == nil || n.Level == hierarchy.LevelFrontend {
			continue
		}
		id, one := n.Target.ID, &selectable{n, inventory.Labels{Values: n.Object.Labels()}}
		for _, key := range []kindIn{{group: id.Group, kind: id.Kind, namespace: id.Namespace}, {group: id.Group, kind: id.Kind, all: true}} {
			s.of[key] = append(s.of[key], one)
		}
	}
	return s.of
}
