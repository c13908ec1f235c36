package report_test

import (
	"encoding/xml"
	"testing"

	"github.com/gwplan/gwplan/report/outline"
)

// The XML is well-formed, whatever a manifest says, and its numbers are those of its tests.
func TestJUnit(t *testing.T) {
	for name, doc := range plans() {
		for _, out := range []string{planAs(t, "junit", doc, outline.Style{}), planAs(t, "junit", hostilePlan(doc, hostile), outline.Style{})} {
			var read struct {
				Tests    int `xml:"tests,attr"`
				Failures int `xml:"failures,attr"`
				Errors   int `xml:"errors,attr"`
				Suites   []struct {
					Tests int `xml:"tests,attr"`
					Cases []struct {
						Name    string  `xml:"name,attr"`
						Failure *string `xml:"failure"`
						Error   *string `xml:"error"`
					} `xml:"testcase"`
				} `xml:"testsuite"`
			}
			if err := xml.Unmarshal([]byte(out), &read); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			tests, failures, wrong := 0, 0, 0
			for _, s := range read.Suites {
				tests += len(s.Cases)
				for _, c := range s.Cases {
					if c.Failure != nil {
						failures++
					}
					if c.Error != nil {
						wrong++
					}
				}
			}
			if tests == 0 || tests != read.Tests || failures != read.Failures || wrong != read.Errors {
				t.Errorf("%s: %d tests, %d failures, %d errors are said, %d, %d, %d are there", name, read.Tests, read.Failures, read.Errors, tests, failures, wrong)
			}
			checkTerminal(t, out)
		}
	}
}
