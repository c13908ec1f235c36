package hierarchy

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// nameLabel is set by the API server on every namespace.
const nameLabel = "kubernetes.io/metadata.name"

// Labels are labels of which some may be unknown: an absent manifest is not an
// absent label.
type Labels struct {
	Values map[string]string
	// Partial says that further labels may exist.
	Partial bool
}

// Get is the value of a label, and whether there is one.
func (l Labels) Get(key string) (value string, present Fact) {
	v, ok := l.Values[key]
	switch {
	case ok && opaque(v):
		return v, Unknown
	case ok:
		return v, True
	case l.Partial:
		return "", Unknown
	}
	return "", False
}

// Matches evaluates a metav1.LabelSelector. NotIn and DoesNotExist are true
// for an absent label. An absent selector matches nothing, an empty one all.
func (l Labels) Matches(selector *loader.Value) Fact {
	if selector == nil {
		return False
	}
	result := True
	if labels := selector.Get("matchLabels"); labels != nil {
		for _, f := range labels.Fields {
			result = result.And(l.in(f.Key, []string{f.Value.Text}))
		}
	}
	for _, expression := range selector.List("matchExpressions") {
		result = result.And(l.expression(expression))
	}
	return result
}

func (l Labels) expression(e *loader.Value) Fact {
	key := e.Str("key")
	values := Strings(e.List("values"))
	_, present := l.Get(key)
	switch e.Str("operator") {
	case "In":
		return l.in(key, values)
	case "NotIn":
		return l.in(key, values).Not()
	case "Exists":
		if _, written := l.Values[key]; written {
			return True
		}
		return present
	case "DoesNotExist":
		if _, written := l.Values[key]; written {
			return False
		}
		return present.Not()
	}
	return Unknown
}

func (l Labels) in(key string, values []string) Fact {
	value, present := l.Get(key)
	if present == False {
		return False
	}
	if present == Unknown || slices.ContainsFunc(values, opaque) {
		return Unknown
	}
	return FactOf(slices.Contains(values, value))
}

// Strings are the texts of the scalars in a list.
func Strings(items []*loader.Value) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item.Shape != loader.Map && item.Shape != loader.List && item.Shape != loader.Null {
			out = append(out, item.Text)
		}
	}
	return out
}

// SelectsNothing says whether a `namespaces` stanza is known to select no
// namespace at all.
func (g *Graph) SelectsNothing(stanza *loader.Value) Fact {
	if stanza.Str("from") != "Selector" {
		return False
	}
	selector := stanza.Get("selector")
	if selector == nil {
		return True
	}
	selected := False
	for _, namespace := range g.inhabited() {
		selected = selected.Or(g.selects(selector, namespace))
	}
	if selected == False && g.Absent(loader.ID{Kind: "Namespace", Name: "any"}) != False {
		return Unknown // namespaces live elsewhere, too
	}
	return selected.Not()
}

// inhabited are the namespaces that are declared or that something is in.
func (g *Graph) inhabited() []string {
	if g.inhabitants == nil {
		seen := map[string]bool{}
		for id := range g.objects {
			if id.Group == "" && id.Kind == "Namespace" {
				seen[id.Name] = true
			} else if id.Namespace != "" {
				seen[id.Namespace] = true
			}
		}
		g.inhabitants = slices.Sorted(maps.Keys(seen))
	}
	return g.inhabitants
}
