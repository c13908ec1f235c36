package html

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/report/outline"
)

// node is an object of the hierarchy with changes at it or below it.
type node struct {
	Name     string
	Changes  []string // ids of the changes at this node
	Count    int      // changes at it and below it, each once
	Children []*node

	byName map[string]*node
}

// hierarchy is the part of the hierarchy that the contexts of changed targets pass through.
type hierarchy struct {
	top node
}

// add puts the targets of a change where their contexts lead, or at the top if they have none.
func (h *hierarchy) add(o *outline.Outcome, id string) {
	for _, line := range o.Targets {
		for _, t := range line.All {
			contexts := t.Contexts
			if len(contexts) == 0 {
				contexts = [][]string{nil}
			}
			for _, context := range contexts {
				at := &h.top
				for _, name := range context {
					at = at.child(outline.NodeName(name))
				}
				// A context ends with the target, or above its section.
				if name := outline.TargetName(t.Target); at.Name != outline.Safe(name) {
					at = at.child(name)
				}
				at.Changes = outline.AppendNew(at.Changes, id)
			}
		}
	}
}

func (n *node) child(name string) *node {
	name = outline.Safe(name)
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	if n.byName[name] == nil {
		n.byName[name] = &node{Name: name}
		n.Children = append(n.Children, n.byName[name])
	}
	return n.byName[name]
}

// roots are the nodes at the top, sorted and counted.
func (h *hierarchy) roots() []*node {
	h.top.count()
	return h.top.Children
}

// count sorts the children of a node and returns the changes at it and below it.
func (n *node) count() map[string]bool {
	slices.SortFunc(n.Children, func(a, b *node) int { return strings.Compare(a.Name, b.Name) })
	ids := map[string]bool{}
	for _, id := range n.Changes {
		ids[id] = true
	}
	for _, child := range n.Children {
		for id := range child.count() {
			ids[id] = true
		}
	}
	n.Count = len(ids)
	n.absorb()
	return ids
}

// absorb makes one node of an object with a single section: "HTTPRoute shop/cart#rule[0]".
func (n *node) absorb() {
	if len(n.Children) != 1 || len(n.Changes) > 0 {
		return
	}
	only := n.Children[0]
	if strings.HasPrefix(only.Name, n.Name+"#") && len(only.Children) == 0 {
		n.Name, n.Changes, n.Children = only.Name, only.Changes, nil
	}
}

// openChildren is how many children a node may have to be unfolded at first.
const openChildren = 8

// Open reports whether a node is unfolded at first.
func (n *node) Open() bool { return len(n.Children) <= openChildren }
