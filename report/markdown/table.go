package markdown

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report/outline"
)

// tables writes what one cause brought about: for each outcome a line with its targets, and a line for
// each field. A list wraps on a narrow screen, where a table hides what is after its first column.
type tables struct {
	*markdown
}

func (m *tables) causeTitle(g *outline.Group) string {
	if len(g.Causes) == 0 {
		return "Cause not known"
	}
	object := g.Causes[0].Object
	title := mdCode(outline.NodeName(object))
	for _, p := range g.Policies {
		if p.Change.Policy != object {
			continue
		}
		title += " · " + outline.PolicyAction(p.Change)
		verdict := p.Change.Before
		if verdict == nil {
			verdict = p.Change.After
		}
		if verdict != nil && len(verdict.Targets) > 0 {
			title += " · attached to " + mdCode(outline.NodeName(verdict.Targets[0].Target))
		}
		break
	}
	return title + spelling.More(len(g.Causes)-1)
}

// causePlaces lists the edited lines.
func (m *tables) causePlaces(causes []plan.Cause) string {
	var places []string
	causes = outline.EditedLines(causes)
	for _, c := range causes[:min(len(causes), outline.OpenRows)] {
		place := m.place(c.File, c.Line, c.Side, mdCode)
		if place == "" {
			continue
		}
		if c.Side == plan.InBase {
			place += " (base)"
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		return ""
	}
	return "at " + strings.Join(places, ", ")
}

// outcome writes one outcome. It names the environments unless they are those of the whole section.
func (m *tables) outcome(o *outline.Outcome, section []string) string {
	title := "**" + mdCode(outline.OutcomeTitle(o.Change)) + "**"
	more := ""
	if o.Change.Kind != plan.Moved {
		var line string
		line, more = m.targets(o)
		title += line
	}
	if !slices.Equal(o.Environments, section) {
		title += environmentsText(o.Environments, mdCode)
	}
	if comes(o.Change) && len(o.Change.Fields) > 0 {
		return join([]string{title + m.settings(o.Change) + "\n", more})
	}
	rows := m.fieldRows(o.Change)
	if o.Change.Kind == plan.Moved {
		rows = m.movedRows(o)
	}
	if len(rows) == 0 {
		return join([]string{title + "\n", more})
	}
	shown := min(len(rows), outline.OpenRows)
	parts := []string{title + "\n", more, strings.Join(rows[:shown], "")}
	if rest := rows[shown:]; len(rest) > 0 {
		parts = append(parts, m.rest(len(rest), map[bool]string{true: "target", false: "field"}[o.Change.Kind == plan.Moved], strings.Join(rest, "")))
	}
	return join(parts)
}

// comes reports whether all fields of a change come or go with its targets: a list says enough.
func comes(c *plan.Change) bool {
	return slices.Contains([]plan.ChangeKind{plan.Added, plan.Attached, plan.Removed, plan.Detached}, c.Kind) &&
		!slices.ContainsFunc(c.Fields, func(f plan.Field) bool { return outline.Before(&f).Set && outline.After(&f).Set })
}

// settings lists the first fields of a change with their only values.
func (m *tables) settings(c *plan.Change) string {
	const shown = 3
	var b strings.Builder
	paths := outline.FieldPaths(c.Fields)
	for i := range c.Fields[:min(len(paths), shown)] {
		f := &c.Fields[i]
		before, text := outline.SideTexts(f, outline.MaxCell)
		side, revision := outline.After(f), plan.InHead
		if !side.Set {
			side, text, revision = outline.Before(f), before, plan.InBase
		}
		b.WriteString(" · " + mdCode(paths[i]+": "+text))
		if side.Source != nil && m.step < plainCells {
			if place := m.place(side.Source.File, side.Source.Line, revision, mdCode); place != "" {
				b.WriteString(" " + place)
			}
		}
	}
	if rest := len(paths) - shown; rest > 0 {
		fmt.Fprintf(&b, " +%d", rest)
	}
	return b.String()
}

// fieldRows are a line for each field.
func (m *tables) fieldRows(c *plan.Change) []string {
	var rows []string
	paths := outline.FieldPaths(c.Fields)
	for i := range c.Fields {
		f := &c.Fields[i]
		before, after := outline.SideTexts(f, outline.MaxCell)
		rows = append(rows, "- "+shortCode(paths[i])+": "+m.side(outline.Before(f), before, plan.InBase)+" → "+m.side(outline.After(f), after, plan.InHead)+"\n")
	}
	return rows
}

// side is the value of a field in one revision, with its place.
func (m *tables) side(s outline.Side, text, revision string) string {
	if !s.Set {
		return "*" + outline.Unset + "*"
	}
	cell := shortCode(text)
	if s.Source == nil || s.Source.File == "" {
		return cell
	}
	if m.step >= plainCells {
		return cell + " " + mdCode(outline.PositionName(path.Base(s.Source.File), s.Source.Line, 0))
	}
	if place := m.place(s.Source.File, s.Source.Line, revision, mdCode); place != "" {
		cell += " " + place
	}
	return cell
}

// movedRows show the parents of each route before and after.
func (m *tables) movedRows(o *outline.Outcome) []string {
	var rows []string
	for i, t := range o.Targets {
		name := m.target(o, t, shortCode)
		if m.step == onlyCounts && i == 0 {
			name += spelling.More(len(o.Targets) - 1)
		}
		rows = append(rows, "- "+name+": "+parentText(t.Example.ContextsBefore)+" → "+parentText(t.Example.Contexts)+"\n")
		if m.step == onlyCounts {
			break
		}
	}
	return rows
}

// parentText writes the parent of the first route of each context, or of the last node if it has none.
func parentText(contexts [][]string) string {
	var ways []string
	for _, c := range contexts {
		i := slices.IndexFunc(c, func(node string) bool { return loader.IsRoute(loader.KindOf(node)) })
		if i < 0 {
			i = len(c) - 1
		}
		if i > 0 {
			ways = outline.AppendNew(ways, shortCode(outline.NodeName(c[i-1])))
		}
	}
	if len(ways) == 0 {
		return "*none*"
	}
	return outline.Few(ways)
}
