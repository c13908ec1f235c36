package release

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// ValuesFile merges a file of the tree over the values so far. It returns false if the file does
// not exist or is unreadable.
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

// InText returns values that are written as a text inside a file, with positions in that file. In a
// literal block each value has its own position, otherwise all have the position of the text.
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
