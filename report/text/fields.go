package text

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// fieldLine is one side of a field, printed on a separate line.
type fieldLine struct {
	color, text, place string
}

// fields writes the fields that differ. Eight fields are enough for an object's own attachment; for
// an effective policy every field matters.
func (p *planPage) fields(c *plan.Change) {
	n := len(c.Fields)
	if isAttachment(c) {
		n = p.style.Open(n)
	}
	limit := outline.MaxCell
	if p.style.Detail == outline.Verbose {
		limit = 10 * outline.MaxCell
	}
	lines := fieldLines(c, n, limit)
	width := 0
	for _, l := range lines {
		if n := len([]rune(l.text)); n <= p.style.Columns()/2 {
			width = max(width, n)
		}
	}
	for _, l := range lines {
		p.parts("     ", p.paint(l.color, pad(l.text, width)), "   ", p.paint(dim, l.place))
	}
	p.more("     ", len(c.Fields), n)
}

// isAttachment reports whether an object was added, removed or moved, with its own fields such as
// the parents of a route.
func isAttachment(c *plan.Change) bool {
	return c.PolicyKind == nil && c.Kind != plan.FieldChange && c.Kind != plan.VerdictChange
}

// fieldLines are the lines of the first n fields.
func fieldLines(c *plan.Change, n, limit int) []fieldLine {
	var lines []fieldLine
	paths := outline.FieldPaths(c.Fields)
	for i := range c.Fields[:n] {
		f := &c.Fields[i]
		b, a := outline.Before(f), outline.After(f)
		bText, aText := outline.SideTexts(f, limit)
		bPlace, aPlace := sourcePlace(b.Source), sourcePlace(a.Source)
		if isAttachment(c) {
			bPlace, aPlace = filePlace(b.Source), filePlace(a.Source)
		}
		if b.Set {
			lines = append(lines, fieldLine{red, "- " + outline.Safe(paths[i]) + ": " + bText, bPlace})
		}
		if a.Set {
			lines = append(lines, fieldLine{green, "+ " + outline.Safe(paths[i]) + ": " + aText, aPlace})
		}
	}
	return lines
}

// filePlace returns file:line of a value. It omits the object, for the case that it is the target.
func filePlace(s *plan.Source) string {
	if s == nil {
		return ""
	}
	return outline.PositionName(s.File, s.Line, 0)
}

// sourcePlace describes what set a value: file:line, policy and role.
func sourcePlace(s *plan.Source) string {
	if s == nil {
		return ""
	}
	place := filePlace(s)
	if s.Object != "" {
		place += "  " + outline.NodeName(s.Object)
	}
	return strings.TrimSpace(place + " " + outline.Role(s.Role))
}
