package report

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// unseenText says of something that changes and is not seen what is known of it.
func unseenText(u *plan.Unseen) string {
	verb := map[string]string{"added": "comes", "removed": "goes"}[u.Change]
	if verb == "" {
		verb = "changes"
	}
	switch {
	case u.LeftOut:
		return fmt.Sprintf("%s %s, and nothing deploys it", u.What, verb)
	case u.Unused:
		return fmt.Sprintf("%s %s, and nothing that was read refers to it: it may serve what was not (%s)", u.What, verb, few(u.Says))
	case u.MayMatter():
		return fmt.Sprintf("%s %s and is not rendered: it may change routes (%s)", u.What, verb, few(u.Says))
	}
	if u.Opaque {
		return fmt.Sprintf("%s %s and is not rendered: what it holds is not known", u.What, verb)
	}
	return fmt.Sprintf("%s %s and is not rendered: no key of what changes is about routes", u.What, verb)
}

// unseen lists what changes and is not seen: it stands before what is.
func (p *page) unseen(list []plan.Unseen) {
	p.section("Not seen", len(list))
	p.some(len(list), func(i int) {
		u := &list[i]
		place := placeName(u.File, u.Line, u.Column)
		if u.Side == "base" {
			place += " (base)"
		}
		p.parts("  ", p.paint(bold, place), ": ", p.paint(plainText, unseenText(u)), p.paint(dim, environmentsSuffix(u.Environments)))
	})
}

func (m *markdown) unseen(list []plan.Unseen) []string {
	var lines []string
	for i := range list {
		u := &list[i]
		line := mdText(unseenText(u))
		if place := m.place(u.File, u.Line, u.Side, mdCode); place != "" {
			line += " · " + place
		}
		lines = append(lines, line+environmentsText(u.Environments, mdCode))
	}
	return lines
}

// unseenNotes are for reports whose results need a line of head.
func unseenNotes(list []plan.Unseen) []string {
	var out []string
	for i := range list {
		out = append(out, unseenText(&list[i])+" ("+placeName(list[i].File, list[i].Line, list[i].Column)+")")
	}
	return out
}
