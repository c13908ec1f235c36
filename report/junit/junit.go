// Package junit writes findings as JUnit XML, which most CI systems show as test results.
//
// An error is a failed test, a problem of this severity a test with an error. Warnings and notes pass, with their
// text as output: whether they fail a run is for --fail-on to say. What somebody accepted is skipped, with the reason.
package junit

import (
	"encoding/xml"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr,omitempty"`
	Suites   []*suite `xml:"testsuite"`
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr,omitempty"`
	Cases    []test `xml:"testcase"`
}

type test struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *outcome `xml:"failure"`
	Error   *outcome `xml:"error"`
	Skipped *skipped `xml:"skipped"`
	Output  string   `xml:"system-out,omitempty"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

type outcome struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Plan writes the new findings of a diff, what it does not know, and its problems.
func Plan(w io.Writer, doc *plan.Plan, _ outline.Style) error {
	return write(w, outline.WithUnknown(doc), doc.Silenced, doc.Problems, outline.PlanVerdict(doc))
}

// Check writes the findings and problems of a check.
func Check(w io.Writer, doc *plan.Check, _ outline.Style) error {
	all := outline.FindingsIn(outline.CheckFindings(doc), func(*plan.Finding) bool { return true })
	return write(w, all, doc.Silenced, doc.Problems, outline.CheckVerdict(doc))
}

func write(w io.Writer, findings []outline.FoundIn, silenced []plan.Silenced, problems []plan.Problem, verdict string) error {
	found, wrong := &suite{Name: "findings"}, &suite{Name: "problems"}
	for _, f := range findings {
		at := outline.InHead(f.Finding)
		text := outline.PositionName(at.File, at.Line, at.Column) + ": " + f.Message
		if outline.Named(f.Environments) {
			text += " (in " + outline.Few(f.Environments) + ")"
		}
		found.add(f.Severity, f.Rule, outline.Title(f.Finding), text, at.File, at.Line)
	}
	for i := range silenced {
		found.skip(&silenced[i])
	}
	for i := range problems {
		p := &problems[i]
		at, message := outline.ProblemInHead(p)
		wrong.add(plan.Severity(p.Severity), p.Code, message, outline.ProblemText(p), at.File, at.Line)
	}
	// A suite without tests is shown as nothing at all: the verdict is a test that passes.
	found.Cases = append([]test{{Class: "gwplan", Name: safe(verdict)}}, found.Cases...)
	found.Tests++
	for i := range wrong.Cases {
		if failed := wrong.Cases[i].Failure; failed != nil {
			wrong.Cases[i].Failure, wrong.Cases[i].Error = nil, failed
		}
	}
	wrong.Errors, wrong.Failures = wrong.Failures, 0
	all := suites{Name: "gwplan", Suites: []*suite{found}}
	if wrong.Tests > 0 {
		all.Suites = append(all.Suites, wrong)
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Skipped += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *suite) add(severity plan.Severity, class, name, text, file string, line int) {
	t := test{Class: safe(class), Name: safe(name), File: safe(file), Line: line}
	if severity == plan.Error {
		t.Failure = &outcome{Type: string(severity), Message: safe(name), Text: safe(text)}
		s.Failures++
	} else {
		t.Output = safe(string(severity) + ": " + text)
	}
	s.Tests++
	s.Cases = append(s.Cases, t)
}

// skip adds a finding that somebody accepted.
func (s *suite) skip(f *plan.Silenced) {
	s.Cases = append(s.Cases, test{
		Class: safe(f.Rule), Name: safe(outline.Title(&f.Finding)), File: safe(f.File), Line: f.Line, Skipped: &skipped{safe(outline.SilencedText(f))},
	})
	s.Tests, s.Skipped = s.Tests+1, s.Skipped+1
}

// maxText is how long a text may be, in characters.
const maxText = 2000

func safe(text string) string { return outline.Clamp(outline.Safe(text), maxText) }
