package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Default is a field, below a parent path, with the default value that the API server sets.
type Default struct {
	Parent, Field string
	Value         *loader.Value
}

// compileDefaults expands the default values of an entry, sorted by path.
func compileDefaults(defaults map[string]any) []Default {
	var out []Default
	for _, pattern := range slices.Sorted(maps.Keys(defaults)) {
		value := &loader.Value{Shape: loader.String, Text: fmt.Sprint(defaults[pattern]), Defaulted: true}
		switch defaults[pattern].(type) {
		case bool:
			value.Shape = loader.Bool
		case float64:
			value.Shape = loader.Int
		}
		for _, path := range alternatives(pattern) {
			if i := strings.LastIndexByte(path, '.'); i > 0 {
				out = append(out, Default{path[:i], path[i+1:], value})
			}
		}
	}
	return out
}
