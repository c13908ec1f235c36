// Package annotation writes findings as commands of a GitHub workflow, which GitHub shows at the lines
// of the pull request.
package annotation

import (
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// maxOfLevel is how many annotations of one level GitHub shows for a step (docs.github.com, "Workflow
// commands for GitHub Actions"); it drops more in silence.
const maxOfLevel = 10

// Plan writes the new findings of a diff, what it does not know, and its problems, after a line with its headline.
func Plan(w io.Writer, doc *plan.Plan, _ outline.Style) error {
	return write(w, outline.PlanVerdict(doc), outline.WithUnknown(doc), doc.Problems)
}

// Check writes the findings and problems of a check.
func Check(w io.Writer, doc *plan.Check, _ outline.Style) error {
	all := outline.FindingsIn(outline.CheckFindings(doc), func(*plan.Finding) bool { return true })
	return write(w, outline.CheckVerdict(doc), all, doc.Problems)
}

func write(w io.Writer, verdict string, findings []outline.FoundIn, problems []plan.Problem) error {
	var b strings.Builder
	fmt.Fprintf(&b, "gwplan: %s\n", outline.Safe(verdict))
	shown, left := map[string]int{}, map[string]int{}
	add := func(level, file string, line, column int, title, message string) {
		if shown[level] == maxOfLevel {
			left[level]++
			return
		}
		shown[level]++
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", level, place(file, line, column), property(title), data(message))
	}
	for _, f := range findings {
		at := outline.InHead(f.Finding)
		message := f.Message + " [" + f.Rule + "]"
		if outline.Named(f.Environments) {
			message += " in " + strings.Join(f.Environments, ", ")
		}
		add(levelOf(f.Severity), at.File, at.Line, at.Column, outline.Title(f.Finding), message)
	}
	for i := range problems {
		p := &problems[i]
		at, message := outline.ProblemInHead(p)
		if p.Hint != "" {
			message += "; " + p.Hint
		}
		add(levelOf(plan.Severity(p.Severity)), at.File, at.Line, at.Column, problemTitle(p), message)
	}
	for _, level := range []string{"error", "warning", "notice"} {
		if n := left[level]; n > 0 {
			fmt.Fprintf(&b, "and %s that GitHub would not show\n", spelling.Count(n, "more "+level))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// problemTitle is the title of the annotation for a problem.
func problemTitle(p *plan.Problem) string {
	if plan.Severity(p.Severity) == plan.Note {
		return "gwplan: " + p.Code
	}
	return "gwplan could not read everything"
}

func levelOf(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "error"
	case plan.Warning:
		return "warning"
	case plan.Note, plan.Off:
	}
	return "notice"
}

// place writes where an annotation shows. Without a file it shows at the run.
func place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	text := "file=" + property(file) + ","
	if line > 0 {
		text += fmt.Sprintf("line=%d,", line)
	}
	if line > 0 && column > 0 {
		text += fmt.Sprintf("col=%d,", column)
	}
	return text
}

// maxMessage is how long a message may be, in characters; GitHub cuts at 4 KiB.
const maxMessage = 1000

// data escapes the text of a command (actions/toolkit, packages/core/src/command.ts, escapeData).
func data(s string) string {
	s = outline.Clamp(outline.Safe(s), maxMessage)
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// maxTitle is how long a title or a path may be, in characters.
const maxTitle = 255

// property escapes a property of a command (the same, escapeProperty).
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(outline.Clamp(s, maxTitle)))
}
