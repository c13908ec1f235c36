package effective

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/loader"
)

// Dangling is a name in an effective policy for an entry of it that it does not have.
type Dangling struct {
	*catalogue.Naming
	Name string
}

// Dangling returns the names for entries that the policy does not have, each once, and none where the name of an entry is not
// known. It returns none for nil.
func (p *Policy) Dangling() []Dangling {
	if p == nil || p.Spec == nil {
		return nil
	}
	spec := p.Spec.JSON()
	var out []Dangling
	for i := range p.Kind.Names {
		naming := &p.Kind.Names[i]
		entries := map[string]bool{}
		atPath(spec, strings.Split(naming.Of, "."), "", func(key string, value any) {
			if name, is := value.(string); is && !strings.HasSuffix(naming.Of, "*") {
				key = name
			}
			entries[key] = true
		})
		if slices.ContainsFunc(slices.Collect(maps.Keys(entries)), loader.Placeholder) {
			continue
		}
		atPath(spec, strings.Split(naming.In, "."), "", func(_ string, holder any) {
			texts(holder, naming.Field, func(name string) {
				if name != "" && !entries[name] && !loader.Placeholder(name) {
					out = append(out, Dangling{naming, name})
				}
			})
		})
	}
	slices.SortFunc(out, func(a, b Dangling) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Then, b.Then)) })
	return slices.CompactFunc(out, func(a, b Dangling) bool { return a.Name == b.Name && a.Then == b.Then })
}

// atPath visits the values at the keys of a path, in which * is any key or item, each with its own key.
func atPath(v any, keys []string, key string, visit func(key string, value any)) {
	if len(keys) == 0 {
		visit(key, v)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, value := range v {
			if keys[0] == "*" || keys[0] == k {
				atPath(value, keys[1:], k, visit)
			}
		}
	case []any:
		for _, item := range v {
			if keys[0] == "*" {
				atPath(item, keys[1:], "", visit)
			}
		}
	}
}

// texts visits the texts of a field at any depth.
func texts(v any, field string, visit func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, value := range v {
			if text, is := value.(string); is && k == field {
				visit(text)
			}
			texts(value, field, visit)
		}
	case []any:
		for _, item := range v {
			texts(item, field, visit)
		}
	}
}
