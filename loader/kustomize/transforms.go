package kustomize

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// transforms sets the positions of values that lost their comments: kustomize rewrites names, kinds,
// annotations and whatever transformers set.
type transforms struct {
	fields []gate.Transform
	// own is the document of the object, patches are the patches that may have changed it.
	own     placedDoc
	patches []placedDoc
}

// place sets the position of a value without one to that of the transforming field, else to that of
// the nearest enclosing value.
func (t *transforms) place(v *loader.Value, path []string, around loader.Mark, in *trace) {
	if v.Mark.Line == 0 {
		v.Mark = around
		if len(path) > 0 {
			t.scalar(v, path, in)
		}
	}
	for _, f := range v.Fields {
		t.place(f.Value, append(path, f.Key), v.Mark, in)
	}
	for _, item := range v.Items {
		t.place(item, append(path, "[]"), v.Mark, in)
	}
}

// scalar searches the object's own document, then the transforming fields, then the patches.
func (t *transforms) scalar(v *loader.Value, path []string, in *trace) {
	if tree.Nested(v) {
		return
	}
	if mark, ok := t.own.find(path, v); ok {
		v.Mark = mark
		return
	}
	if by, mark := t.find(v, path); by != "" {
		mark.File = in.file(by)
		v.Mark = mark
		return
	}
	for _, p := range t.patches {
		if mark, ok := p.find(path, v); ok {
			v.Mark = mark
			return
		}
	}
}

// find returns the field that set a value, by comparing the values.
func (t *transforms) find(v *loader.Value, path []string) (file string, mark loader.Mark) {
	for _, f := range t.fields {
		if at := wrote(f, v, path); at != nil {
			if at.Mark.Line == 0 || f.Mark.Line == 0 || at == f.Value {
				return f.File, f.Mark
			}
			return f.File, at.Mark
		}
	}
	return "", loader.Mark{}
}

// wrote returns the value in a field that was copied to v, or nil.
func wrote(f gate.Transform, v *loader.Value, path []string) *loader.Value {
	last := path[len(path)-1]
	switch f.Key {
	case "namespace":
		// It renames a Namespace, too.
		if (last == "namespace" || last == "name" && len(path) == 2 && path[0] == "metadata") && f.Value.Text == v.Text {
			return f.Value
		}
	case "namePrefix":
		if f.Value.Text != "" && strings.HasPrefix(v.Text, f.Value.Text) && len(path) > 1 {
			return f.Value
		}
	case "nameSuffix":
		if f.Value.Text != "" && strings.HasSuffix(v.Text, f.Value.Text) && len(path) > 1 {
			return f.Value
		}
	case "commonLabels", "commonAnnotations":
		return equal(f.Value.Get(last), v)
	case "labels":
		for _, item := range f.Value.Items {
			if at := equal(item.Get("pairs", last), v); at != nil {
				return at
			}
		}
	case "images", "replicas":
		if len(f.Value.Items) > 0 && (f.Key == "images" && last == "image" || f.Key == "replicas" && last == "replicas") {
			return f.Value.Items[0]
		}
	case "replacements":
		return replacement(f.Value, last)
	}
	return nil
}

func equal(at, v *loader.Value) *loader.Value {
	if at != nil && at.Text == v.Text && at.Shape == v.Shape {
		return at
	}
	return nil
}

// replacement returns the item of replacements whose targets end in a field. An item in a separate
// file is used if no other one fits.
func replacement(list *loader.Value, last string) *loader.Value {
	var other *loader.Value
	for _, item := range list.Items {
		if item.Get("path") != nil {
			other = item
		}
		for _, target := range item.List("targets") {
			for _, field := range target.List("fieldPaths") {
				if fieldEnds(field.Text, last) {
					return item
				}
			}
		}
	}
	return other
}

// fieldEnds compares the last part of a field path with a key. An index or a wildcard may match any
// item.
func fieldEnds(path, last string) bool {
	end := path[strings.LastIndex(path, ".")+1:]
	index := strings.HasPrefix(end, "[") || end == "*" || strings.Trim(end, "0123456789") == ""
	return end == last || last == "[]" && index
}
