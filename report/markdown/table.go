package markdown

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// tables writes what one cause brought about as tables.
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
	if rest := len(g.Causes) - 1; rest > 0 {
		title += fmt.Sprintf(" and %d more", rest)
	}
	return title
}

// causePlaces lists the edited lines.
func (m *tables) causePlaces(causes []plan.Cause) string {
	var places []string
	for _, c := range causes[:min(len(causes), outline.OpenRows)] {
		place := m.place(c.File, c.Line, c.Side, mdCode)
		if place == "" {
			continue
		}
		if c.Side == "base" {
			place += " (base)"
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		return ""
	}
	return "at " + strings.Join(places, ", ") + "\n"
}

// outcome writes one table: a row for each field of the first target, then a row for each other
// target with the same fields, then the targets that keep their values.
func (m *tables) outcome(o *outline.Outcome, kept []*outline.TargetLine) string {
	title := "**" + mdCode(outline.OutcomeTitle(o.Change)) + "**"
	title += environmentsText(o.Environments, mdCode)
	rows := append(m.rows(o), m.keptRows(kept)...)
	const header = "| Target | Field | Before | After |\n|---|---|---|---|\n"
	shown := min(len(rows), outline.OpenRows)
	parts := []string{title + "\n", header + strings.Join(rows[:shown], "")}
	if rest := rows[shown:]; len(rest) > 0 {
		parts = append(parts, m.rest(len(rest), "row", header+strings.Join(rest, "")))
	}
	return join(parts)
}

func (m *tables) rows(o *outline.Outcome) []string {
	if o.Change.Kind == plan.Moved {
		return m.movedRows(o)
	}
	fields := m.fieldCells(o.Change)
	targets := o.Targets
	first := m.targetCell(o, targets)
	var rows []string
	for _, cells := range fields {
		rows = append(rows, "| "+first+" | "+cells+" |\n")
		first = ""
	}
	if m.step == onlyCounts {
		return rows
	}
	same := "*same*"
	if len(o.Change.Fields) > 1 {
		same = fmt.Sprintf("*same %d fields*", len(o.Change.Fields))
	}
	for i := range targets {
		if i > 0 {
			rows = append(rows, "| "+m.targetCell(o, targets[i:])+" | "+same+" | | |\n")
		}
	}
	return rows
}

// keptRows are rows for the first targets that the edit reaches but whose values stay the same.
func (m *tables) keptRows(kept []*outline.TargetLine) []string {
	if m.step == onlyCounts {
		return nil
	}
	var rows []string
	n := min(len(kept), outline.OpenRows)
	for _, t := range kept[:n] {
		cell := cellCode(t.Name())
		if extent := t.Extent(); extent != "" {
			cell += " · " + extent
		}
		rows = append(rows, "| "+cell+" | – | *its own* | *unchanged: another policy decides there* |\n")
	}
	if rest := len(kept) - n; rest > 0 {
		rows = append(rows, fmt.Sprintf("| *and %d more* | – | *their own* | *unchanged* |\n", rest))
	}
	return rows
}

// fieldCells are the last three cells of each row of the first target.
func (m *tables) fieldCells(c *plan.Change) []string {
	var cells []string
	paths := outline.FieldPaths(c.Fields)
	for i := range c.Fields {
		f := &c.Fields[i]
		bText, aText := outline.SideTexts(f, outline.MaxCell)
		cells = append(cells, cellCode(paths[i])+" | "+m.sideCell(outline.Before(f), bText, "base")+" | "+m.sideCell(outline.After(f), aText, "head"))
	}
	if len(cells) == 0 {
		return []string{"*" + outline.KindWord(c.Kind) + "* | | "}
	}
	return cells
}

func (m *tables) sideCell(s outline.Side, text, revision string) string {
	if !s.Set {
		return "*" + outline.Unset + "*"
	}
	cell := cellCode(text)
	if s.Source == nil || s.Source.File == "" {
		return cell
	}
	if m.step >= plainCells {
		return cell + " " + cellCode(outline.PlaceName(path.Base(s.Source.File), s.Source.Line, 0))
	}
	if place := m.place(s.Source.File, s.Source.Line, revision, cellCode); place != "" {
		cell += " " + place
	}
	return cell
}

// movedRows show the parents of each route before and after.
func (m *tables) movedRows(o *outline.Outcome) []string {
	var rows []string
	for i, t := range o.Targets {
		rows = append(rows, "| "+m.targetCell(o, o.Targets[i:])+" | *moved* | "+
			wayCell(t.Example.ContextsBefore)+" | "+wayCell(t.Example.Contexts)+" |\n")
		if m.step == onlyCounts {
			break
		}
	}
	return rows
}

// wayCell writes the parent of the first route of each context, or of the last node if it has none.
func wayCell(contexts [][]string) string {
	var ways []string
	for _, c := range contexts {
		i := slices.IndexFunc(c, func(node string) bool { return strings.HasSuffix(outline.NodeKind(node), "Route") })
		if i < 0 {
			i = len(c) - 1
		}
		if i > 0 {
			ways = outline.AppendNew(ways, cellCode(outline.NodeName(c[i-1])))
		}
	}
	if len(ways) == 0 {
		return "*none*"
	}
	return outline.Few(ways)
}

// targetCell names the first of some targets. In the last step of size reduction it also counts the
// others.
func (m *tables) targetCell(o *outline.Outcome, targets []*outline.TargetLine) string {
	if len(targets) == 0 {
		return ""
	}
	t := targets[0]
	if m.step == onlyCounts && len(targets) > 1 {
		return cellCode(t.Name()) + fmt.Sprintf(" and %d more", len(targets)-1)
	}
	cell := cellCode(t.Name())
	if extent := t.Extent(); extent != "" {
		cell += " · " + extent
	}
	cell += t.Flags()
	if len(t.Environments) < len(o.Environments) {
		cell += environmentsText(t.Environments, cellCode)
	}
	return cell
}
