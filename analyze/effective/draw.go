package effective

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Drawn is an object that an effective policy references, with those of its fields that count as
// settings of the policy.
type Drawn struct {
	// Place is the path of the reference in the spec.
	Place []Step
	*policy.Draw
}

// Step is the key of a map entry or, if Item is true, the name of a list item; an item without a
// name has its position.
type Step struct {
	Key  string
	Item bool
}

// mostDrawn limits at how many places the content of one object is shown, because a short spec may
// reference a long object many times.
const mostDrawn = 32

// Content returns the fields of the object that count. It is nil if d is nil or the object was not
// resolved.
func (d *Drawn) Content() *merge.Tree {
	if d == nil {
		return nil
	}
	return d.Tree
}

// draw resolves the references in the spec. It follows a reference only if one object wrote all of
// it; a reference merged from several sources is ignored.
func (p *Policy) draw() {
	d := drawer{named: map[*loader.Value]*policy.Draw{}, drawn: map[*loader.Object]int{}}
	for _, share := range p.Shares {
		maps.Copy(d.named, share.Policy.Draws)
	}
	if len(d.named) > 0 {
		d.tree(p.Spec, nil)
	}
	p.Drawn = d.out
}

type drawer struct {
	named map[*loader.Value]*policy.Draw
	out   []Drawn
	// within are the objects on the path from the policy to the current value; drawn counts how
	// often each object was drawn.
	within []*loader.Object
	drawn  map[*loader.Object]int
}

func (d *drawer) tree(t *merge.Tree, place []Step) {
	if t == nil {
		return
	}
	d.within = d.within[:0]
	if t.Source != nil {
		d.within = append(d.within, t.Source.Object)
	}
	if len(t.Entries) == 0 {
		d.value(t.Value, place)
		return
	}
	if name := t.Get("name"); t.Kind == merge.Map && name != nil && ofOne(t) {
		d.add(d.named[name.Value], place)
	}
	for _, e := range t.Entries {
		d.tree(e.Tree, with(place, e.Key, t.Kind == merge.Keyed))
	}
}

// ofOne reports whether a single object set all fields of a map.
func ofOne(t *merge.Tree) bool {
	first := t.Entries[0].Tree.Source
	return first != nil && !slices.ContainsFunc(t.Entries, func(e merge.Entry) bool {
		return e.Tree.Source == nil || e.Tree.Source.Object != first.Object
	})
}

func (d *drawer) value(v *loader.Value, place []Step) {
	if v == nil {
		return
	}
	switch v.Shape {
	case loader.Map:
		d.add(d.named[v.Get("name")], place)
		for _, f := range v.Fields {
			d.value(f.Value, with(place, f.Key, false))
		}
	case loader.List:
		keys := merge.ItemKeys(v)
		for i, item := range v.Items {
			d.value(item, with(place, keys[i], true))
		}
	default:
		// The name field of a reference is not itself a reference.
		if last := len(place) - 1; last >= 0 && place[last].Key != "name" {
			d.add(d.named[v], place)
		}
	}
}

func with(place []Step, key string, item bool) []Step {
	return append(place[:len(place):len(place)], Step{Key: key, Item: item})
}

func (d *drawer) add(draw *policy.Draw, place []Step) {
	if draw == nil || draw.Object != nil && slices.Contains(d.within, draw.Object) {
		return
	}
	if draw.Object == nil {
		d.out = append(d.out, Drawn{Place: place, Draw: draw})
		return
	}
	if d.drawn[draw.Object]++; d.drawn[draw.Object] > mostDrawn {
		return
	}
	d.out = append(d.out, Drawn{Place: place, Draw: draw})
	d.within = append(d.within, draw.Object)
	for _, field := range draw.Fields {
		d.value(draw.Object.Root.Get(field), with(place, field, false))
	}
	d.within = d.within[:len(d.within)-1]
}
