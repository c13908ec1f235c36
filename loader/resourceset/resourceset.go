// Package resourceset turns ResourceSets of the Flux operator into the objects that the
// operator would apply: it renders the templates of a set once for each input set. Inputs in
// the ResourceSet or in providers of type Static are known; external inputs are unknown.
//
// The rules follow controlplaneio-fluxcd/flux-operator internal/builder/resourceset.go and
// internal/inputs. Templates run within the limits of package gotemplate.
package resourceset

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// The API group and the kinds.
const (
	Group    = "fluxcd.controlplane.io"
	Kind     = "ResourceSet"
	Provider = "ResourceSetInputProvider"
)

// Problem is a reason why objects are missing.
type Problem struct {
	Message, Hint string
	Mark          loader.Mark
	// Unknown means that there is no mistake, but that the inputs are not known.
	Unknown bool
	// Limited means that there is no mistake, but that the set exceeds a bound.
	Limited bool
}

// MaxObjects limits the objects that one set generates.
const MaxObjects = 5_000

// Generate returns the objects of a ResourceSet in order. Their marks point into the set.
// providers are the input providers of its namespace. If any template fails it returns no
// object at all, like the operator.
func Generate(root *loader.Value, providers []*loader.Value, limits manifest.Limits) (objects []*loader.Value, problem *Problem) {
	// text/template panics again on its runtime errors.
	defer func() {
		if r := recover(); r != nil {
			objects, problem = nil, &Problem{Message: fmt.Sprintf("the ResourceSet fails: %v", r), Hint: "correct it", Mark: root.Mark}
		}
	}()
	b := builder{limits: limits, budget: gotemplate.NewBudget(gotemplate.DefaultLimits()), seen: map[string]bool{}}
	defer b.budget.Close()
	sets, problem := inputs(root, providers)
	if problem != nil {
		return nil, problem
	}
	if len(sets) == 0 {
		if len(root.List("spec", "inputsFrom")) > 0 {
			return nil, nil
		}
		sets = []map[string]any{nil}
	}
	parts := []*loader.Value{root.Get("spec")}
	parts = append(parts, root.List("spec", "steps")...)
	for _, part := range parts {
		if p := b.part(part, sets); p != nil {
			return nil, p
		}
	}
	for i := range b.out {
		for _, key := range []string{"name", "namespace"} {
			owner := &loader.Value{Shape: loader.String, Text: root.Str("metadata", key), Mark: root.Mark}
			b.out[i] = with(b.out[i], owner, "metadata", "labels", "resourceset."+Group+"/"+key)
		}
		b.out[i] = common(b.out[i], root.Get("spec", "commonMetadata"))
	}
	return b.out, nil
}

type builder struct {
	limits manifest.Limits
	budget *gotemplate.Budget
	out    []*loader.Value
	// seen holds the identities of the objects so far. The first of several equal ones wins.
	seen map[string]bool
}

// part adds the objects of the set or of one of its steps: each template with all inputs.
func (b *builder) part(part *loader.Value, sets []map[string]any) *Problem {
	for _, item := range part.List("resources") {
		for _, set := range sets {
			data, err := yaml.Marshal(item.Plain())
			if err != nil {
				return failed(item, err)
			}
			docs, err := b.render(string(data), set)
			if err != nil {
				return failed(item, err)
			}
			if len(docs) == 0 || docs[0].Str("kind") == "" {
				return failed(item, fmt.Errorf("it renders no Kubernetes object"))
			}
			b.add(placed(docs[0], item, item.Mark))
		}
		if len(b.out) > MaxObjects {
			return &Problem{Message: fmt.Sprintf("the ResourceSet makes more than %d objects", MaxObjects), Hint: "split it", Mark: item.Mark, Limited: true}
		}
	}
	text := part.Get("resourcesTemplate")
	if text.IsEmpty() {
		return nil
	}
	for _, set := range sets {
		docs, err := b.render(text.Text, set)
		if err != nil {
			return failed(text, err)
		}
		for _, doc := range docs {
			if doc.Str("kind") != "" && doc.Str("apiVersion") != "" && doc.Str("metadata", "name") != "" {
				b.add(placed(doc, nil, text.Mark))
			}
		}
		if len(b.out) > MaxObjects {
			return &Problem{Message: fmt.Sprintf("the ResourceSet makes more than %d objects", MaxObjects), Hint: "split it", Mark: text.Mark, Limited: true}
		}
	}
	return nil
}

func failed(at *loader.Value, err error) *Problem {
	if loader.IsLimit(err) {
		return &Problem{Message: "a template of the ResourceSet is not followed: " + err.Error(), Hint: "make it smaller; its objects are unknown", Mark: at.Mark, Limited: true}
	}
	return &Problem{
		Message: "a template of the ResourceSet fails: " + place.ReplaceAllString(err.Error(), ""),
		Hint:    "correct it; the operator applies nothing of the set until then", Mark: at.Mark,
	}
}

// place matches the position in an error of text/template, which refers to the rewritten
// text and is removed from messages.
var place = regexp.MustCompile(`^template: :\d+(:\d+)?: (executing "" at )?`)

// add appends an object, unless it is disabled by annotation or its identity exists already.
func (b *builder) add(object *loader.Value) {
	if object.Str("metadata", "annotations", Group+"/reconcile") == "disabled" {
		return
	}
	group, _, _ := strings.Cut(object.Str("apiVersion"), "/")
	if !strings.Contains(object.Str("apiVersion"), "/") {
		group = ""
	}
	key := strings.Join([]string{group, object.Str("kind"), object.Str("metadata", "namespace"), object.Str("metadata", "name")}, "/")
	if !b.seen[key] {
		b.seen[key] = true
		b.out = append(b.out, object)
	}
}

// render runs a template and parses the documents that it prints. In the template `inputs`
// is a function, and a missing key is an error.
func (b *builder) render(text string, set map[string]any) ([]*loader.Value, error) {
	safe, err := gotemplate.InstrumentDelimited(text, "<<", ">>")
	if err != nil {
		return nil, err
	}
	funcs := b.budget.Sprig()
	maps.Copy(funcs, template.FuncMap{
		"inputs": func() any { return set }, "slugify": slugify, "toYaml": toYAML, "mustToYaml": toYAML,
	})
	t, err := template.New("").Funcs(funcs).Option("missingkey=error").Parse(safe)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	if err := t.Execute(&out, nil); err != nil {
		if b.budget.Err() != nil {
			return nil, b.budget.Err()
		}
		return nil, errors.New(gotemplate.Explain(err, text))
	}
	if err := gotemplate.Unguessed(b.budget); err != nil {
		return nil, err
	}
	docs, problems := manifest.Parse([]byte(out.String()), b.limits)
	if len(problems) > 0 {
		return nil, fmt.Errorf("it gives no YAML: %s", problems[0].Message)
	}
	return slices.DeleteFunc(docs, func(d *loader.Value) bool { return d == nil || d.Shape != loader.Map }), nil
}

func toYAML(v any) (string, error) {
	data, err := yaml.Marshal(v)
	return string(data), err
}

// slugify turns a text into a name (gosimple/slug, Make). A non-ASCII text is an error.
func slugify(text string) (string, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
		return "", fmt.Errorf("slugify is supported for ASCII text only")
	}
	out := strings.Trim(notInSlugs.ReplaceAllString(strings.ToLower(text), "-"), "-_")
	const limit = 63
	if len(out) > limit {
		cut := out[:limit]
		if i := strings.LastIndexByte(cut, '-'); i > 0 && out[limit] != '-' {
			cut = cut[:i]
		}
		out = strings.Trim(cut, "-_")
	}
	return out, nil
}

var notInSlugs = regexp.MustCompile(`[^a-z0-9_]+`)

// placed returns a copy of a rendered object with marks of its template of: each value gets
// the mark at the same path, or that of the nearest parent which has one.
func placed(v, of *loader.Value, at loader.Mark) *loader.Value {
	if of != nil {
		at = of.Mark
	}
	out := *v
	out.Mark = at
	out.Fields, out.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
	for i, f := range out.Fields {
		out.Fields[i].Value = placed(f.Value, of.Get(f.Key), at)
	}
	for i, item := range out.Items {
		var from *loader.Value
		if list := of.ItemList(); len(list) == len(out.Items) {
			from = list[i]
		}
		out.Items[i] = placed(item, from, at)
	}
	return &out
}

// common adds the labels and annotations of spec.commonMetadata to an object.
func common(object, metadata *loader.Value) *loader.Value {
	for _, key := range []string{"labels", "annotations"} {
		for _, f := range metadata.Get(key).FieldList() {
			object = with(object, f.Value, "metadata", key, f.Key)
		}
	}
	return object
}

// with returns a copy of a map with the value at a path set.
func with(v, by *loader.Value, path ...string) *loader.Value {
	if len(path) == 0 {
		return by
	}
	out := loader.Value{Shape: loader.Map, Mark: by.Mark}
	if v != nil && v.Shape == loader.Map {
		out = *v
	}
	out.Fields = slices.Clone(out.Fields)
	i := slices.IndexFunc(out.Fields, func(f loader.Field) bool { return f.Key == path[0] })
	if i < 0 {
		out.Fields = append(out.Fields, loader.Field{Key: path[0], Value: with(nil, by, path[1:]...)})
	} else {
		out.Fields[i].Value = with(out.Fields[i].Value, by, path[1:]...)
	}
	return &out
}
