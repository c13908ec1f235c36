// Package report turns the documents of package plan into bytes, each format in a package of its
// own. It decides nothing: what it is given is sorted and redacted already, counts come from the
// documents' summaries, and equal input gives equal bytes, without dates. For the eye, text and
// Markdown fold what is equal and begin with the worst; JSON and SARIF hold everything in the
// order of the document.
//
// Everything in a document may have been written by a stranger: names, paths, values, messages,
// also the commit and the version of a plan that was read back. So every string passes one of
// the writers of outline/safe.go (terminals) or markdown/safe.go on its way out; JSON and SARIF
// escape on their own.
package report

import (
	"io"
	"slices"

	"github.com/gwplan/gwplan/report/outline"
)

// Document is something that gwplan prints, with the formats that it is offered in, the default first. A new document
// is declared in documents.go and listed in Offers.
type Document[D any] struct {
	Name    string
	Writers []Writer[D]
}

// Writer writes a document in one format.
type Writer[D any] struct {
	Format string
	Write  func(io.Writer, *D, outline.Style) error
}

// Formats are the names of a document's formats.
func (d Document[D]) Formats() []string {
	names := make([]string, len(d.Writers))
	for i, w := range d.Writers {
		names[i] = w.Format
	}
	return names
}

// As finds the writer of a format, false if none exists.
func (d Document[D]) As(format string) (Writer[D], bool) {
	i := slices.IndexFunc(d.Writers, func(w Writer[D]) bool { return w.Format == format })
	if i < 0 {
		return Writer[D]{}, false
	}
	return d.Writers[i], true
}

// Offer is a document by its name and its formats.
type Offer struct {
	Document string
	Formats  []string
}

func (d Document[D]) offer() Offer { return Offer{d.Name, d.Formats()} }

// Offers lists all documents. The command line, the completion and the tests use this list.
func Offers() []Offer {
	return []Offer{
		Plan.offer(), Check.offer(), Effective.offer(), Policies.offer(), Tree.offer(), Trace.offer(), Connection.offer(), Routes.offer(), Status.offer(), Environments.offer(),
	}
}

// FormatsOf returns the formats of the document with this name, or nil.
func FormatsOf(document string) []string {
	for _, o := range Offers() {
		if o.Document == document {
			return o.Formats
		}
	}
	return nil
}
