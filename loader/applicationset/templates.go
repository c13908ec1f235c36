package applicationset

import (
	"fmt"
	"maps"
	"slices"
	"text/template"

	"github.com/gwplan/gwplan/loader/gotemplate"
)

// templates are the texts of one ApplicationSet, parsed once for all sets of parameters.
type templates struct {
	options []string
	funcs   template.FuncMap
	parsed  map[string]*template.Template
}

func newTemplates(options []string, budget *gotemplate.Budget) *templates {
	funcs := budget.Sprig()
	maps.Copy(funcs, template.FuncMap{
		"normalize": normalized, "slugify": slugify, "toYaml": toYaml, "fromYaml": fromYaml[map[string]any], "fromYamlArray": fromYaml[[]any],
	})
	return &templates{options: options, funcs: funcs, parsed: map[string]*template.Template{}}
}

// parse returns the template of a text.
func (s *templates) parse(text string) (*template.Template, error) {
	if t := s.parsed[text]; t != nil {
		return t, nil
	}
	safe, err := gotemplate.Instrument(text)
	if err != nil {
		return nil, err
	}
	t := template.New("").Funcs(s.funcs)
	for _, option := range s.options {
		if !slices.Contains([]string{"missingkey=error", "missingkey=default", "missingkey=invalid", "missingkey=zero"}, option) {
			return nil, fmt.Errorf("%q is not a valid value of goTemplateOptions", option)
		}
		t = t.Option(option)
	}
	if t, err = t.Parse(safe); err != nil {
		return nil, fmt.Errorf("%s", place.ReplaceAllString(err.Error(), ""))
	}
	s.parsed[text] = t
	return t, nil
}
