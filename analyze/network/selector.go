package network

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Selector selects pods, namespaces or nodes by labels.
type Selector interface {
	Matches(l inventory.Labels) fact.Fact
	// Example returns labels that the selector selects and as few others as possible. It returns false
	// if it finds none.
	Example() (map[string]string, bool)
	// Others returns more labels that the selector selects: those with the other values of its alternatives.
	Others() []map[string]string
	// Excluded returns labels that the selector rejects only because of negative requirements, each of which
	// distinguishes some pods from others.
	Excluded() []map[string]string
	// String returns the selector in the notation of kubectl, empty for one that selects everything.
	String() string
}

// labelSelector is a metav1.LabelSelector.
type labelSelector struct{ value *loader.Value }

func (s labelSelector) Matches(l inventory.Labels) fact.Fact { return l.Matches(s.value) }

func (s labelSelector) Example() (map[string]string, bool) {
	out := map[string]string{}
	for _, f := range s.value.Get("matchLabels").FieldList() {
		out[f.Key] = f.Value.Text
	}
	for _, e := range s.value.List("matchExpressions") {
		key, values := e.Str("key"), inventory.Strings(e.List("values"))
		switch _, set := out[key]; {
		case e.Str("operator") == "In" && len(values) > 0 && !set:
			out[key] = values[0]
		case e.Str("operator") == "Exists" && !set:
			out[key] = ""
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(out)), loader.Placeholder) {
		return nil, false
	}
	return out, s.Matches(inventory.Labels{Values: out}) == fact.True
}

func (s labelSelector) Others() []map[string]string {
	base, ok := s.Example()
	if !ok {
		return nil
	}
	var out []map[string]string
	for _, e := range s.value.List("matchExpressions") {
		key := e.Str("key")
		for _, value := range inventory.Strings(e.List("values")) {
			if e.Str("operator") == "In" && value != base[key] {
				out = appendSelected(out, s, with(base, key, value))
			}
		}
	}
	return out
}

// maxOthers is how many alternatives of a selector have pods of their own.
const maxOthers = 100

// appendSelected adds labels if a selector selects them, up to the limit.
func appendSelected(list []map[string]string, s Selector, labels map[string]string) []map[string]string {
	if len(list) == maxOthers || s.Matches(inventory.Labels{Values: labels}) != fact.True {
		return list
	}
	return append(list, labels)
}

func (s labelSelector) Excluded() []map[string]string {
	base, ok := s.Example()
	if !ok {
		return nil
	}
	var out []map[string]string
	for _, e := range s.value.List("matchExpressions") {
		values := inventory.Strings(e.List("values"))
		switch e.Str("operator") {
		case "NotIn":
			for _, value := range values {
				out = append(out, with(base, e.Str("key"), value))
			}
		case "DoesNotExist":
			out = append(out, with(base, e.Str("key"), ""))
		}
	}
	return out
}

// with returns labels with one more.
func with(labels map[string]string, key, value string) map[string]string {
	out := maps.Clone(labels)
	out[key] = value
	return out
}

func (s labelSelector) String() string {
	var out []string
	for _, f := range s.value.Get("matchLabels").FieldList() {
		out = append(out, f.Key+"="+f.Value.Text)
	}
	for _, e := range s.value.List("matchExpressions") {
		key, values := e.Str("key"), strings.Join(inventory.Strings(e.List("values")), ",")
		switch e.Str("operator") {
		case "In":
			if len(e.List("values")) == 1 {
				out = append(out, key+"="+values)
				continue
			}
			out = append(out, fmt.Sprintf("%s in (%s)", key, values))
		case "NotIn":
			out = append(out, fmt.Sprintf("%s notin (%s)", key, values))
		case "Exists":
			out = append(out, key)
		case "DoesNotExist":
			out = append(out, "!"+key)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}
