package helm

import (
	"fmt"
	"maps"
	"strings"
)

// Values are values as templates see them.
type Values map[string]any

// globalKey is the key of the values that every chart gets.
const globalKey = "global"

// coalesced lays the values of a release over those of a chart and of those that it
// holds; null takes a default away (helm pkg/chart/common/util/coalesce.go,
// CoalesceValues).
func coalesced(c *Chart, values map[string]any) (map[string]any, error) {
	out := copied(values)
	return out, coalesce(c, out, false)
}

// merged does the same and keeps nulls (coalesce.go, MergeValues).
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
			return fmt.Errorf("type mismatch on %s: %t", name, into[name])
		}
		coalesceGlobals(values, into)
		if err := coalesce(sub, values, nulls); err != nil {
			return err
		}
	}
	return nil
}

// coalesceGlobals gives a chart the global values of the one that holds it.
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

// tableAt is the map at a key, a new one where the key is not there; ok is false for
// anything else.
func tableAt(in map[string]any, key string) (map[string]any, bool) {
	v, there := in[key]
	if !there {
		return map[string]any{}, true
	}
	table, ok := v.(map[string]any)
	return table, ok
}

// coalesceOwn lays values over the defaults of one chart.
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

// holds says whether a chart holds one of a name.
func (c *Chart) holds(name string) bool {
	for _, sub := range c.subs {
		if sub.Name() == name {
			return true
		}
	}
	return false
}

// coalesceTables lays one map over another, which gets the nulls of the first
// (coalesce.go, coalesceTablesFullKey).
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

// copied is a copy of a map with everything in it.
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

// table is the map at a path with dots (helm pkg/chart/common/values.go, Table).
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

// valueAt is what is no map at a path with dots (values.go, PathValue).
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
