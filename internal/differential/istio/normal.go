package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/differential/judge"
)

// normal gives a status as plain JSON values, without what differs from run to run: the times of conditions, and the
// orders that the controller leaves to chance. Those are the order of a route's parents, and in the message of a parent
// that does not accept the route the order of what each listener has against it.
func normal(status any) (map[string]any, error) {
	data, err := json.Marshal(status)
	if err != nil {
		return nil, err
	}
	var plain map[string]any
	if err := json.Unmarshal(data, &plain); err != nil {
		return nil, err
	}
	judge.RemoveTimes(plain)
	parents := items(plain, "parents")
	for _, parent := range parents {
		for _, condition := range items(parent, "conditions") {
			if message, ok := condition["message"].(string); ok && condition["type"] == "Accepted" {
				reasons := strings.Split(message, "; ")
				slices.Sort(reasons)
				condition["message"] = strings.Join(reasons, "; ")
			}
		}
	}
	if len(parents) > 0 {
		slices.SortFunc(parents, func(a, b map[string]any) int {
			return cmp.Compare(text(a["parentRef"]), text(b["parentRef"]))
		})
		plain["parents"] = parents
	}
	return plain, nil
}

// items are the objects in the list of that name.
func items(object map[string]any, name string) []map[string]any {
	list, _ := object[name].([]any)
	var found []map[string]any
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

// text is a key to sort by: encoding/json writes the keys of a map in order.
func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}
