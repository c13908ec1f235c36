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

// FilledIn are the values that the API server sets, each in an object that has it: without the object, nothing is filled in.
type FilledIn []Default

// At is the default for a field, or nil. The path is dotted.
func (d FilledIn) At(path string) *Default {
	i := slices.IndexFunc(d, func(one Default) bool { return one.Parent+"."+one.Field == path })
	if i < 0 {
		return nil
	}
	return &d[i]
}

// compileDefaults expands the default values of an entry, sorted by path.
func compileDefaults(defaults map[string]any) FilledIn {
	var out FilledIn
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
