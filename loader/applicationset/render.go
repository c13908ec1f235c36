package applicationset

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
)

// render renders every string and key of a template. With an empty set it returns the
// template unchanged (utils/utils.go, RenderTemplateParams).
func (g *generator) render(v *loader.Value, set params) (*loader.Value, error) {
	if v == nil || len(set) == 0 {
		return v, nil
	}
	out := *v
	if v.Shape == loader.String {
		text, err := g.text(v.Text, set)
		if err != nil {
			return nil, err
		}
		out.Text, out.Opaque = text, loader.Placeholder(text)
		return &out, nil
	}
	out.Fields, out.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
	for i, f := range out.Fields {
		key, err := g.text(f.Key, set)
		if err != nil {
			return nil, err
		}
		by, err := g.render(f.Value, set)
		if err != nil {
			return nil, err
		}
		out.Fields[i] = loader.Field{Key: key, Value: by}
	}
	for i, item := range out.Items {
		by, err := g.render(item, set)
		if err != nil {
			return nil, err
		}
		out.Items[i] = by
	}
	return &out, nil
}

// text renders one text in the template language that the ApplicationSet selects.
func (g *generator) text(text string, set params) (string, error) {
	switch {
	case !strings.Contains(text, "{{"):
		return text, nil
	case !g.goTemplate:
		return g.fast(text, set)
	}
	t, err := g.templates.parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := t.Execute(&out, map[string]any(set)); err != nil {
		if g.budget.Err() != nil {
			return "", g.budget.Err()
		}
		if errors.Is(err, yamltext.ErrTooLong) {
			return "", yamltext.ErrTooLong
		}
		return "", fmt.Errorf("%s", place.ReplaceAllString(gotemplate.Explain(err, text), ""))
	}
	return out.String(), gotemplate.Unguessed(g.budget)
}

// place matches the position in an error of text/template. It is removed from messages,
// because it refers to the instrumented text, which users never see.
var place = regexp.MustCompile(`^template: :\d+(:\d+)?: (executing "" at )?`)

// tagged matches a text with at least one tag.
var tagged = regexp.MustCompile(`\{\{.*\}\}`)

// fast renders the older template language (valyala/fasttemplate): it replaces a name
// between double braces if it is a text parameter, and keeps any other tag as written. A
// text without a tag is returned unchanged.
func (g *generator) fast(text string, set params) (string, error) {
	if !tagged.MatchString(text) {
		return text, nil
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		tag, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return "", fmt.Errorf("%q has no closing }}", clip("{{"+rest))
		}
		v, ok := set[strings.TrimSpace(tag)].(string)
		if !ok {
			v = "{{" + tag + "}}"
		}
		if err := g.budget.Spend(0, len(v)); err != nil {
			return "", err
		}
		out.WriteString(v)
		text = after
	}
}

func clip(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return text
}

var notInNames = regexp.MustCompile(`[^-a-z0-9.]`)

// normalized turns a text into a valid object name (utils/template_functions.go,
// SanitizeName).
func normalized(name string) string {
	name = notInNames.ReplaceAllString(strings.ToLower(name), "-")
	if len(name) > 253 {
		name = name[:253]
	}
	return strings.Trim(name, "-.")
}

// slugify turns a text into a short name (utils/template_functions.go, Slugify):
// slugify [LENGTH [CUT AT WORDS]] TEXT.
func slugify(args ...any) (string, error) {
	length, words := 50, false
	if len(args) == 0 || len(args) > 3 {
		return "", fmt.Errorf("slugify takes one to three arguments")
	}
	text, ok := args[len(args)-1].(string)
	if len(args) > 1 && ok {
		length, ok = args[0].(int)
	}
	if len(args) > 2 && ok {
		words, ok = args[1].(bool)
	}
	if !ok || length < 0 {
		return "", fmt.Errorf("slugify takes a length, whether to cut at words, and a text")
	}
	out := strings.Trim(notInSlugs.ReplaceAllString(strings.ToLower(text), "-"), "-_")
	if len(out) > length {
		cut := out[:length]
		if i := strings.LastIndexByte(cut, '-'); words && i > 0 && out[length] != '-' {
			cut = cut[:i]
		}
		out = strings.Trim(cut, "-_")
	}
	return out, nil
}

var notInSlugs = regexp.MustCompile(`[^a-z0-9_]+`)

func toYaml(v any) (string, error) {
	data, err := yaml.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("%v", err)
	}
	return strings.TrimSuffix(string(data), "\n"), nil
}

func fromYaml[T any](text string) (T, error) {
	var out T
	err := yamltext.Unmarshal([]byte(text), &out)
	return out, err
}
