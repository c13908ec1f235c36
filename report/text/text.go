// Package text writes documents for a terminal.
package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// page collects text for a terminal. It makes printed text safe first and colours it afterwards, so
// that only gwplan's own codes reach the terminal. Colour never carries meaning alone.
type page struct {
	bytes.Buffer
	style outline.Style
}

// The colours are SGR parameters.
const (
	plainText = ""
	bold      = "1"
	dim       = "2"
	red       = "31"
	green     = "32"
	yellow    = "33"
	cyan      = "36"
)

// paint makes a string safe and colours it.
func (p *page) paint(color, s string) string {
	s = outline.Safe(s)
	if !p.style.Color || color == plainText || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// line prints one line, made safe, in one colour.
func (p *page) line(color, format string, args ...any) {
	p.WriteString(p.paint(color, fmt.Sprintf(format, args...)) + "\n")
}

// parts prints one line of pieces that were painted already.
func (p *page) parts(indent string, pieces ...string) {
	p.WriteString(strings.TrimRight(indent+strings.Join(pieces, ""), " ") + "\n")
}

// flush writes the page. GitHub Actions executes a line that begins with `::` as a command, even if
// it is indented (CVE-2020-15228), so flush disables commands around the text.
func (p *page) flush(w io.Writer) error {
	text := p.String()
	if p.style.Width > 0 && p.style.StopCommands == "" {
		text = outline.Wrap(text, p.style.Width)
	}
	if token := p.style.StopCommands; token != "" {
		text = "::stop-commands::" + token + "\n" + text + "::" + token + "::\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// more prints how many entries are not shown.
func (p *page) more(indent string, total, shown int) {
	if total > shown {
		p.line(dim, "%sand %d more", indent, total-shown)
	}
}

// pad fills a column. It counts wide characters as one, which is good enough for names.
func pad(s string, width int) string {
	if n := utf8.RuneCountInString(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// environmentsSuffix writes " [prod, staging]" if the output should name the environments.
func environmentsSuffix(environments []string) string {
	if !outline.Named(environments) {
		return ""
	}
	return " [" + strings.Join(environments, ", ") + "]"
}

func severityColor(s plan.Severity) string {
	switch s {
	case plan.Error:
		return red
	case plan.Warning:
		return yellow
	case plan.Note, plan.Off:
		return cyan
	}
	return plainText
}

// findings prints one line for each finding or group of similar findings.
func (p *page) findings(indent string, list []outline.FoundIn) {
	if p.style.Detail == outline.Verbose {
		for _, f := range list {
			p.finding(indent, f)
		}
		return
	}
	for _, a := range outline.Alike(list) {
		p.finding(indent, a[0])
		if len(a) > 1 {
			p.line(dim, "%s    %s", indent, outline.Elsewhere(a))
		}
	}
}

// finding prints `file:line:col: severity: message [rule]`, as compilers do.
func (p *page) finding(indent string, f outline.FoundIn) {
	place := outline.PositionName(f.File, f.Line, f.Column)
	if f.Side == plan.InBase {
		place += " (base)"
	}
	if f.File == "" {
		place = f.Target
	}
	p.parts(indent,
		p.paint(bold, place), ": ", p.paint(severityColor(f.Severity), string(f.Severity)), ": ",
		p.paint(plainText, outline.ShortPath(f.Message)), p.paint(dim, " ["+f.Rule+"]"+environmentsSuffix(f.Environments)))
	if p.style.Detail != outline.Verbose {
		return
	}
	for _, r := range f.Related {
		place := outline.PositionName(r.File, r.Line, r.Column)
		if r.Side == plan.InBase {
			place += " (base)"
		}
		p.line(dim, "%s    %s: %s", indent, place, r.Message)
	}
}

func (p *page) problems(list []plan.Problem) {
	p.section("Problems", len(list))
	p.problemLines(list)
}

func (p *page) problemLines(list []plan.Problem) {
	n := p.style.Open(len(list))
	for i := range list[:n] {
		p.line(severityColor(plan.Severity(list[i].Severity)), "  %s", outline.ProblemText(&list[i]))
	}
	p.more("  ", len(list), n)
}

func (p *page) notes(list []string) {
	if p.style.Detail == outline.Quiet {
		return
	}
	p.section("Notes", len(list))
	n := p.style.Open(len(list))
	for _, note := range list[:n] {
		p.line(dim, "  %s", note)
	}
	p.more("  ", len(list), n)
}

// section prints a title after a blank line, or nothing if the section is empty.
func (p *page) section(title string, entries int) {
	if entries == 0 {
		return
	}
	p.gap()
	p.line(bold, "%s", title)
}

// gap prints a blank line between blocks.
func (p *page) gap() {
	if p.Len() > 0 {
		p.WriteString("\n")
	}
}
