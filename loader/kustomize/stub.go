package kustomize

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// stubs decides which objects kustomize reads without their bodies: those that are not relevant, whose
// bodies are most of the input. They keep their kind and name, so that a build which fails because of
// such an object fails here, too. CustomResourceDefinitions whose bodies are needed still go without
// their schemas, unless something that edits objects mentions schemas.
type stubs struct {
	store *tree.Store
	// never means that all bodies are needed.
	never bool
	// needed are the kinds, as regular expressions, whose bodies are: those that JSON6902 patches
	// target, which fail if a field is missing, and those that values are copied from or to.
	needed []*regexp.Regexp
	// schemas are the names, as regular expressions, of CustomResourceDefinitions whose schemas are
	// needed.
	schemas []*regexp.Regexp
}

// stubsOf returns the decision for a build.
func stubsOf(p *gate.Approved, s *tree.Store, v *tree.View) stubs {
	out := stubs{store: s, schemas: schemaEdits(p, s, v)}
	for _, f := range p.Folders {
		for _, field := range f.Value.FieldList() {
			switch field.Key {
			case "generators", "transformers", "validators", "openapi", "crds":
				out.never = out.never || !field.Value.IsEmpty()
			case "patches":
				out.never = out.never || gate.ChangesKind(field.Value)
			case "vars":
				for _, item := range field.Value.ItemList() {
					out.need(item.Str("objref", "kind"))
				}
			case "replacements":
				for _, item := range field.Value.ItemList() {
					out.needReplaced(v, f.Dir, item)
				}
			case "configMapGenerator", "secretGenerator":
				// A generator with a behavior merges its data into an object, and names it by the hash of both.
				if slices.ContainsFunc(field.Value.ItemList(), func(g *loader.Value) bool { return g.Str("behavior") != "" }) {
					out.need("ConfigMap|Secret")
				}
			}
		}
		for _, patch := range f.Patches {
			out.need(patch.Target.Str("kind"))
		}
	}
	return out
}

// need records that a kind is needed with its body: a regular expression, or "" for every kind.
func (s *stubs) need(kind string) {
	if re := anchored(kind); re != nil {
		s.needed = append(s.needed, re)
		return
	}
	s.never = true
}

// anchored compiles an expression of a selector as kustomize does (api/types/selector.go). It returns nil
// for one that is empty, or that cannot be compiled.
func anchored(selector string) *regexp.Regexp {
	re, err := expression.Compile("^(?:" + selector + ")$")
	if err != nil || selector == "" {
		return nil
	}
	return re
}

// needReplaced records the kinds of one entry of replacements, which may be in a file.
func (s *stubs) needReplaced(v *tree.View, dir string, item *loader.Value) {
	list := []*loader.Value{item}
	if file := item.Str("path"); file != "" {
		name, _ := tree.Target(dir, file)
		list = nil
		for _, doc := range s.store.Parse(v.IDs[name]).Docs {
			if doc.Shape == loader.List {
				list = append(list, doc.Items...)
				continue
			}
			list = append(list, doc)
		}
		if list == nil {
			s.never = true
		}
	}
	for _, replacement := range list {
		if replacement.Get("source") != nil {
			s.need(replacement.Str("source", "kind"))
		}
		for _, target := range replacement.List("targets") {
			s.need(target.Str("select", "kind"))
		}
	}
}

// schemaEdits returns the names of the CustomResourceDefinitions of which a build may read or edit the
// schema: those that JSON6902 patches target which contain the word, or all if it is in another patch, in
// a kustomization or in the configuration of a plugin.
func schemaEdits(p *gate.Approved, s *tree.Store, v *tree.View) []*regexp.Regexp {
	all := []*regexp.Regexp{regexp.MustCompile("")}
	word := []byte("chema") // of schema and of openAPIV3Schema
	var out []*regexp.Regexp
	targeted := map[string]bool{}
	for _, f := range p.Folders {
		for _, patch := range f.Patches {
			if !bytes.Contains(emit.Plain(patch.Ops), word) {
				continue
			}
			name := anchored(patch.Target.Str("name"))
			if name == nil {
				return all
			}
			targeted[patch.Source] = true
			out = append(out, name)
		}
	}
	for name, purpose := range p.Files {
		raw := s.Raw[v.IDs[name]]
		escaped := bytes.Contains(raw, []byte(`\u`)) || bytes.Contains(raw, []byte(`\x`)) || bytes.Contains(raw, []byte(`\U`)) // it may be written so
		if purpose != gate.UseResource && !targeted[name] && (escaped || bytes.Contains(raw, word)) {
			return all
		}
	}
	for _, data := range p.Copies {
		if bytes.Contains(data, word) {
			return all
		}
	}
	for name, in := range p.Inline {
		if !targeted[name] && slices.ContainsFunc(in.Docs, func(doc *loader.Value) bool { return bytes.Contains(emit.Plain(doc), word) }) {
			return all
		}
	}
	return out
}

// cut is what a build does without of an object.
type cut uint8

const (
	cutNothing cut = iota
	cutBody
	cutSchemas
)

// of returns an object in the form that the build needs, and what is missing in it.
func (s stubs) of(object *loader.Value) (*loader.Value, cut) {
	kind := object.Str("kind")
	definition := kind == tree.CrdKind
	if object.Shape != loader.Map || s.store.MayMatter(object) && !definition {
		return object, cutNothing
	}
	if s.never || slices.ContainsFunc(s.needed, func(re *regexp.Regexp) bool { return re.MatchString(kind) }) {
		edited := func(re *regexp.Regexp) bool { return re.MatchString(object.Str("metadata", "name")) }
		if !definition || slices.ContainsFunc(s.schemas, edited) {
			return object, cutNothing
		}
		return withSchemas(object, nil), cutSchemas
	}
	out := &loader.Value{Shape: loader.Map, Mark: object.Mark}
	for _, f := range object.Fields {
		if f.Key == "apiVersion" || f.Key == "kind" || f.Key == "metadata" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out, cutBody
}

// withSchemas returns a CustomResourceDefinition whose versions have the schemas of another one's
// versions of the same names, or none if that is nil.
func withSchemas(definition, of *loader.Value) *loader.Value {
	spec, versions := definition.Get("spec"), definition.Get("spec", "versions")
	if versions == nil || versions.Shape != loader.List {
		return definition
	}
	list := *versions
	list.Items = make([]*loader.Value, len(versions.Items))
	for i, version := range versions.Items {
		list.Items[i] = withSchema(version, schemaOf(of, version.Str("name")))
	}
	return tree.ReplaceKey(definition, "spec", loader.Field{Key: "spec", Value: tree.ReplaceKey(spec, "versions", loader.Field{Key: "versions", Value: &list})})
}

func withSchema(version, schema *loader.Value) *loader.Value {
	if version.Shape != loader.Map {
		return version
	}
	out := *version
	out.Fields = slices.DeleteFunc(slices.Clone(version.Fields), func(f loader.Field) bool { return f.Key == "schema" })
	if schema != nil {
		out.Fields = append(out.Fields, loader.Field{Key: "schema", Value: schema})
	}
	return &out
}

// schemaOf returns the schema of one version of a CustomResourceDefinition.
func schemaOf(definition *loader.Value, version string) *loader.Value {
	for _, item := range definition.List("spec", "versions") {
		if item.Str("name") == version {
			return item.Get("schema")
		}
	}
	return nil
}

// whole returns an object of a build with what was cut from it, for a CustomResourceDefinition: others
// are cut only if they do not matter.
func (o placedObject) whole(built *loader.Value) *loader.Value {
	if o.object.Str("kind") != tree.CrdKind {
		return built
	}
	original := deploy.Remarked(o.object, o.place)
	if o.cut == cutSchemas {
		return withSchemas(built, original)
	}
	return original
}
