package helm

import (
	"fmt"
	"maps"
	"strings"
)

// Values are values as templates see them.
type Values map[string]any

// globalKey is the key of the values that every subchart receives.
const globalKey = "global"

// coalesced merges the values of a release over those of a chart and its subcharts. A null removes
// a default (helm pkg/chart/common/util/coalesce.go, CoalesceValues).
func coalesced(c *Chart, values map[string]any) (map[string]any, error) {
	out := copied(values)
	return out, coalesce(c, out, false)
}

// merged does the same but keeps nulls (coalesce.go, MergeValues).
func merged(c *Chart, values map[string]any) (map[string]any, error) {
	out := copied(values)
	return out, coalesce(c, out, true)
}

func coalesce(c *Chart, into map[string]any, nulls bool) error {
	coalesceOwn(c, into, nulls)
	for _, sub := range c.subs {
		name := sub.Name()
		if _, ok := into[name]; !ok {
			into[name] = map[string]any{}
		}
		values, ok := into[name].(map[string]any)
		if !ok {
			return fmt.Errorf("type mismatch on %s", name)
		}
		coalesceGlobals(values, into)
		if err := coalesce(sub, values, nulls); err != nil {
			return err
		}
	}
	return nil
}

// coalesceGlobals merges the global values of a parent chart over those of a subchart.
func coalesceGlobals(into, from map[string]any) {
	own, ok := tableAt(into, globalKey)
	theirs, ok2 := tableAt(from, globalKey)
	if !ok || !ok2 {
		return
	}
	for key, v := range theirs {
		table, isTable := v.(map[string]any)
		has, known := own[key]
		hasTable, both := has.(map[string]any)
		switch {
		case isTable && !known:
			own[key] = maps.Clone(table)
		case isTable && both:
			table = maps.Clone(table)
			coalesceTables(table, hasTable, true)
			own[key] = table
		case !isTable && !both:
			own[key] = v
		}
	}
	into[globalKey] = own
}

// tableAt returns the map at a key, or a new one if the key is missing. ok is false if the value is
// not a map.
func tableAt(in map[string]any, key string) (map[string]any, bool) {
	v, there := in[key]
	if !there {
		return map[string]any{}, true
	}
	table, ok := v.(map[string]any)
	return table, ok
}

// coalesceOwn merges values over the defaults of one chart.
func coalesceOwn(c *Chart, into map[string]any, nulls bool) {
	for key, v := range copied(c.Values) {
		has, ok := into[key]
		table, isTable := v.(map[string]any)
		hasTable, both := has.(map[string]any)
		switch {
		case !ok && nulls:
			into[key] = v
		case !ok:
			if isTable {
				withoutNulls(table)
			}
			if v != nil {
				into[key] = v
			}
		case has == nil && !nulls:
			delete(into, key)
		case both && isTable:
			keep := nulls || c.holds(key)
			if !keep {
				withoutNulls(table)
			}
			coalesceTables(hasTable, table, keep)
		}
	}
}

// holds reports whether a chart has a subchart with this name.
func (c *Chart) holds(name string) bool {
	for _, sub := range c.subs {
		if sub.Name() == name {
			return true
		}
	}
	return false
}

// coalesceTables merges the map into over the map from and returns it. It also copies the nulls of
// into to from (coalesce.go, coalesceTablesFullKey).
func coalesceTables(into, from map[string]any, nulls bool) map[string]any {
	if from == nil {
		return into
	}
	if into == nil {
		return from
	}
	given := map[string]bool{}
	for key, v := range from {
		given[key] = v != nil
	}
	for key, v := range into {
		if v == nil {
			from[key] = nil
		}
	}
	for key, v := range from {
		has, ok := into[key]
		table, isTable := v.(map[string]any)
		hasTable, both := has.(map[string]any)
		switch {
		case ok && !nulls && has == nil && given[key]:
			delete(into, key)
		case !ok:
			into[key] = v
		case isTable && both:
			coalesceTables(hasTable, table, nulls)
		}
	}
	return into
}

func withoutNulls(table map[string]any) {
	for key, v := range table {
		if v == nil {
			delete(table, key)
		} else if inner, ok := v.(map[string]any); ok {
			withoutNulls(inner)
		}
	}
}

// copied returns a deep copy of a map.
func copied(table map[string]any) map[string]any {
	out := make(map[string]any, len(table))
	for key, v := range table {
		out[key] = copyOf(v)
	}
	return out
}

func copyOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return copied(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copyOf(item)
		}
		return out
	}
	return v
}

// table returns the map at a path with dots (helm pkg/chart/common/values.go, Table).
func table(in map[string]any, path string) (map[string]any, bool) {
	for key := range strings.SplitSeq(path, ".") {
		next, ok := in[key].(map[string]any)
		if !ok {
			return nil, false
		}
		in = next
	}
	return in, true
}

// valueAt returns a value that is not a map, at a path with dots (values.go, PathValue).
func valueAt(in map[string]any, path string) (any, bool) {
	key := path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		at, ok := table(in, path[:i])
		if !ok {
			return nil, false
		}
		in, key = at, path[i+1:]
	}
	v, ok := in[key]
	_, isTable := v.(map[string]any)
	return v, ok && !isTable
}
