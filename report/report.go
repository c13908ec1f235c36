// Package report turns the documents of package analyze into bytes, one format
// a file. It decides nothing: what it is given is sorted and redacted already,
// counts come from the documents' summaries, and equal input gives equal bytes,
// without dates. For the eye, text and Markdown fold what is equal and begin
// with the worst; JSON and SARIF hold everything in the order of the document.
//
// Everything in a document may have been written by a stranger: names, paths,
// values, messages, also the commit and the version of a plan that was read
// back. So every string passes one of the writers of safe.go (terminals) or
// markdown_safe.go (Markdown) on its way out; JSON and SARIF escape on their own.
package report

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
)

// Format writes documents. A nil function means that the format does not offer
// that document.
type Format struct {
	Name      string
	Plan      func(io.Writer, *plan.Plan, Style) error
	Check     func(io.Writer, *plan.Check, Style) error
	Effective func(io.Writer, *plan.EffectiveList, Style) error
	Policies  func(io.Writer, *plan.PolicyList, Style) error
	Tree      func(io.Writer, *plan.Tree, Style) error
	Status    func(io.Writer, *plan.StatusList, Style) error
	// Environments is what was found in a tree.
	Environments func(io.Writer, *plan.EnvironmentList, Style) error
}

// Formats are all formats, the default first.
func Formats() []Format {
	return []Format{
		{Name: "text", Plan: textPlan, Check: textCheck, Effective: textEffective, Policies: textPolicies, Tree: textTree, Status: textStatus, Environments: textEnvironments},
		{Name: "markdown", Plan: markdownPlan, Check: markdownCheck},
		{Name: "sarif", Plan: sarifPlan, Check: sarifCheck},
		{
			Name: "json", Plan: jsonDocument[plan.Plan], Check: jsonDocument[plan.Check],
			Effective: jsonDocument[plan.EffectiveList], Policies: jsonDocument[plan.PolicyList], Tree: jsonDocument[plan.Tree],
			Status: jsonDocument[plan.StatusList], Environments: jsonDocument[plan.EnvironmentList],
		},
		{Name: "yaml", Effective: yamlEffective, Status: yamlStatus},
	}
}

// ByName finds a format.
func ByName(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Document names what a format may write.
type Document string

// The documents, one for each command that has a report.
const (
	Plan         Document = "plan"
	Check        Document = "check"
	Effective    Document = "effective"
	Policies     Document = "policies"
	Tree         Document = "tree"
	Status       Document = "status"
	Environments Document = "environments"
)

// Offers says whether a format writes a document.
func (f Format) Offers(d Document) bool {
	switch d {
	case Plan:
		return f.Plan != nil
	case Check:
		return f.Check != nil
	case Effective:
		return f.Effective != nil
	case Policies:
		return f.Policies != nil
	case Tree:
		return f.Tree != nil
	case Status:
		return f.Status != nil
	case Environments:
		return f.Environments != nil
	}
	return false
}

// Names lists the formats that offer a document, the default first.
func Names(d Document) []string {
	var names []string
	for _, f := range Formats() {
		if f.Offers(d) {
			names = append(names, f.Name)
		}
	}
	return names
}
