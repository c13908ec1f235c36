// Package codequality writes findings as a Code Quality report of GitLab, which shows them in the merge
// request (docs.gitlab.com, "Code Quality", report format).
package codequality

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/data"
	"github.com/gwplan/gwplan/report/outline"
)

// issue is one entry of a report.
type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
}

// Plan writes the new findings of a diff, what it does not know, and its problems.
func Plan(w io.Writer, doc *plan.Plan, _ outline.Style) error {
	return write(w, outline.WithUnknown(doc), doc.Problems)
}

// Check writes the findings and problems of a check.
func Check(w io.Writer, doc *plan.Check, _ outline.Style) error {
	all := outline.FindingsIn(outline.CheckFindings(doc), func(*plan.Finding) bool { return true })
	return write(w, all, doc.Problems)
}

func write(w io.Writer, findings []outline.FoundIn, problems []plan.Problem) error {
	issues := []issue{}
	seen := map[string]int{}
	add := func(severity plan.Severity, name, description, file string, line int, fingerprint string) {
		// GitLab drops issues with a fingerprint that it has.
		seen[fingerprint]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", fingerprint, seen[fingerprint]))
		if file == "" {
			file = "." // the report needs a path
		}
		issues = append(issues, issue{
			Description: outline.Clamp(outline.Safe(description), maxDescription), CheckName: outline.Safe(name), Severity: severityOf(severity),
			Fingerprint: hex.EncodeToString(sum[:16]), Location: location{Path: outline.Safe(file), Lines: lines{Begin: max(line, 1)}},
		})
	}
	for _, f := range findings {
		at := outline.InHead(f.Finding)
		message := f.Message
		if outline.Named(f.Environments) {
			message += " (" + outline.Few(f.Environments) + ")"
		}
		add(f.Severity, f.Rule, message, at.File, at.Line, f.Fingerprint)
	}
	for i := range problems {
		p := &problems[i]
		at, message := outline.ProblemInHead(p)
		add(plan.Severity(p.Severity), p.Code, message, at.File, at.Line, p.Code+" "+p.File+" "+p.Message)
	}
	return data.WriteJSON(w, issues)
}

// maxDescription is how long a description may be, in characters.
const maxDescription = 1000

func severityOf(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "critical"
	case plan.Warning:
		return "major"
	case plan.Note, plan.Off:
	}
	return "info"
}
