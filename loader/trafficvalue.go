package loader

import (
	"slices"
	"strings"
)

// TrafficIn returns the traffic keys whose values differ between two sides. If one side is nil, it
// returns those of all values.
func TrafficIn(before, after *Value) []string {
	var found []string
	trafficIn(before, after, nil, under{alone: before == nil || after == nil}, &found)
	if before == nil || after == nil {
		found = slices.DeleteFunc(found, func(key string) bool { return strings.HasSuffix(strings.ToLower(key), "nameoverride") }) // nothing is renamed
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func trafficIn(before, after *Value, about []string, at under, found *[]string) {
	if at.alone || (before == nil) == (after == nil) { // what the chart does without the key is not known: off may be the change
		before, after = switchedOn(before), switchedOn(after)
	}
	if Equal(before, after) {
		return
	}
	for _, object := range []*Value{before, after} { // a whole object, for charts that write it out
		if kind := object.Str("kind"); object.Str("apiVersion") != "" && at.says(kind) != "" {
			*found = append(*found, kind)
			return
		}
	}
	if shapeOf(before) != Map && shapeOf(after) != Map && shapeOf(before) != List && shapeOf(after) != List {
		*found = append(*found, about...)
		return
	}
	keys := map[string]bool{}
	for _, side := range []*Value{before, after} {
		for _, f := range side.FieldList() {
			keys[f.Key] = true
		}
	}
	for key := range keys {
		on := about
		switch {
		case slices.Contains(besides, key):
			on = nil
		case key == "route" && (before.Get(key, "receiver") != nil || after.Get(key, "receiver") != nil):
			on = nil // a route of alerts
		case at.says(key) != "":
			on = []string{key}
		}
		b, a := before.Get(key), after.Get(key)
		trafficIn(b, a, on, at.below(key).inside(b, a), found)
	}
	was, is := before.ItemList(), after.ItemList()
	for i := range max(len(was), len(is)) {
		var b, a *Value
		if i < len(was) {
			b = was[i]
		}
		if i < len(is) {
			a = is[i]
		}
		if b.IsEmpty() && a.IsEmpty() && (b == nil) != (a == nil) { // an item may match everything because it is empty
			*found = append(*found, about...)
		}
		item := at.inside(b, a)
		item.alone = at.alone || b == nil || a == nil // lists have no defaults for an item
		trafficIn(b, a, about, item, found)
	}
}

// switchedOn returns a value, or nil if its field enabled is false.
func switchedOn(v *Value) *Value {
	if v.Get("enabled").IsFalse() {
		return nil
	}
	return v
}

func shapeOf(v *Value) Shape {
	if v == nil {
		return Null
	}
	return v.Shape
}
