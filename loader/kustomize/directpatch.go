package kustomize

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// directPatch is a strategic-merge patch of custom resources, such as those that Flux Kustomizations add to
// every HelmRelease. Without a schema, such a patch merges maps and replaces everything else (kyaml
// yaml/merge2/merge2.go).
type directPatch struct {
	doc   *loader.Value
	place deploy.Placing
	kind  string
	// selects are the expressions of its target, by group, version and name.
	selects [3]*regexp.Regexp
}

// patches returns those of a folder, or false if one of them needs kustomize.
func (d direct) patches(f *folder) ([]directPatch, bool) {
	var out []directPatch
	for _, item := range f.edited.List("patches") {
		p, ok := d.patch(f, item)
		if !ok {
			return nil, false
		}
		out = append(out, p)
	}
	return out, true
}

func (d direct) patch(f *folder, item *loader.Value) (p directPatch, ok bool) {
	if !only(item, "path", "target") {
		return p, false
	}
	name, ok := tree.Target(f.dir, item.Str("path"))
	docs := d.builder.store.Parse(d.view.IDs[name]).Docs
	p.place = d.trace.inFile(name)
	if in, inline := d.approved.Inline[name]; inline {
		docs, p.place = in.docs, d.trace.inText(in)
	}
	if !ok || len(docs) != 1 || !mergesPlainly(docs[0]) {
		return p, false
	}
	p.kind = docs[0].Str("kind")
	target := item.Get("target")
	if p.doc, ok = withoutIdentity(docs[0]); !ok || target.Str("kind") != p.kind || !only(target, "group", "version", "kind", "name") || regexp.QuoteMeta(p.kind) != p.kind {
		return p, false
	}
	for i, key := range []string{"group", "version", "name"} {
		switch v := target.Get(key); {
		case v == nil:
		case v.Shape != loader.String, booleans[strings.ToLower(v.Text)]:
			return p, false
		default:
			if p.selects[i] = anchored(v.Text); p.selects[i] == nil {
				return p, false
			}
		}
	}
	return p, true
}

// booleans are the words that kustomize reads as booleans in a kustomization, where it expects a text.
var booleans = map[string]bool{"y": true, "n": true, "yes": true, "no": true, "on": true, "off": true}

// only reports whether a map has no other keys than these, with values of any form.
func only(v *loader.Value, keys ...string) bool {
	return v != nil && v.Shape == loader.Map && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return !slices.Contains(keys, f.Key) })
}

// mergesPlainly reports whether a patch has neither directives nor anything for which kustomize has rules of its
// own: nulls, empty texts, maps and lists.
func mergesPlainly(v *loader.Value) bool {
	switch v.Shape {
	case loader.Map:
		return len(v.Fields) > 0 && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool {
			return strings.HasPrefix(f.Key, "$") || !mergesPlainly(f.Value)
		})
	case loader.List:
		return len(v.Items) > 0 && !slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return !mergesPlainly(item) })
	case loader.Null:
		return false
	case loader.Bool, loader.Int, loader.Float, loader.String:
	}
	return v.Text != ""
}

// matches reports whether the target of a patch selects an object (kustomize api/resmap/reswrangler.go, Select).
func (p *directPatch) matches(object *loader.Value) bool {
	if object.Str("kind") != p.kind {
		return false
	}
	group, version := tree.SplitVersion(object.Str("apiVersion"))
	for i, text := range []string{group, version, object.Str("metadata", "name")} {
		if p.selects[i] != nil && !p.selects[i].MatchString(text) {
			return false
		}
	}
	return true
}

// custom reports whether kustomize knows no schema for an object: its group is none of Kubernetes.
func custom(object *loader.Value) bool {
	group, _ := tree.SplitVersion(object.Str("apiVersion"))
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// withoutIdentity returns a patch without what it is named by, which an object keeps as its own (kustomize
// api/resource/resource.go, ApplySmPatch). It returns false if kustomize might refuse the patch.
func withoutIdentity(doc *loader.Value) (*loader.Value, bool) {
	meta := doc.Get("metadata")
	if doc.Str("apiVersion") == "" || doc.Str("kind") == "" || meta.Str("name") == "" || !only(meta, "name", "namespace", "labels", "annotations") {
		return nil, false
	}
	for _, f := range slices.Concat(meta.Get("labels").FieldList(), meta.Get("annotations").FieldList()) {
		if f.Value.Shape != loader.String || strings.Contains(f.Key, "config.kubernetes.io/") || strings.Contains(f.Key, "kustomize.config.k8s.io/") {
			return nil, false
		}
	}
	rest, out := *meta, *doc
	rest.Fields = slices.DeleteFunc(slices.Clone(meta.Fields), func(f loader.Field) bool { return f.Key == "name" || f.Key == "namespace" })
	out.Fields = nil
	for _, f := range doc.Fields {
		switch {
		case f.Key == "apiVersion", f.Key == "kind", f.Key == "metadata" && len(rest.Fields) == 0:
		case f.Key == "metadata":
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: &rest})
		default:
			out.Fields = append(out.Fields, f)
		}
	}
	return &out, true
}

// apply merges a patch into an object. It returns false if their forms do not fit.
func (p *directPatch) apply(object *loader.Value) (*loader.Value, bool) {
	out, _, ok := p.merge(object, p.doc)
	return out, ok
}

// merge returns a value with what a patch sets in it. own is true if something in it is the object's own: then a
// map has the object's position, else that of the patch.
func (p *directPatch) merge(to, patch *loader.Value) (out *loader.Value, own, ok bool) {
	switch {
	case to.Shape == loader.String && patch.Shape != loader.String: // with the quotes that the string may have, it becomes one
		return nil, false, false
	case to.Shape == loader.Null, (to.Shape == loader.List) != (patch.Shape == loader.List), (to.Shape == loader.Map) != (patch.Shape == loader.Map):
		return nil, false, false
	case to.Shape != loader.Map:
		return p.placed(patch), false, true
	}
	merged := *to
	merged.Fields = slices.Clone(to.Fields)
	for i, f := range merged.Fields {
		by := patch.Get(f.Key)
		if by == nil {
			own = true
			continue
		}
		value, kept, ok := p.merge(f.Value, by)
		if !ok {
			return nil, false, false
		}
		merged.Fields[i].Value, own = value, own || kept
	}
	for _, f := range patch.Fields {
		if to.Get(f.Key) == nil {
			merged.Fields = append(merged.Fields, loader.Field{Key: f.Key, Value: p.placed(f.Value)})
		}
	}
	if !own {
		merged.Mark = p.place(patch.Mark)
	}
	return &merged, own, true
}

// placed is a value of the patch with its position.
func (p *directPatch) placed(v *loader.Value) *loader.Value {
	return v.Copy(func(v *loader.Value) { v.Mark = p.place(v.Mark) })
}
