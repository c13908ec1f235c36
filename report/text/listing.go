package text

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// listing writes what is listed environment by environment.
type listing struct {
	*page
}

// Effective writes what applies at each target, and which line set it.
func Effective(w io.Writer, list *plan.EffectiveList, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range list.Environments {
		p.environment(env.Name, len(list.Environments))
		target := ""
		for i := range env.Effective {
			e := &env.Effective[i]
			if i == 0 || e.Target != target {
				p.gap()
				p.line(bold, "%s", e.Target)
				target = e.Target
			}
			p.effective(e)
		}
		for i := range env.Workloads {
			p.workload(&env.Workloads[i])
		}
		if len(env.Effective) == 0 && len(env.Workloads) == 0 {
			p.line(dim, "no effective policy to show in environment %s", env.Name)
		}
		p.above(env.Above)
	}
	p.nothing(len(list.Environments))
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

// above names the policies that apply to requests before they reach the selected objects.
func (p *listing) above(list []plan.Above) {
	if len(list) == 0 {
		return
	}
	p.gap()
	p.line(bold, "Before that")
	for _, a := range list {
		names := make([]string, len(a.Policies))
		for i, id := range a.Policies {
			_, names[i], _ = strings.Cut(id, "/") // the line shows the kind already
		}
		p.line(plainText, "  %s at %s: %s", a.PolicyKind.Kind, a.Target, strings.Join(names, ", "))
	}
}

func (p *listing) effective(e *plan.Effective) {
	in := " (no policy)" // controllers' defaults alone
	if e.ContextCount > 0 {
		in = " (" + spelling.Count(e.ContextCount, "context") + ")" + outline.Flags(e.Certain, e.AgeSensitive)
	}
	p.parts("  ", p.paint(cyan, e.PolicyKind.Kind), p.paint(dim, in))
	if p.style.Detail != outline.Quiet {
		p.ways("    in ", dim, e.Contexts, e.ContextCount)
	}
	p.fieldLines("    ", e.Fields)
	for _, share := range e.Policies {
		text := string(share.Enforcement)
		if share.DryRun != "" {
			text += " [" + share.DryRun + "]"
		}
		p.line(dim, "    %s: %s", share.Policy, text)
	}
}

// fieldLines prints fields with the lines that set them, in a column of their own.
func (p *page) fieldLines(indent string, fields []plan.EffectiveField) {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = outline.Safe(outline.ShortPath(f.Path)) + ": " + outline.Safe(outline.ValueText(f.Value))
	}
	p.placed(indent, texts, func(i int) string { return sourcePlace(&fields[i].Source) })
}

// placed prints lines, each with its place in a second column.
func (p *page) placed(indent string, texts []string, place func(i int) string) {
	width := 0
	for _, text := range texts {
		if n := utf8.RuneCountInString(text); n <= p.style.Columns()/2 {
			width = max(width, n)
		}
	}
	for i, text := range texts {
		at := ""
		if where := place(i); where != "" {
			at = "   # " + where
		}
		p.parts(indent, p.paint(plainText, pad(text, width)), p.paint(dim, at))
	}
}

// environment prints a title if the output should name environments.
func (p *listing) environment(name string, environments int) {
	if environments > 1 || outline.Named([]string{name}) {
		p.gap()
		p.line(bold, "environment %s", name)
	}
}

// nothing prints a message if no environment was found or selected.
func (p *listing) nothing(environments int) {
	if environments == 0 {
		p.line(dim, "nothing to show: no environment was found or chosen")
	}
}
