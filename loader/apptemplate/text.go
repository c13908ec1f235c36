package apptemplate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// appTexts caches the results of texts, because many texts are equal.
type appTexts struct {
	// visible is the data that templates see, nil until the first evaluation.
	visible   map[string]any
	evaluated map[string]evaluated
	// scalars are texts as YAML reads them, nil if the text breaks the YAML.
	scalars map[string]*loader.Value
}

type evaluated struct {
	text string
	err  error
}

// textSteps is the fixed cost of a template, for parsing it.
const textSteps = 10

// text evaluates a value that the chart treats as a template. The value must be a text. If the
// evaluation fails, the result is opaque.
func (a *reading) text(v *loader.Value) *loader.Value {
	a.unsure(v != nil && v.Shape != loader.String)
	if v == nil || v.Shape != loader.String || !strings.Contains(v.Text, "{{") {
		return v
	}
	done, ok := a.texts.evaluated[v.Text]
	if !ok {
		done.text, done.err = a.evaluate(v.Text)
		a.texts.evaluated[v.Text] = done
	}
	out := *v
	if done.err != nil {
		a.partial, out.Opaque = true, true
		return &out
	}
	out.Text, out.Opaque = done.text, loader.Placeholder(done.text)
	return &out
}

// evaluate runs a template. A missing value is an error, because the chart may have a default for
// it that is not read here.
func (a *reading) evaluate(text string) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the template fails: %v", p)
		}
	}()
	if err := a.budget.Spend(textSteps, len(text)); err != nil {
		return "", err
	}
	safe, err := gotemplate.Instrument(text)
	if err != nil {
		return "", err
	}
	t, err := template.New("").Option("missingkey=error").Funcs(a.budget.Sprig()).Parse(safe)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, a.visible())
	if guessed := gotemplate.Unguessed(a.budget); err == nil {
		err = guessed
	}
	if err == nil && strings.Contains(out.String(), "<no value>") {
		err = errors.New("the template lacks a value")
	}
	return out.String(), err
}

// visible returns the data that templates see. The chart itself sets global.nameOverride
// (charts/other/app-template/templates/common.yaml).
func (a *reading) visible() map[string]any {
	if a.texts.visible != nil {
		return a.texts.visible
	}
	values := chart.Values{Root: a.values}.Plain(nil)
	global, ok := values["global"].(map[string]any)
	if !ok {
		global = map[string]any{}
		values["global"] = global
	}
	if name, ok := global["nameOverride"].(string); !ok || name == "" {
		global["nameOverride"] = a.release.Name
	}
	a.texts.visible = map[string]any{
		"Values":  values,
		"Release": map[string]any{"Name": a.release.Name, "Namespace": a.release.Namespace, "Service": "Helm"},
	}
	return a.texts.visible
}

// bare returns a value that the chart writes without quotes. YAML then reads a text of digits as a
// number, and a text with special characters may break the YAML.
func (a *reading) bare(v *loader.Value) *loader.Value {
	v = a.copied(v)
	if v == nil || v.Shape != loader.String || v.Opaque {
		a.unsure(v != nil && (v.Shape == loader.Map || v.Shape == loader.List))
		return v
	}
	read, ok := a.texts.scalars[v.Text]
	if !ok {
		read = a.scalar(v.Text)
		a.texts.scalars[v.Text] = read
	}
	out := *v
	if read == nil {
		a.partial, out.Opaque = true, true
		return &out
	}
	out.Shape, out.Text = read.Shape, read.Text
	return &out
}

// orElse returns v as the chart writes it without quotes, or other if v is empty, false or 0.
func (a *reading) orElse(v, other *loader.Value) *loader.Value {
	if truthy(v) {
		return a.bare(v)
	}
	return other
}

// quotedOr returns v as the chart writes it with quotes, or other if v is empty, false or 0.
func (a *reading) quotedOr(v, other *loader.Value) *loader.Value {
	if truthy(v) {
		return quoted(a.copied(v))
	}
	return other
}

// scalar returns what YAML reads from a text without quotes, or nil if that is not a scalar.
func (a *reading) scalar(text string) *loader.Value {
	if strings.ContainsAny(text, "\r\n") || a.budget.Spend(1, len(text)) != nil {
		return nil
	}
	docs, problems := manifest.Parse([]byte("v: "+text+"\n"), manifest.DefaultLimits())
	if len(problems) > 0 || len(docs) != 1 {
		return nil
	}
	v := docs[0].Get("v")
	if v == nil || v.Shape == loader.Map || v.Shape == loader.List {
		return nil
	}
	return v
}

// copied returns a value that the chart does not evaluate. In releases that may evaluate it, a text
// with a template is evaluated and the result is uncertain.
func (a *reading) copied(v *loader.Value) *loader.Value {
	if v == nil || !a.rules.unsureTemplates || !templated(v) {
		return v
	}
	a.partial = true
	if v.Shape == loader.String {
		return a.text(v)
	}
	return v
}

// templated reports whether a value contains a template.
func templated(v *loader.Value) bool {
	return strings.Contains(v.Text, "{{") ||
		slices.ContainsFunc(v.Items, templated) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return templated(f.Value) })
}

// quoted returns a value as the chart writes it with quotes.
func quoted(v *loader.Value) *loader.Value {
	if v.IsNull() || v.Shape == loader.String {
		return v
	}
	out := *v
	out.Shape = loader.String
	return &out
}
