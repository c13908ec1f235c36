package kustomize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
)

// replay applies the JSON6902 operations for an object to its values, in a way that keeps the
// positions: those of the object and those of the operations. The result of kustomize counts; if an
// operation cannot be applied here, only positions are lost.
func (a *attribution) replay(twin traced, d deploy.Object) *loader.Value {
	root, original := twin.Root, twin.Root.Str("metadata", "name")
	if twin.origin > 0 {
		original = a.trace.nodes[twin.origin-1].value.Str("metadata", "name")
	}
	for _, f := range slices.Backward(a.approved.Folders) {
		for _, p := range f.Patches {
			if !matches(p.Target, d, original) {
				continue
			}
			for _, op := range a.operations(p) {
				root = applied(root, op)
			}
		}
	}
	return root
}

// matches reports whether a patch may target an object. It ignores labels, because a position is used
// only if the value equals the one in the result.
func matches(target *loader.Value, d deploy.Object, original string) bool {
	fits := func(key string, texts ...string) bool {
		pattern := target.Str(key)
		if pattern == "" {
			return true
		}
		// kustomize anchors these patterns (api/types/selector.go).
		re, err := expression.Compile("^(?:" + pattern + ")$")
		return err != nil || slices.ContainsFunc(texts, re.MatchString)
	}
	return fits("kind", d.Kind) && fits("group", d.Group) && fits("name", d.Name, original)
}

// operations returns the items of a patch with their positions.
func (a *attribution) operations(p gate.JSONPatch) []*loader.Value {
	place := a.trace.inFile(p.Source)
	if in, ok := a.approved.Inline[p.Source]; ok {
		place = a.trace.inText(in)
	}
	out := make([]*loader.Value, len(p.Ops.Items))
	for i, op := range p.Ops.Items {
		out[i] = deploy.Remarked(op, place)
	}
	return out
}

// applied returns the object after one operation (RFC 6902). If the operation cannot be applied, it
// returns the object unchanged.
func applied(root, op *loader.Value) *loader.Value {
	at, from := Pointer(op.Str("path")), Pointer(op.Str("from"))
	value := op.Get("value")
	switch op.Str("op") {
	case "add":
		return changed(root, at, edit{value: value, insert: true})
	case "replace":
		return changed(root, at, edit{value: value})
	case "remove":
		return changed(root, at, edit{})
	case "copy":
		return changed(root, at, edit{value: Lookup(root, from), insert: true})
	case "move":
		return changed(changed(root, from, edit{}), at, edit{value: Lookup(root, from), insert: true})
	}
	return root
}

// Pointer splits a JSON pointer into its keys (RFC 6901).
func Pointer(path string) []string {
	if path == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(parts[i], "~1", "/"), "~0", "~")
	}
	return parts
}

// Lookup follows keys into a value.
func Lookup(v *loader.Value, path []string) *loader.Value {
	for _, key := range path {
		if v != nil && v.Shape == loader.List {
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = v.Items[i]
			continue
		}
		v = v.Get(key)
	}
	return v
}

// edit is a change at the end of a path. A nil value removes the value there.
type edit struct {
	value  *loader.Value
	insert bool
}

// changed copies the values along a path and applies the edit to the last one.
func changed(v *loader.Value, path []string, e edit) *loader.Value {
	if v == nil {
		return nil
	}
	if len(path) == 0 {
		if e.value == nil {
			return v
		}
		return e.value
	}
	out := *v
	switch v.Shape {
	case loader.Map:
		out.Fields = changedField(slices.Clone(v.Fields), path, e)
	case loader.List:
		out.Items = changedItem(slices.Clone(v.Items), path, e)
	case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
	}
	return &out
}

func changedField(fields []loader.Field, path []string, e edit) []loader.Field {
	i := slices.IndexFunc(fields, func(f loader.Field) bool { return f.Key == path[0] })
	switch {
	case len(path) > 1 && i >= 0:
		fields[i].Value = changed(fields[i].Value, path[1:], e)
	case len(path) > 1:
	case e.value == nil && i >= 0:
		return slices.Delete(fields, i, i+1)
	case e.value != nil && i >= 0:
		fields[i].Value = e.value
	case e.value != nil:
		return append(fields, loader.Field{Key: path[0], Value: e.value})
	}
	return fields
}

func changedItem(list []*loader.Value, path []string, e edit) []*loader.Value {
	i, err := strconv.Atoi(path[0])
	if path[0] == "-" {
		i, err = len(list), nil
	}
	if err != nil || i < 0 || i > len(list) {
		return list
	}
	switch {
	case len(path) > 1 && i < len(list):
		list[i] = changed(list[i], path[1:], e)
	case len(path) > 1:
	case e.value == nil && i < len(list):
		return slices.Delete(list, i, i+1)
	case e.value != nil && e.insert:
		return slices.Insert(list, i, e.value)
	case e.value != nil && i < len(list):
		list[i] = e.value
	}
	return list
}
