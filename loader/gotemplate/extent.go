package gotemplate

import (
	"fmt"
	"reflect"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// The limits of the printed form of one value. Dictionaries with shared parts use little
// memory but print to a huge text. Deeply nested ones overflow the stack of the function
// that prints them.
const (
	maxNodes   = 1 << 20
	maxNesting = 500
	maxPrinted = 64 << 20
	// visitsPerStep is the number of visited nodes that one step pays for.
	visitsPerStep = 64
)

// extent is the size of a value when it is printed.
type extent struct {
	nodes, depth int
	// bytes are those of the texts, each as often as it is printed.
	bytes int
	// keep keeps the value alive, so that its address is not reused for another value.
	keep any
}

// identity identifies a dictionary or list: length is -1 for a dictionary.
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

// fits returns an error for a value whose printed form is too large or too deep.
func (b *Budget) fits(v any) error {
	visits := 0
	e := b.extent(v, maxNesting+1, &visits)
	switch {
	case e.nodes > maxNodes:
		return b.fail(fmt.Sprintf("a value has more than %d parts when it is printed", maxNodes))
	case e.bytes > maxPrinted:
		return b.fail(fmt.Sprintf("a value has more than %d bytes of text when it is printed", maxPrinted))
	case e.depth > maxNesting:
		return b.fail(fmt.Sprintf("a value nests deeper than %d levels", maxNesting))
	}
	return b.steps(visits / visitsPerStep)
}

// extent measures a value. It does not visit values that are measured already.
func (b *Budget) extent(v any, depth int, visits *int) extent {
	v = unnamed(v)
	id, container := identityOf(v)
	if !container {
		return extent{nodes: parts(v), bytes: textBytes(v)}
	}
	if e, known := b.grown[id]; known {
		return e
	}
	if *visits > maxNodes {
		return extent{nodes: maxNodes + 1, depth: maxNesting + 1}
	}
	if depth == 0 {
		return extent{nodes: 1, depth: 1}
	}
	out := extent{nodes: 1, keep: v}
	add := func(below any) {
		*visits++
		e := b.extent(below, depth-1, visits)
		out.nodes = min(out.nodes+e.nodes, maxNodes+1)
		out.bytes = min(out.bytes+e.bytes, maxPrinted+1)
		out.depth = max(out.depth, e.depth)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			out.bytes = min(out.bytes+len(key), maxPrinted+1)
			add(below)
		}
	case []any:
		for _, below := range v {
			add(below)
		}
	}
	out.depth++
	// A result that was cut off at the maximum depth is not exact, so it is not cached.
	if out.depth < depth {
		b.grown[id] = out
	}
	return out
}

// unnamed returns a dictionary of a type with a name, such as the values of a chart, as a plain one.
func unnamed(v any) any {
	switch v.(type) {
	case nil, map[string]any, []any, string:
		return v
	}
	plain := reflect.TypeFor[map[string]any]()
	if value := reflect.ValueOf(v); value.Kind() == reflect.Map && value.Type().ConvertibleTo(plain) {
		return value.Convert(plain).Interface()
	}
	return v
}

// parts counts the items of a list of texts or numbers with itself; anything else is one part.
func parts(v any) int {
	if value := reflect.ValueOf(v); value.Kind() == reflect.Slice {
		return 1 + value.Len()
	}
	return 1
}

// textBytes are those of a text, or of the items of a list of texts.
func textBytes(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case []string:
		total := 0
		for _, one := range v {
			total += len(one)
		}
		return total
	}
	const number = 20 // digits at most
	return number * (parts(v) - 1)
}

// printing returns the functions that print all their arguments. Each argument is within the
// limits, but there may be many of them.
func (f functions) printing() template.FuncMap {
	const escaped = 6 // bytes at most that one byte becomes
	functions := map[string]any{
		"print": fmt.Sprint, "println": fmt.Sprintln, "html": template.HTMLEscaper, "js": template.JSEscaper,
		"urlquery": template.URLQueryEscaper, "cat": sprig.TxtFuncMap()["cat"],
	}
	out := template.FuncMap{}
	for name, function := range functions {
		factor := 1
		if name == "html" || name == "js" || name == "urlquery" {
			factor = escaped
		}
		out[name] = func(args ...any) (any, error) {
			total, visits := 0, 0
			for _, arg := range args {
				total += times(factor, f.extent(arg, maxNesting+1, &visits).bytes)
			}
			if err := f.room(total); err != nil {
				return "", err
			}
			return call(function, args...)
		}
	}
	return out
}

// changed discards all measurements, because a dictionary has changed in place.
func (b *Budget) changed() { clear(b.grown) }

// holds reports whether a value contains, or is, one of some dictionaries.
func (f functions) holds(v any, those map[uintptr]bool) (bool, error) {
	visits := 0
	var walk func(any) bool
	walk = func(v any) bool {
		if visits++; visits > maxNodes {
			return true
		}
		switch v := v.(type) {
		case map[string]any:
			if those[reflect.ValueOf(v).Pointer()] {
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
	if err := f.fits(v); err != nil {
		return false, err
	}
	found := walk(v)
	return found, f.steps(visits / visitsPerStep)
}

// dictionaries returns the addresses of a dictionary and of those inside it, all of which a
// merge changes in place.
func (f functions) dictionaries(d map[string]any) (map[uintptr]bool, error) {
	out := map[uintptr]bool{}
	if err := f.fits(d); err != nil {
		return nil, err
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			at := reflect.ValueOf(v).Pointer()
			if out[at] || len(out) > maxNodes {
				return
			}
			out[at] = true
			for _, below := range v {
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(d)
	return out, f.steps(len(out) / visitsPerStep)
}
