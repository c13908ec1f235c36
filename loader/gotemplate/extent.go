package gotemplate

import (
	"fmt"
	"reflect"
)

// The limits of one value as it would be printed. Dictionaries that share their
// parts are small and print without end; deep ones overflow the stack of whatever
// prints them.
const (
	maxNodes   = 1 << 20
	maxNesting = 500
	// visitsPerStep is how many nodes may be looked at for one step.
	visitsPerStep = 64
)

// extent is how large a value is when it is printed.
type extent struct {
	nodes, depth int
	// keep holds the value, so that its address means nothing else.
	keep any
}

// identity tells dictionaries and lists apart.
type identity struct {
	at     uintptr
	length int
}

func identityOf(v any) (identity, bool) {
	switch v := v.(type) {
	case map[string]any:
		return identity{reflect.ValueOf(v).Pointer(), -1}, v != nil
	case []any:
		return identity{reflect.ValueOf(v).Pointer(), len(v)}, len(v) > 0
	}
	return identity{}, false
}

// fits refuses values that are too large or too deep when they are printed.
func (b *Budget) fits(v any) error {
	visits := 0
	e := b.extent(v, maxNesting+1, &visits)
	switch {
	case e.nodes > maxNodes:
		return b.fail(fmt.Sprintf("a value has more than %d parts when it is printed", maxNodes))
	case e.depth > maxNesting:
		return b.fail(fmt.Sprintf("a value nests deeper than %d levels", maxNesting))
	}
	return b.steps(visits / visitsPerStep)
}

// extent measures a value; what was measured before is not looked at again.
func (b *Budget) extent(v any, depth int, visits *int) extent {
	id, container := identityOf(v)
	if !container {
		return extent{nodes: 1}
	}
	if e, known := b.grown[id]; known {
		return e
	}
	if depth == 0 {
		return extent{nodes: 1, depth: 1}
	}
	out := extent{nodes: 1, keep: v}
	add := func(below any) {
		*visits++
		e := b.extent(below, depth-1, visits)
		out.nodes = min(out.nodes+e.nodes, maxNodes+1)
		out.depth = max(out.depth, e.depth)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, below := range v {
			add(below)
		}
	case []any:
		for _, below := range v {
			add(below)
		}
	}
	out.depth++
	// What was cut off is not known well enough to be kept.
	if out.depth < depth {
		b.grown[id] = out
	}
	return out
}

// changed forgets what was measured, since a dictionary has changed in place.
func (b *Budget) changed() { clear(b.grown) }

// holds says whether a value is a dictionary or has it inside. Values fit by now,
// so the walk ends.
func (b *Budget) holds(v any, d map[string]any) (bool, error) {
	visits := 0
	target := reflect.ValueOf(d).Pointer()
	var walk func(any) bool
	walk = func(v any) bool {
		visits++
		switch v := v.(type) {
		case map[string]any:
			if reflect.ValueOf(v).Pointer() == target {
				return true
			}
			for _, below := range v {
				if walk(below) {
					return true
				}
			}
		case []any:
			for _, below := range v {
				if walk(below) {
					return true
				}
			}
		}
		return false
	}
	if err := b.fits(v); err != nil {
		return false, err
	}
	found := walk(v)
	return found, b.steps(visits / visitsPerStep)
}
