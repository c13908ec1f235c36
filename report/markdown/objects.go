package markdown

import (
	"fmt"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// manyObjects is the smallest number of consecutive added or removed objects that share one
// section: a new platform is one thing to review, not forty.
const manyObjects = 4

// sections writes each group as a section, and longer runs of added or removed objects as lists.
func (m *planMarkdown) sections(all []*outline.Group) []string {
	var sections []string
	left := m.style.ByteLimit() * max(m.style.Part.Of, 1)
	for i := 0; i < len(all); {
		n := run(all[i:])
		if n < manyObjects {
			n = 1
		}
		// Sections after those that fill the document are counted only: of a plan of many changes, all
		// others are dropped.
		section := ""
		switch {
		case left < 0:
		case n == 1:
			section = m.section(len(sections)+1, all[i])
		default:
			section = m.objects(len(sections)+1, all[i:i+n])
		}
		sections = append(sections, section)
		left -= len(section)
		i += n
	}
	return sections
}

// run counts the groups at the start of a list that hold one object each, all added or all removed.
func run(list []*outline.Group) int {
	n := 0
	for n < len(list) && list[n].IsObject() && list[n].Outcomes[0].Change.Kind == list[0].Outcomes[0].Change.Kind {
		n++
	}
	return n
}

func (m *planMarkdown) objects(number int, list []*outline.Group) string {
	var lines []string
	for _, g := range list {
		lines = append(lines, m.object(g))
	}
	title := fmt.Sprintf("#### %d. %s %s\n", number, spelling.Count(len(list), "object"), outline.KindWord(list[0].Outcomes[0].Change.Kind))
	return join([]string{title, m.list(lines, "object")})
}

// object writes an object on one line: its name, its place and its first fields.
func (m *planMarkdown) object(g *outline.Group) string {
	const shown = 3
	o := g.Outcomes[0]
	t := o.Targets[0]
	text := mdCode(t.Name()) + t.Flags()
	if place := m.causePlaces(g.Causes); place != "" {
		text += " " + place
	}
	paths := outline.FieldPaths(o.Change.Fields)
	for i := range o.Change.Fields[:min(len(paths), shown)] {
		f := &o.Change.Fields[i]
		bText, aText := outline.SideTexts(f, outline.MaxCell)
		if !outline.After(f).Set {
			aText = bText
		}
		text += " · " + mdCode(paths[i]+": "+aText)
	}
	if rest := len(paths) - shown; rest > 0 {
		text += fmt.Sprintf(" +%d", rest)
	}
	return text + environmentsText(o.Environments, mdCode)
}
