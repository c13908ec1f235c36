package inventory

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// nameLabel is set by the API server on every namespace.
const nameLabel = "kubernetes.io/metadata.name"

// Labels is a set of labels, some of which may be unknown: if a manifest is absent, its labels may
// still exist.
type Labels struct {
	Values map[string]string
	// Partial means that further labels may exist.
	Partial bool
}

// Get returns the value of a label, and whether the label exists.
func (l Labels) Get(key string) (value string, present fact.Fact) {
	v, ok := l.Values[key]
	switch {
	case ok && loader.Placeholder(v):
		return v, fact.Unknown
	case ok:
		return v, fact.True
	case l.Partial:
		return "", fact.Unknown
	}
	return "", fact.False
}

// Matches evaluates a metav1.LabelSelector. NotIn and DoesNotExist are true for an absent label. An
// absent selector matches nothing, and an empty selector matches everything.
func (l Labels) Matches(selector *loader.Value) fact.Fact {
	if selector == nil {
		return fact.False
	}
	result := fact.True
	if labels := selector.Get("matchLabels"); labels != nil {
		for _, f := range labels.Fields {
			if result = result.And(l.in(f.Key, []string{f.Value.Text})); result == fact.False {
				return result
			}
		}
	}
	for _, expression := range selector.List("matchExpressions") {
		result = result.And(l.expression(expression))
	}
	return result
}

func (l Labels) expression(e *loader.Value) fact.Fact {
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
			return fact.True
		}
		return present
	case "DoesNotExist":
		if _, written := l.Values[key]; written {
			return fact.False
		}
		return present.Not()
	}
	return fact.Unknown
}

func (l Labels) in(key string, values []string) fact.Fact {
	value, present := l.Get(key)
	if present == fact.False {
		return fact.False
	}
	if present == fact.Unknown || slices.ContainsFunc(values, loader.Placeholder) {
		return fact.Unknown
	}
	return fact.Of(slices.Contains(values, value))
}

// Strings returns the texts of the scalars in a list, without nulls.
func Strings(items []*loader.Value) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item.Shape != loader.Map && item.Shape != loader.List && item.Shape != loader.Null {
			out = append(out, item.Text)
		}
	}
	return out
}
