package text

import (
	"io"
	"strconv"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report/outline"
)

// Status writes a line for each place where a status is written: for whom,
// and the conditions; below, of those that are not well, why and where.
func Status(w io.Writer, list *plan.StatusList, style outline.Style) error {
	p := &listing{&page{style: style}}
	shown := ""
	for i := range list.Items {
		o := &list.Items[i]
		if i == 0 || o.Environment != shown {
			shown = o.Environment
			p.environment(shown, len(list.Environments))
		}
		said := reasonsSaid{}
		p.statusPlace("", o.Node, o.Status.Conditions, said)
		for _, l := range o.Status.Listeners {
			p.statusPlace("  ", "#"+l.Name+" ("+spelling.Count(l.AttachedRoutes, "route")+")", l.Conditions, said)
		}
		for _, parent := range o.Status.Parents {
			p.statusPlace("  ", "parent "+referenceText(parent.ParentRef), parent.Conditions, said)
		}
		for _, ancestor := range o.Status.Ancestors {
			p.statusPlace("  ", "ancestor "+referenceText(ancestor.AncestorRef), ancestor.Conditions, said)
		}
		if s := &o.Status; len(s.Conditions)+len(s.Listeners)+len(s.Parents)+len(s.Ancestors) == 0 {
			p.line(dim, "  no controller writes a status")
		}
	}
	if len(list.Items) == 0 {
		p.line(dim, "no Gateway API objects or policies to show")
	}
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

// reasonsSaid holds the messages of one object that were already written, with the lines to change.
// The references of a route have the same result for each parent.
type reasonsSaid map[string]bool

// first reports whether a message must be written, and records it.
func (s reasonsSaid) first(c *plan.Condition) bool {
	key := c.Message + "\x00" + c.At.String()
	if c.Message == "" || s[key] {
		return false
	}
	s[key] = true
	return true
}

func (p *page) statusPlace(indent, name string, conditions []plan.Condition, said reasonsSaid) {
	color := plainText
	if indent == "" {
		color = bold
	}
	parts := []string{p.paint(color, name)}
	for i := range conditions {
		parts = append(parts, p.conditionWord(&conditions[i]))
	}
	p.parts(indent, parts...)
	if p.style.Detail == outline.Quiet {
		return
	}
	for i := range conditions {
		if c := &conditions[i]; (c.Bad || c.Status == "Unknown" || c.Type == "Overridden" && c.Message != "") && said.first(c) {
			at := ""
			if c.At.Line > 0 {
				at = "   # " + c.At.String()
			}
			p.parts(indent+"    ", p.paint(plainText, c.Type+": "+c.Message), p.paint(dim, outline.Flags(true, c.AgeSensitive)+at))
		}
	}
}

func (p *page) conditionWord(c *plan.Condition) string {
	text, color := "  "+c.Type+"="+c.Status, green
	if c.Reason != c.Type {
		text += "/" + c.Reason
	}
	switch {
	case c.Bad:
		color = red
	case c.Status == "Unknown":
		color = yellow
	}
	return p.paint(color, text)
}

func referenceText(r plan.Reference) string {
	text := r.Name // a placeholder for an ancestor has no kind
	if r.Kind != "" {
		text = loader.ID{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}.String()
	}
	if r.SectionName != "" {
		text += "#" + r.SectionName
	}
	if r.Port != 0 {
		text += ":" + strconv.Itoa(r.Port)
	}
	return text
}
