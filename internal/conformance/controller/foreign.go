package controller

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// conditionTypes are the types of conditions that a controller of Gateway API writes, and so may remove again.
var conditionTypes = []string{
	"Accepted", "Programmed", "ResolvedRefs", "Conflicted", "PartiallyInvalid", "OverlappingTLSConfig",
	"InsecureFrontendValidationMode", "SupportedVersion",
}

// keepForeign returns the planned .status with what others wrote into it: conditions of other types, and the entries of
// other controllers in lists of parents and ancestors.
func keepForeign(planned, written map[string]any) map[string]any {
	status := planned
	if status == nil {
		status = map[string]any{}
	}
	for _, list := range []string{"parents", "ancestors"} {
		keep(status, written, list, func(entry map[string]any) bool { return entry["controllerName"] != Name })
	}
	keep(status, written, "conditions", foreignCondition)
	for _, listener := range items(status["listeners"]) {
		for _, other := range items(written["listeners"]) {
			if other["name"] == listener["name"] {
				keep(listener, other, "conditions", foreignCondition)
			}
		}
	}
	return status
}

func foreignCondition(condition map[string]any) bool {
	name, _ := condition["type"].(string)
	return !slices.Contains(conditionTypes, name)
}

// keep adds to a list in a status the written entries that are foreign.
func keep(status, written map[string]any, list string, foreign func(map[string]any) bool) {
	entries, _ := status[list].([]any)
	for _, entry := range items(written[list]) {
		if foreign(entry) {
			entries = append(entries, runtime.DeepCopyJSONValue(entry))
		}
	}
	if entries != nil {
		status[list] = entries
	}
}

// items are the objects in a list.
func items(list any) []map[string]any {
	values, _ := list.([]any)
	var out []map[string]any
	for _, value := range values {
		if item, ok := value.(map[string]any); ok {
			out = append(out, item)
		}
	}
	return out
}
