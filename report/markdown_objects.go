package report

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// manyObjects is how many objects in a row come or go before they share one
// section: a new platform is one thing to review, not forty.
const manyObjects = 4

// sections writes each group, and runs of objects that came or went as lists.
func (m *planMarkdown) sections(all []*group) []string {
	var sections []string
	for i := 0; i < len(all); {
		n := run(all[i:])
		if n < manyObjects {
			n = 1
			sections = append(sections, m.section(len(sections)+1, all[i]))
		} else {
			sections = append(sections, m.objects(len(sections)+1, all[i:i+n]))
		}
		i += n
	}
	return sections
}

// run counts the groups at the start of a list that are one object each, all
// new or all gone.
func run(list []*group) int {
	n := 0
	for n < len(list) && list[n].isObject() && list[n].Outcomes[0].Change.Kind == list[0].Outcomes[0].Change.Kind {
		n++
	}
	return n
}

// isObject says whether a group holds one object that came or went and nothing else.
func (g *group) isObject() bool {
	if len(g.Policies) > 0 || len(g.Kept) > 0 || len(g.Outcomes) != 1 || len(g.Outcomes[0].Targets) != 1 {
		return false
	}
	c := g.Outcomes[0].Change
	return c.PolicyKind == nil && (c.Kind == plan.Added || c.Kind == plan.Removed)
}

func (m *planMarkdown) objects(number int, list []*group) string {
	var lines []string
	for _, g := range list {
		lines = append(lines, m.object(g))
	}
	title := fmt.Sprintf("#### %d. %s %s\n", number, count(len(list), "object"), kindWord(list[0].Outcomes[0].Change.Kind))
	return join([]string{title, m.list(lines, "object")})
}

// object writes an object on one line: its name, its place and what it brings.
func (m *planMarkdown) object(g *group) string {
	const shown = 3
	o := g.Outcomes[0]
	t := o.Targets[0]
	text := mdCode(t.name()) + t.flags()
	if place := strings.TrimSpace(m.causePlaces(g.Causes)); place != "" {
		text += " " + place
	}
	paths := fieldPaths(o.Change.Fields)
	for i := range o.Change.Fields[:min(len(paths), shown)] {
		f := &o.Change.Fields[i]
		bText, aText := sideTexts(f, maxCell)
		if !after(f).Set {
			aText = bText
		}
		text += " · " + mdCode(paths[i]+": "+aText)
	}
	if rest := len(paths) - shown; rest > 0 {
		text += fmt.Sprintf(" +%d", rest)
	}
	return text + environmentsText(o.Environments, mdCode)
}
