package report_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// Reports that are shown beside the lines of head have no line for a problem of base.
func TestProblemsOfBaseHaveNoPlaceInHead(t *testing.T) {
	for format, place := range map[string]string{"github": "file=", "gitlab": `"path": "gone.yaml"`, "junit": `file="`} {
		for _, c := range []struct{ file, side, want string }{
			{"gone.yaml", "base", "before the change, gone.yaml:7:2: is broken"},
			{"", "base", "before the change: is broken"},
			{"gone.yaml", "head", "is broken"},
		} {
			doc := withChanges()
			doc.Environments = nil
			doc.Problems = []plan.Problem{{Severity: "error", Code: "yaml-syntax", Side: c.side, File: c.file, Line: 7, Column: 2, Message: "is broken"}}
			out := planAs(t, format, doc, outline.Style{})
			if !strings.Contains(out, c.want) {
				t.Errorf("%s: no %q in\n%s", format, c.want, out)
			}
			if has := strings.Contains(out, place); has != (c.side == "head") {
				t.Errorf("%s: a place in head is %t for a problem of %s:\n%s", format, has, c.side, out)
			}
		}
	}
}
