// Package markdown writes documents as the comment of a pull request.
package markdown

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// markdown writes one document at one step of size reduction.
type markdown struct {
	style outline.Style
	step  step
	// base and head are the commits that places link to.
	base, head string
}

// step is a degree of size reduction. Later steps omit more, until the document fits.
type step int

const (
	everything step = iota
	// noGraphs drops the mermaid graphs.
	noGraphs
	// noRest drops the folded part of tables and lists; the open rows remain.
	noRest
	// plainCells drops the links inside tables, a hundred bytes for each value. The links of the
	// causes remain.
	plainCells
	// onlyCounts replaces the targets after the first of an outcome by a count.
	onlyCounts
)

// place writes a link to a line, or file:line if no link is possible. The link text is only the
// base name of the file, because the URL contains its path.
func (m *markdown) place(file string, line int, side string, code func(string) string) string {
	if file == "" {
		return ""
	}
	commit := m.head
	if side == plan.InBase {
		commit = m.base
	}
	url := m.style.Blob(commit, file, line)
	if url == "" {
		return code(outline.PositionName(file, line, 0))
	}
	name := file[strings.LastIndexByte(file, '/')+1:]
	return "[" + code(outline.PositionName(name, line, 0)) + "](" + url + ")"
}

// alert writes a block that GitHub highlights, or bold text elsewhere. GitHub renders alerts at the
// top level only.
func (m *markdown) alert(kind string, paragraphs []string) string {
	if len(paragraphs) == 0 {
		return ""
	}
	if m.style.Flavor == outline.GitHub || m.style.Flavor == "" {
		return "> [!" + strings.ToUpper(kind) + "]\n> " + strings.Join(paragraphs, "\n>\n> ") + "\n"
	}
	return "**" + kind + ":** " + strings.Join(paragraphs, "\n\n") + "\n"
}

// folded writes a block that is initially closed. The summary is HTML, not Markdown, so it never
// contains input. The blank lines make the content Markdown again (tfnotify#5).
func (m *markdown) folded(summary, content string) string {
	if m.style.Flavor == outline.PlainMarkdown {
		return "**" + summary + "**\n\n" + content
	}
	return "<details><summary>" + summary + "</summary>\n\n" + strings.TrimSuffix(content, "\n") + "\n\n</details>\n"
}

// list writes lines as a list, at most eight of them open.
func (m *markdown) list(lines []string, noun string) string {
	if len(lines) == 0 {
		return ""
	}
	shown := min(len(lines), outline.OpenRows)
	var b strings.Builder
	for _, l := range lines[:shown] {
		b.WriteString("- " + l + "\n")
	}
	if rest := lines[shown:]; len(rest) > 0 {
		b.WriteString("\n" + m.rest(len(rest), noun, "- "+strings.Join(rest, "\n- ")+"\n"))
	}
	return b.String()
}

// rest folds the rows after the eighth, or writes only their number.
func (m *markdown) rest(n int, noun, content string) string {
	summary := fmt.Sprintf("%d more %s", n, spelling.Plural(noun))
	if n == 1 {
		summary = "1 more " + noun
	}
	if m.step >= noRest {
		return "*and " + summary + "*\n"
	}
	return m.folded(summary, content)
}

// environmentsText writes " · in `prod`, `staging`" if the output should name the environments.
func environmentsText(environments []string, code func(string) string) string {
	if !outline.Named(environments) {
		return ""
	}
	shown := min(len(environments), outline.OpenRows)
	names := make([]string, 0, shown)
	for _, e := range environments[:shown] {
		names = append(names, code(e))
	}
	return " · in " + strings.Join(names, ", ") + spelling.More(len(environments)-shown)
}

// findings writes one line for each finding or group of similar findings.
func (m *markdown) findings(list []outline.FoundIn) []string {
	var lines []string
	for _, a := range outline.AlikeAnywhere(list) {
		line := m.finding(a[0])
		if len(a) > 1 {
			line += "; " + mdText(outline.Elsewhere(a)) + m.otherPlaces(a)
		}
		lines = append(lines, line)
	}
	return lines
}

// otherPlaces names the places of findings after the first one, as far as they are others.
func (m *markdown) otherPlaces(list []outline.FoundIn) string {
	seen, more := map[string]bool{outline.PositionName(list[0].File, list[0].Line, 0): true}, 0
	var places []string
	for _, f := range list[1:] {
		name := outline.PositionName(f.File, f.Line, 0)
		if seen[name] {
			continue
		}
		if seen[name] = true; len(seen) > outline.OpenRows {
			more++
			continue
		}
		if place := m.place(f.File, f.Line, f.Side, mdCode); place != "" {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return ""
	}
	return ", at " + strings.Join(places, ", ") + spelling.More(more)
}

// finding writes one finding as a line: `**Warning** rule message · target · place`.
func (m *markdown) finding(f outline.FoundIn) string {
	text := "**" + severityWord(f.Severity) + "** " + mdCode(f.Rule) + " " + mdText(outline.ShortPath(f.Message))
	if f.Target != "" {
		text += " · " + mdCode(outline.NodeName(f.Target))
	}
	if place := m.place(f.File, f.Line, f.Side, mdCode); place != "" {
		text += " · " + place
	}
	if f.Side == plan.InBase {
		text += " (base)"
	}
	return text + environmentsText(f.Environments, mdCode)
}

func severityWord(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "Error"
	case plan.Warning:
		return "Warning"
	case plan.Note, plan.Off:
		return "Note"
	}
	return "Finding"
}

func (m *markdown) problem(p *plan.Problem) string {
	text := "**" + severityWord(plan.Severity(p.Severity)) + "** " + mdText(p.Message)
	if p.Hint != "" {
		text += "; " + mdText(p.Hint)
	}
	if place := m.place(p.File, p.Line, p.Side, mdCode); place != "" {
		text += " · " + place
	}
	if p.Side != "" {
		text += " · " + mdCode(p.Side)
	}
	return text + environmentsText(p.Environments, mdCode)
}

// footer states what was compared and by which version, and that only manifests were read.
func (m *markdown) footer(compared, version string, counts ...string) string {
	text := compared + " · gwplan " + mdText(outline.Clamp(version, outline.MaxCell)) + " · offline: manifests only, no cluster read"
	for _, c := range counts {
		text += " · " + c
	}
	if m.style.Flavor == outline.PlainMarkdown {
		return text + "\n"
	}
	return "<sub>" + text + "</sub>\n"
}

// revision names one side: its short commit, or else the revision that the user typed.
func revision(r plan.Revision) string {
	if outline.IsCommit(r.Commit) {
		return r.Commit[:7]
	}
	return r.Revision
}
