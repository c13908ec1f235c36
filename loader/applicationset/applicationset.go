// Package applicationset turns ApplicationSets of Argo CD into the Applications
// that their controller would make, as far as a tree alone can tell: the list,
// git, matrix and merge generators. The others ask clusters or hosts of
// repositories and are reported.
//
// Rules are those of argo-cd applicationset/ (generators, utils); the templates
// are run within the bounds of package gotemplate.
package applicationset

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Tree is what generators may ask.
type Tree interface {
	// Own says whether a repository is the tree itself.
	Own(repoURL string) bool
	// Directories and Files are all there are, sorted, with slash paths relative
	// to the root.
	Directories() []string
	Files() []string
	// Read gives the documents of a YAML or JSON file.
	Read(file string) ([]*loader.Value, error)
}

// Problem is why Applications are missing.
type Problem struct {
	Code, Message, Hint string
	Mark                loader.Mark
}

// MaxApplications bounds what one ApplicationSet makes.
const MaxApplications = 5_000

// Generate gives the Applications of an ApplicationSet in order. Its marks are
// those of the ApplicationSet. As the controller does, it makes none at all where
// a generator or a template fails.
func Generate(root *loader.Value, tree Tree, limits manifest.Limits) (apps []*loader.Value, problems []Problem) {
	// text/template panics again where a function does.
	defer func() {
		if r := recover(); r != nil {
			apps, problems = nil, []Problem{{"argocd-template", fmt.Sprintf("the ApplicationSet fails: %v", r), "correct it", root.Mark}}
		}
	}()
	g := &generator{
		root: root, tree: tree, limits: limits,
		goTemplate: isTrue(root.Get("spec", "goTemplate")),
	}
	for _, option := range root.List("spec", "goTemplateOptions") {
		g.options = append(g.options, option.Text)
	}
	g.budget = gotemplate.NewBudget(gotemplate.DefaultLimits())
	defer g.budget.Close()
	var out []*loader.Value
	for _, item := range root.List("spec", "generators") {
		sets, p := g.sets(item, nil, 0)
		if p != nil {
			return nil, []Problem{*p}
		}
		template := merged(root.Get("spec", "template"), templateOf(item))
		for _, set := range sets {
			app, p := g.application(template, set)
			if p != nil {
				return nil, []Problem{*p}
			}
			out = append(out, app)
			if len(out) > MaxApplications {
				return nil, []Problem{{"limit-applications", fmt.Sprintf("the ApplicationSet makes more than %d Applications", MaxApplications), "split it", root.Mark}}
			}
		}
	}
	return out, nil
}

type generator struct {
	root       *loader.Value
	tree       Tree
	limits     manifest.Limits
	goTemplate bool
	options    []string
	budget     *gotemplate.Budget
}

// params are what one Application is made of.
type params map[string]any

// templateOf is the template that a generator brings (generator_spec_processor.go,
// Transform).
func templateOf(item *loader.Value) *loader.Value {
	for _, f := range item.FieldList() {
		if t := f.Value.Get("template"); t != nil {
			return t
		}
	}
	return nil
}

// merged lays a value over another: maps are merged, everything else replaces.
func merged(base, over *loader.Value) *loader.Value {
	if over.IsEmpty() {
		return base
	}
	if base == nil || base.Shape != loader.Map || over.Shape != loader.Map {
		return over
	}
	out := *base
	out.Fields = slices.Clone(base.Fields)
	for _, f := range over.Fields {
		i := slices.IndexFunc(out.Fields, func(own loader.Field) bool { return own.Key == f.Key })
		if i < 0 {
			out.Fields = append(out.Fields, f)
			continue
		}
		out.Fields[i].Value = merged(out.Fields[i].Value, f.Value)
	}
	return &out
}

// application makes one Application of a template
// (controllers/template/template.go): it lives in the namespace of its set.
func (g *generator) application(template *loader.Value, set params) (*loader.Value, *Problem) {
	body, err := g.render(template, set)
	if err == nil {
		if patch := g.root.Str("spec", "templatePatch"); patch != "" {
			body, err = g.patch(body, patch, set)
		}
	}
	if err != nil {
		return nil, &Problem{"argocd-template", "the template of the ApplicationSet fails: " + err.Error(), "correct it; Argo CD makes none of its Applications until then", at(template, g.root)}
	}
	metadata := &loader.Value{Shape: loader.Map, Mark: at(body.Get("metadata"), g.root)}
	for _, f := range body.Get("metadata").FieldList() {
		if f.Key != "namespace" {
			metadata.Fields = append(metadata.Fields, f)
		}
	}
	if ns := g.root.Get("metadata", "namespace"); ns != nil {
		metadata.Fields = append(metadata.Fields, loader.Field{Key: "namespace", Value: ns})
	}
	out := &loader.Value{Shape: loader.Map, Mark: at(template, g.root)}
	out.Fields = []loader.Field{
		{Key: "apiVersion", Value: g.root.Get("apiVersion")},
		{Key: "kind", Value: &loader.Value{Shape: loader.String, Text: "Application", Mark: g.root.Mark}},
		{Key: "metadata", Value: metadata},
		{Key: "spec", Value: body.Get("spec")},
	}
	if out.Fields[3].Value == nil {
		out.Fields = out.Fields[:3]
	}
	if metadata.Get("name").IsEmpty() {
		return nil, &Problem{"argocd-template", "the template of the ApplicationSet gives no name", "set metadata.name", at(template, g.root)}
	}
	return out, nil
}

// patch applies templatePatch: its text is rendered as a whole and merged into
// the Application; null takes away, and the lists of an Application have no keys
// and are replaced. The project stays (controllers/template/patch.go).
func (g *generator) patch(body *loader.Value, text string, set params) (*loader.Value, error) {
	rendered, err := g.text(text, set)
	if err != nil {
		return nil, fmt.Errorf("templatePatch: %v", err)
	}
	docs, problems := manifest.Parse([]byte(rendered), g.limits)
	if len(problems) > 0 {
		return nil, fmt.Errorf("templatePatch is no YAML: %s", problems[0].Message)
	}
	for _, doc := range docs {
		place := at(g.root.Get("spec", "templatePatch"), g.root)
		body = patched(body, withoutProject(doc.Copy(func(v *loader.Value) { v.Mark = place })))
	}
	return body, nil
}

func withoutProject(patch *loader.Value) *loader.Value {
	out := *patch
	out.Fields = slices.Clone(patch.Fields)
	for i, f := range out.Fields {
		if f.Key == "spec" {
			spec := *f.Value
			spec.Fields = slices.DeleteFunc(slices.Clone(spec.Fields), func(f loader.Field) bool { return f.Key == "project" })
			out.Fields[i].Value = &spec
		}
	}
	return &out
}

// patched is a merge patch: maps are merged, null takes away, everything else
// replaces.
func patched(base, patch *loader.Value) *loader.Value {
	if base == nil || base.Shape != loader.Map || patch.Shape != loader.Map {
		return patch
	}
	out := *base
	out.Fields = slices.Clone(base.Fields)
	for _, f := range patch.Fields {
		i := slices.IndexFunc(out.Fields, func(own loader.Field) bool { return own.Key == f.Key })
		switch {
		case f.Value.IsNull() && i >= 0:
			out.Fields = slices.Delete(out.Fields, i, i+1)
		case f.Value.IsNull():
		case i < 0:
			out.Fields = append(out.Fields, f)
		default:
			out.Fields[i].Value = patched(out.Fields[i].Value, f.Value)
		}
	}
	return &out
}

// at is the place of a value, or else of another.
func at(v, or *loader.Value) loader.Mark {
	if v != nil && v.Mark.Line > 0 {
		return v.Mark
	}
	return or.Mark
}

func isTrue(v *loader.Value) bool { return v != nil && v.Shape == loader.Bool && v.Text == "true" }

// compareParams orders sets by one key, for generators without an order of their
// own.
func compareParams(a, b params, key string) int {
	return cmp.Compare(fmt.Sprint(a[key]), fmt.Sprint(b[key]))
}
