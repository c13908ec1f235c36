package catalogue

import (
	"fmt"
	"slices"
	"strings"

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

// IsDefault reports whether a value is what the controller uses for a field that nobody sets, as its defaults, those of its
// CRD or the protection say that the field is: a switch whose presence loosens is off without it. The path is dotted.
func (k *Kind) IsDefault(path, value string) bool {
	if k == nil {
		return false
	}
	if unset, known := k.DefaultOf(path); known {
		return unset == value
	}
	if d := k.Defaults.At(path); d != nil && d.Value.Text == value {
		return true
	}
	return slices.ContainsFunc(k.Protects, func(p Protection) bool {
		switch {
		case !coversPath(p.Path, path):
			return false
		case p.Usual != "":
			return p.Usual == value
		case len(p.Unset) > 0:
			return p.Unset[0] == "="+value
		}
		return p.Loosens == Added && !strings.HasSuffix(path, ".*") && value == "false"
	})
}

// coversPath reports whether a dotted pattern, of which a star is any key, is for a path. Keys may have dots.
func coversPath(pattern, path string) bool {
	before, after, star := strings.Cut(pattern, ".*.")
	return pattern == path || star && strings.HasPrefix(path, before+".") && strings.HasSuffix(path, "."+after)
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
