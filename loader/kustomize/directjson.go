package kustomize

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// operations returns what applies a JSON6902 patch. Kustomize writes the object as JSON, edits it and reads it
// again (kustomize api/filters/patchjson6902/patchjson6902.go), so everything in it must survive that.
func operations(list *loader.Value, place deploy.Placing) (apply func(*loader.Value, mergeSchema) (*loader.Value, bool), ok bool) {
	for _, op := range list.Items {
		value := op.Get("value")
		if !only(op, "op", "path", "value") || value != nil && (holdsNull(value) || holdsWord(value) || !survivesJSON(value)) {
			return nil, false
		}
	}
	return func(object *loader.Value, _ mergeSchema) (*loader.Value, bool) {
		if !survivesJSON(object) {
			return nil, false
		}
		for _, op := range list.Items {
			if !operates(object, op) {
				return nil, false
			}
			object = applied(object, deploy.Remarked(op, place))
		}
		return object, true
	}, len(list.Items) > 0
}

// operates reports whether an operation can be applied to an object, and leaves its identity as it is
// (evanphx/json-patch v4 patch.go).
func operates(object, op *loader.Value) bool {
	pointer := op.Get("path")
	if pointer == nil || pointer.Shape != loader.String || !strings.HasPrefix(pointer.Text, "/") {
		return false
	}
	path := Pointer(pointer.Text)
	switch path[0] {
	case "apiVersion", "kind":
		return false
	case "metadata":
		if !setsLabels(path[1:], op) {
			return false
		}
	}
	last := len(path) - 1
	parent := object
	for _, key := range path[:last] {
		switch {
		case parent == nil:
			return false
		case parent.Shape == loader.Map:
			parent = parent.Get(key)
		case parent.Shape == loader.List:
			i, ok := index(key)
			if !ok || i >= len(parent.Items) {
				return false
			}
			parent = parent.Items[i]
		default:
			return false
		}
	}
	if parent == nil || parent.Shape != loader.Map && parent.Shape != loader.List {
		return false
	}
	i, isIndex := index(path[last])
	isList := parent.Shape == loader.List
	switch op.Str("op") {
	case "add":
		return op.Get("value") != nil && (!isList || path[last] == "-" || isIndex && i <= len(parent.Items))
	case "replace":
		return op.Get("value") != nil && (!isList || isIndex && i < len(parent.Items))
	case "remove":
		return !isList && parent.Get(path[last]) != nil || isList && isIndex && i < len(parent.Items)
	}
	return false
}

// setsLabels reports whether an operation sets labels or annotations, below metadata, that kustomize leaves as they are.
func setsLabels(path []string, op *loader.Value) bool {
	if len(path) == 0 || path[0] != "labels" && path[0] != "annotations" || op.Str("op") == "remove" {
		return false
	}
	value := op.Get("value")
	switch len(path) {
	case 1:
		return areLabels(value)
	case 2:
		return areLabels(&loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: path[1], Value: value}}})
	}
	return false
}

// index reads the key of an item of a list, as everybody writes it.
func index(key string) (int, bool) {
	i, err := strconv.Atoi(key)
	return i, err == nil && strconv.Itoa(i) == key && i >= 0
}

// survivesJSON reports whether kustomize reads a value as it was, after it wrote it as JSON: it reads timestamps as
// such, and writes large numbers with an exponent.
func survivesJSON(v *loader.Value) bool {
	switch v.Shape {
	case loader.Int, loader.Float:
		return shortNumber.MatchString(v.Text)
	case loader.String:
		return !dated.MatchString(v.Text) && !breaksBlock(v.Text)
	case loader.Null, loader.Bool, loader.Map, loader.List:
	}
	return !slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return !survivesJSON(item) }) &&
		!slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return f.Key == "<<" || !survivesJSON(f.Value) })
}

var (
	shortNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,5})$|^-?[1-9][0-9]{0,4}\.[0-9]{0,4}[1-9]$`)
	dated       = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}`)
)

// breaksBlock reports whether kustomize cannot read what it writes of a text: a literal block that begins with a tab.
func breaksBlock(text string) bool {
	return strings.HasPrefix(text, "\t") && strings.Contains(text, "\n")
}

// holdsNull reports whether there is a null in a value.
func holdsNull(v *loader.Value) bool {
	return v.IsNull() || slices.ContainsFunc(v.Items, holdsNull) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsNull(f.Value) })
}

// holdsWord reports whether a text in a value may be a boolean where kustomize reads a patch, by YAML 1.1.
func holdsWord(v *loader.Value) bool {
	return v.Shape == loader.String && booleans[strings.ToLower(v.Text)] || slices.ContainsFunc(v.Items, holdsWord) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsWord(f.Value) })
}
