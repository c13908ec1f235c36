package applied

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Edit is an object that differs between the sides of a pair. Was is nil if it is added, Is if it is removed.
type Edit struct{ Was, Is *loader.Object }

// Object is the object in head, or in base.
func (e Edit) Object() *loader.Object {
	if e.Is != nil {
		return e.Is
	}
	return e.Was
}

// Change is added, removed or changed.
func (e Edit) Change() string {
	return plan.EditOf(e.Was != nil, e.Is != nil)
}

// Edits returns the objects that differ, sorted by ID. There are none if a side is nil.
func (p Pair) Edits() []Edit {
	if p.Base == nil || p.Head == nil {
		return nil
	}
	var out []Edit
	before, after := p.Base.Objects, p.Head.Objects // both are sorted by ID
	for len(before) > 0 || len(after) > 0 {
		order := 0
		switch {
		case len(before) == 0:
			order = 1
		case len(after) == 0:
			order = -1
		case before[0] != after[0]:
			order = before[0].ID.Compare(after[0].ID)
		}
		switch {
		case order < 0:
			out = append(out, Edit{Was: before[0]})
		case order > 0:
			out = append(out, Edit{Is: after[0]})
		case before[0].Digest != after[0].Digest:
			out = append(out, Edit{Was: before[0], Is: after[0]})
		}
		if order <= 0 {
			before = before[1:]
		}
		if order >= 0 {
			after = after[1:]
		}
	}
	return out
}
