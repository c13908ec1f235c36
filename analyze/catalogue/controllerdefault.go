package catalogue

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// Holds reports whether a default counts at a target.
func (d ControllerDefault) Holds(target *hierarchy.Node) bool {
	return (len(d.Kinds) == 0 || slices.Contains(d.Kinds, target.Target.Kind)) &&
		(len(d.Protocols) == 0 || slices.Contains(d.Protocols, target.Value.Str("protocol")))
}

// DefaultOf returns what the controller uses for a field that nobody sets, if that is a scalar that does not
// depend on other settings. The path is dotted.
func (k *Kind) DefaultOf(path string) (value string, known bool) {
	if k == nil {
		return "", false
	}
	for _, d := range k.ControllerDefaults {
		if d.Path != path || d.In != "" {
			continue
		}
		switch d.Value.(type) {
		case []any, map[string]any, nil:
			return "", false
		}
		return fmt.Sprint(d.Value), true
	}
	return "", false
}

// DefaultItems returns the items of a list that the controller uses where nobody sets one, with the other names that
// each has. The path is dotted.
func (k *Kind) DefaultItems(path string) []string {
	if k == nil {
		return nil
	}
	for _, d := range k.ControllerDefaults {
		if list, ok := d.Value.([]any); ok && d.Path == path && d.In == "" {
			out := slices.Clone(d.Also)
			for _, item := range list {
				out = append(out, fmt.Sprint(item))
			}
			return out
		}
	}
	return nil
}
