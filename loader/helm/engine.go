package helm

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/gwplan/gwplan/loader/gotemplate"
)

// Release is what templates see of a release, in .Release.
type Release struct {
	Name, Namespace string
	// Upgrade means that the release is there already.
	Upgrade bool
}

// maxNested is the maximum number of nested executions of one template in Helm (helm
// pkg/engine/engine.go, recursionMaxNums).
const maxNested = 1000

// Render runs the templates of a chart and its subcharts, and returns the text of each by its full
// path. Templates whose names begin with an underscore are only available to others. Funcs replace
// functions of Helm (engine.go, RenderWithContext). A release is rendered as its first
// installation, or as its first upgrade. Done is called after each template with its path and
// its text; it may be nil.
func Render(c *Chart, values map[string]any, release Release, capabilities *Capabilities, funcs template.FuncMap, done func(name, text string)) (out map[string]string, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("rendering template failed: %v", p)
		}
	}()
	all, err := coalesced(c, values)
	if err != nil {
		return nil, err
	}
	revision := 1
	if release.Upgrade {
		revision = 2
	}
	e := engine{templates: map[string]renderable{}}
	e.collect(c, map[string]any{
		"Chart":        c.Metadata.fields(),
		"Capabilities": capabilities,
		"Release": map[string]any{
			"Name": release.Name, "Namespace": release.Namespace, "IsUpgrade": release.Upgrade, "IsInstall": !release.Upgrade, "Revision": revision,
			"Service": "Helm",
		},
		"Values": Values(all),
	})
	return e.render(funcs, done)
}

// renderable is a template with the data that it can read.
type renderable struct {
	text, folder string
	sees         map[string]any
}

type engine struct {
	templates map[string]renderable
	// nested counts the unfinished executions of each template.
	nested map[string]int
}

// collect finds the templates of a chart and its subcharts, each with the values of its chart
// (engine.go, recAllTpls).
func (e *engine) collect(c *Chart, above map[string]any) map[string]any {
	metadata := c.Metadata.fields()
	metadata["IsRoot"] = c.parent == nil
	subs := map[string]any{}
	sees := map[string]any{
		"Chart":        metadata,
		"Files":        newFiles(c.Files),
		"Release":      above["Release"],
		"Capabilities": above["Capabilities"],
		"Values":       Values{},
		"Subcharts":    subs,
	}
	parent, _ := above["Values"].(Values)
	if c.parent == nil {
		sees["Values"] = parent
	} else if own, ok := table(parent, c.Name()); ok {
		sees["Values"] = Values(own)
	}
	for _, sub := range c.subs {
		subs[sub.Name()] = e.collect(sub, sees)
	}
	for _, f := range c.Templates {
		if strings.EqualFold(c.Metadata.Type, "library") && !strings.HasPrefix(path.Base(f.Name), "_") {
			continue
		}
		e.templates[path.Join(c.FullPath(), f.Name)] = renderable{string(f.Data), path.Join(c.FullPath(), "templates"), sees}
	}
	return sees
}

// render parses all templates, the deepest folders first so that definitions in higher ones
// override them, and runs them (engine.go, render).
func (e *engine) render(own template.FuncMap, done func(name, text string)) (map[string]string, error) {
	t := template.New("gotpl").Option("missingkey=zero")
	e.nested = map[string]int{}
	all := functions()
	all["include"], all["tpl"] = e.include(t), e.tpl(t)
	maps.Copy(all, own)
	t.Funcs(all)

	names := slices.SortedFunc(maps.Keys(e.templates), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(b, "/"), strings.Count(a, "/")), cmp.Compare(b, a))
	})
	for _, name := range names {
		if _, err := t.New(name).Parse(e.templates[name].text); err != nil {
			return nil, parseFailure(name, err)
		}
	}
	out := make(map[string]string, len(names))
	for _, name := range names {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		r := e.templates[name]
		r.sees["Template"] = Values{"Name": name, "BasePath": r.folder}
		var b strings.Builder
		if err := t.ExecuteTemplate(&b, name, Values(r.sees)); err != nil {
			return nil, e.failure(name, err)
		}
		out[name] = valued(b.String())
		if done != nil {
			done(name, out[name])
		}
	}
	return out, nil
}

// valued removes the text that Go prints for a missing value.
func valued(text string) string { return strings.ReplaceAll(text, "<no value>", "") }

// include returns the template function include (engine.go, includeFun).
func (e *engine) include(t *template.Template) func(string, any) (string, error) {
	return func(name string, data any) (string, error) {
		if e.nested[name] > maxNested {
			return "", fmt.Errorf("rendering template has a nested reference name: %s: unable to execute template", name)
		}
		e.nested[name]++
		defer func() { e.nested[name]-- }()
		var b strings.Builder
		err := t.ExecuteTemplate(&b, name, data)
		return b.String(), err
	}
}

// tpl returns the template function tpl, which runs a text as a template that can use the existing
// templates (engine.go, tplFun).
func (e *engine) tpl(parent *template.Template) func(string, any) (string, error) {
	return func(text string, data any) (string, error) {
		t, err := parent.Clone()
		if err != nil {
			return "", fmt.Errorf("cannot clone template: %w", err)
		}
		t.Option("missingkey=zero") // cloning loses this option
		t.Funcs(template.FuncMap{"include": e.include(t), "tpl": e.tpl(t)})
		if t, err = t.New(parent.Name()).Parse(text); err != nil {
			return "", fmt.Errorf("cannot parse the template: %w", err)
		}
		var b strings.Builder
		if err := t.Execute(&b, data); err != nil {
			return "", fmt.Errorf("error during tpl function execution: %w", err)
		}
		return valued(b.String()), nil
	}
}

// Refusal is the error that required or fail raises in a template.
type Refusal struct{ Message string }

func (r *Refusal) Error() string { return r.Message }

// parseFailure returns an error that states where and why parsing fails.
func parseFailure(name string, err error) error {
	parts := strings.Split(err.Error(), ": ")
	if len(parts) == 1 {
		return fmt.Errorf("parse error in (%s): %w", name, err)
	}
	return fmt.Errorf("parse error at (%s): %s", parts[1], parts[len(parts)-1])
}

// failure returns the chart's own error message, or else where and why rendering fails: the place
// in the template that was run, and the innermost error. A message that the chart puts together
// may hold any value, so it is left out.
func (e *engine) failure(name string, err error) error {
	if _, ok := errors.AsType[template.ExecError](err); !ok {
		return err
	}
	parts := strings.SplitN(err.Error(), ": ", 3)
	if len(parts) != 3 {
		return fmt.Errorf("execution error in (%s)", name)
	}
	var texts []string
	for _, t := range e.templates {
		texts = append(texts, t.text)
	}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		message := refusal.Message
		if !gotemplate.Contains(message, texts...) {
			message = "the chart refuses the values"
		}
		return fmt.Errorf("execution error at (%s): %s", parts[1], message)
	}
	return fmt.Errorf("%s: %s", parts[1], reason(gotemplate.Explain(err, texts...)))
}

// reason returns the message of a text/template error, without its place.
func reason(text string) string {
	rest, ok := strings.CutPrefix(text, "template: ")
	if !ok || strings.HasPrefix(rest, "no template ") {
		return text
	}
	if _, after, found := strings.Cut(rest, ">: "); found {
		rest = after
	} else if i := strings.LastIndex(rest, ": "); i >= 0 {
		rest = rest[i+2:]
	}
	rest, _, _ = strings.Cut(rest, " template:")
	return rest
}

// required is the template function required.
func required(message string, v any) (any, error) {
	if v == nil || v == "" {
		return v, &Refusal{message}
	}
	return v, nil
}
