// Package applicationset turns Argo CD ApplicationSets into the Applications that their
// controller would create. It supports the generators whose result depends on the tree
// only: list, git, matrix, merge, and clusterDecisionResource for Placements of Open Cluster
// Management. The others query clusters or repository hosts; they are reported as a problem.
//
// The rules follow argo-cd applicationset/ (generators, utils). Templates run within the
// limits of package gotemplate.
package applicationset

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Tree is the repository content that generators may read.
type Tree interface {
	// Own reports whether a URL is that of the repository of this tree.
	Own(repoURL string) bool
	// Directories and Files return all folders and files, sorted, as slash paths relative
	// to the root.
	Directories() []string
	Files() []string
	// Read returns the documents of a YAML or JSON file.
	Read(file string) ([]*loader.Value, error)
	// Placed returns the managed clusters that a Placement of Open Cluster Management chooses. It returns
	// an error if that is not known.
	Placed(namespace, placement string) ([]string, error)
}

// Problem is a reason why Applications are missing.
type Problem struct {
	Code, Message, Hint string
	Mark                loader.Mark
}

// Application is one that a set generates. File is the file of the tree from which a git generator took its parameters, or "".
type Application struct {
	*loader.Value
	File string
}

// MaxApplications limits the Applications that one ApplicationSet generates.
const MaxApplications = 5_000

// Generate returns the Applications of an ApplicationSet in order. Their marks point into
// the ApplicationSet. If any generator or template fails it returns no Application at all,
// like the controller.
func Generate(root *loader.Value, tree Tree, limits manifest.Limits) (apps []Application, problems []Problem) {
	// text/template panics again on its runtime errors.
	defer func() {
		if r := recover(); r != nil {
			apps, problems = nil, []Problem{{loader.ArgoTemplate, fmt.Sprintf("the ApplicationSet fails: %v", r), "correct it", root.Mark}}
		}
	}()
	g := &generator{
		root: root, tree: tree, limits: limits,
		goTemplate: root.Get("spec", "goTemplate").IsTrue(),
	}
	for _, option := range root.List("spec", "goTemplateOptions") {
		g.options = append(g.options, option.Text)
	}
	g.budget = gotemplate.NewBudget(gotemplate.DefaultLimits())
	defer g.budget.Close()
	g.templates = newTemplates(g.options, g.budget)
	var out []Application
	for _, item := range root.List("spec", "generators") {
		sets, p := g.sets(item, nil, 0)
		if p != nil {
			return nil, []Problem{*p}
		}
		made := merged(root.Get("spec", "template"), templateOf(item))
		for _, set := range sets {
			app, p := g.application(made, set)
			if p != nil {
				return nil, []Problem{*p}
			}
			out = append(out, Application{app, set.file()})
			if len(out) > MaxApplications {
				return nil, []Problem{{loader.LimitApplications, fmt.Sprintf("the ApplicationSet makes more than %d Applications", MaxApplications), "split it", root.Mark}}
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
	templates  *templates
}

// params are the template parameters of one Application.
type params map[string]any

// file is the file from which a git generator took the parameters, or "". A generator with a prefix for them has none.
func (p params) file() string {
	dir, name := p["path"], p["path.filename"]
	if at, ok := dir.(map[string]any); ok {
		dir, name = at["path"], at["filename"]
	}
	folder, _ := dir.(string)
	if base, ok := name.(string); ok && base != "" {
		return path.Join(folder, base)
	}
	return ""
}

// templateOf returns the template override of a generator, or nil
// (generator_spec_processor.go, Transform).
func templateOf(item *loader.Value) *loader.Value {
	for _, f := range item.FieldList() {
		if t := f.Value.Get("template"); t != nil {
			return t
		}
	}
	return nil
}

// merged returns base overridden by over: maps are merged, any other value replaces.
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

// Finalizer is what makes Argo CD delete the objects of an Application with it.
const Finalizer = "resources-finalizer.argocd.argoproj.io"

// application renders one Application from a template (controllers/template/template.go).
// Its namespace is always that of the ApplicationSet.
func (g *generator) application(template *loader.Value, set params) (*loader.Value, *Problem) {
	body, err := g.render(template, set)
	if err == nil {
		if patch := g.root.Str("spec", "templatePatch"); patch != "" {
			body, err = g.patch(body, patch, set)
		}
	}
	if err != nil && limited(g.budget, err) {
		return nil, &Problem{loader.LimitApplications, "the template of the ApplicationSet is not followed: " + err.Error(), "make it smaller; its Applications are unknown", at(template, g.root)}
	}
	if err != nil {
		return nil, &Problem{loader.ArgoTemplate, "the template of the ApplicationSet fails: " + err.Error(), "correct it; Argo CD makes none of its Applications until then", at(template, g.root)}
	}
	metadata := &loader.Value{Shape: loader.Map, Mark: at(body.Get("metadata"), g.root)}
	for _, f := range body.Get("metadata").FieldList() {
		if f.Key != "namespace" && (f.Key != "finalizers" || len(f.Value.Items) > 0) {
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
	if len(metadata.List("finalizers")) == 0 && len(set) > 0 && !g.root.Get("spec", "syncPolicy", "preserveResourcesOnDeletion").IsTrue() {
		// applicationset/utils/utils.go, RenderTemplateParams.
		finalizer := &loader.Value{Shape: loader.String, Text: Finalizer, Mark: metadata.Mark}
		metadata.Fields = append(metadata.Fields, loader.Field{Key: "finalizers", Value: &loader.Value{Shape: loader.List, Items: []*loader.Value{finalizer}, Mark: metadata.Mark}})
	}
	if metadata.Get("name").IsEmpty() {
		return nil, &Problem{loader.ArgoTemplate, "the template of the ApplicationSet gives no name", "set metadata.name", at(template, g.root)}
	}
	return out, nil
}

// patch applies templatePatch: it renders the whole text and merges it into the
// Application. A null removes a field. Lists are replaced, because the lists of an
// Application have no merge keys. spec.project is never patched
// (controllers/template/patch.go).
func (g *generator) patch(body *loader.Value, text string, set params) (*loader.Value, error) {
	rendered, err := g.text(text, set)
	if err != nil {
		return nil, fmt.Errorf("templatePatch: %v", err)
	}
	docs, problems := manifest.Parse([]byte(rendered), g.limits)
	if len(problems) > 0 {
		return nil, fmt.Errorf("templatePatch is not valid YAML: %s", problems[0].Message)
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

// patched returns base with a merge patch applied: maps are merged, null removes a field,
// any other value replaces.
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

// at returns the mark of v, or the mark of or if v has none.
func at(v, or *loader.Value) loader.Mark {
	if v != nil && v.Mark.Line > 0 {
		return v.Mark
	}
	return or.Mark
}

// compareParams compares sets by one key, for generators that define no order.
func compareParams(a, b params, key string) int {
	return cmp.Compare(fmt.Sprint(a[key]), fmt.Sprint(b[key]))
}
