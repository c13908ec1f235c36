package release

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// ValuesFile lays a file of the tree over the values so far.
func (s *Charts) ValuesFile(v *tree.View, name string, r *deploy.Release) bool {
	if v.IDs[name] == "" {
		return false
	}
	docs, err := s.store.Documents(v, name)
	if err != nil {
		return false
	}
	for _, doc := range docs {
		r.Values = r.Values.Over(chart.Values{Root: doc, Files: []string{name}})
	}
	return true
}

// InText gives values that stand as a text in a file the places that they have
// there: each its own in a literal block, that of the text elsewhere.
func (s *Charts) InText(doc *loader.Value, id string, text *loader.Value, at loader.Position) *loader.Value {
	body := *text
	body.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
	line, column, ok := deploy.Literal(s.store.Raw[id], &body)
	if !ok {
		return deploy.Everywhere(doc, body.Mark)
	}
	return deploy.Remarked(doc, func(m loader.Mark) loader.Mark {
		return loader.Mark{Line: line + m.Line, Column: column + m.Column}
	})
}
