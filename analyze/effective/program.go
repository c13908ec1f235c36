package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Program is a setting in force whose effect on requests is not computed.
type Program struct {
	catalogue.Program
	Kind *catalogue.Kind
	// Place is the path of the setting in the effective policy.
	Place   []string
	Setting *merge.Tree
	// Drawn are the objects that hold more of it, such as the ConfigMap with the code.
	Drawn []Drawn
}

// Source is the object that set the program, or the first part of it, and its position there. It is nil for a
// value that no object wrote.
func (p *Program) Source() (*loader.Object, loader.Position) {
	var first *merge.Tree
	p.Setting.Walk(func(_ []string, leaf *merge.Tree) {
		if first == nil && leaf.Source != nil {
			first = leaf
		}
	})
	if first == nil {
		return nil, loader.Position{}
	}
	return first.Source.Object, first.Source.Object.Position(first.Value)
}

// Programs returns the programs of an effective policy, in the order of the catalogue's rows. It returns none for nil.
func (p *Policy) Programs() []Program {
	if p == nil || p.Spec == nil {
		return nil
	}
	var out []Program
	for _, row := range p.Kind.Programs {
		steps := strings.Split(row.Path, ".")
		matching(p.Spec, steps, nil, func(place []string, setting *merge.Tree) {
			one := Program{Program: row, Kind: p.Kind, Place: place, Setting: setting}
			for _, d := range p.Drawn {
				if isAtOrBelow(d.Place, place) {
					one.Drawn = append(one.Drawn, d)
				}
			}
			out = append(out, one)
		})
	}
	return out
}

// matching visits the subtrees at the steps of a path, in which * is any key.
func matching(t *merge.Tree, steps, place []string, visit func([]string, *merge.Tree)) {
	if len(steps) == 0 {
		if !t.IsEmpty() {
			visit(place, t)
		}
		return
	}
	for _, e := range t.Entries {
		if steps[0] == "*" || steps[0] == e.Key {
			matching(e.Tree, steps[1:], append(slices.Clone(place), e.Key), visit)
		}
	}
}

// samePrograms reports whether the same programs run, in the same order.
func samePrograms(before, after []Program) bool {
	return slices.EqualFunc(before, after, func(b, a Program) bool {
		return b.Kind.String() == a.Kind.String() && slices.Equal(b.Place, a.Place) && merge.Equal(b.Setting, a.Setting) &&
			slices.EqualFunc(b.Drawn, a.Drawn, func(x, y Drawn) bool { return merge.Equal(x.Content(), y.Content()) })
	})
}

// ProgramChange is a program that differs between two revisions: Was is nil for a new one, Is for one that is gone.
type ProgramChange struct{ Was, Is *Program }

// Rewrites reports whether the program only rewrites what the backend gets, so that it refuses no request.
func (c ProgramChange) Rewrites() bool {
	if c.Is == nil {
		return c.Was.Rewrites
	}
	return c.Is.Rewrites
}

// ProgramChanges returns how programs differ from those before. reordered is true if they only run in another order.
func ProgramChanges(before, after []Program) (out []ProgramChange, reordered bool) {
	find := func(list []Program, one *Program) int {
		return slices.IndexFunc(list, func(other Program) bool {
			return other.Kind.String() == one.Kind.String() && slices.Equal(other.Place, one.Place)
		})
	}
	for i := range after {
		switch at := find(before, &after[i]); {
		case at < 0:
			out = append(out, ProgramChange{Is: &after[i]})
		case !samePrograms(before[at:at+1], after[i:i+1]):
			out = append(out, ProgramChange{Was: &before[at], Is: &after[i]})
		}
	}
	for i := range before {
		if find(after, &before[i]) < 0 {
			out = append(out, ProgramChange{Was: &before[i]})
		}
	}
	return out, len(out) == 0 && !samePrograms(before, after)
}

// ProgramsAlong returns the programs of all kinds in some contexts of a side, each once.
func (j *Join) ProgramsAlong(side Side, contexts [][]*hierarchy.Node) []Program {
	var out []Program
	type key struct {
		object *loader.Object
		is     string
		place  string
	}
	seen := map[key]bool{}
	for _, k := range j.Runs[side].Attached.Kinds {
		if len(k.Programs) == 0 {
			continue
		}
		for _, context := range contexts {
			along := j.Along(k, side, context)
			for _, n := range Lowest(context) {
				for _, p := range along[n.Level].Programs() {
					object, _ := p.Source()
					at := key{object, p.Is, strings.Join(p.Place, "\x00")}
					if !seen[at] {
						seen[at], out = true, append(out, p)
					}
				}
			}
		}
	}
	return out
}
