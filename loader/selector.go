package loader

import (
	"fmt"
	"slices"
)

// Selects evaluates a metav1.LabelSelector without validating the syntax of keys and values. It returns an
// error for an unknown operator.
func Selects(selector *Value, labels map[string]string) (bool, error) {
	for _, f := range selector.Get("matchLabels").FieldList() {
		if v, ok := labels[f.Key]; !ok || v != f.Value.Text {
			return false, nil
		}
	}
	for _, e := range selector.List("matchExpressions") {
		v, has := labels[e.Str("key")]
		in := has && slices.ContainsFunc(e.List("values"), func(item *Value) bool { return item.Text == v })
		var ok bool
		switch operator := e.Str("operator"); operator {
		case "In":
			ok = in
		case "NotIn":
			ok = !in
		case "Exists":
			ok = has
		case "DoesNotExist":
			ok = !has
		default:
			return false, fmt.Errorf("%.100q is no operator of a selector", operator)
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}
