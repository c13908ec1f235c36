package markdown

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// written renders a document as the style asks: whole, or the one part of it that Style.Part names.
func written(style outline.Style, render func(step) *blocks) string {
	if style.Part.Of <= 1 {
		return fit(style.ByteLimit(), render)
	}
	texts := divide(style, render)
	if style.Part.Number > len(texts) {
		return ""
	}
	return texts[style.Part.Number-1]
}

// divide renders a document as at most Style.Part.Of texts, each with its fences and <details> closed. It reduces the
// document only as far as is needed for that many. If even the last step is too long, the last text shows what fits
// and counts the others.
func divide(style outline.Style, render func(step) *blocks) []string {
	for s := everything; s <= onlyCounts; s++ {
		p := paginator{style: style, blocks: render(s)}
		if text := p.blocks.whole(); len(text) <= style.ByteLimit() {
			return []string{text}
		}
		if pages, left := p.fill(style.Part.Of); !slices.Contains(left, true) {
			return p.texts(pages)
		}
	}
	p := paginator{style: style, blocks: render(onlyCounts), longest: style.ByteLimit() / 2}
	pages, left := p.fill(style.Part.Of - 1)
	pages = append(pages, page{})
	texts := p.texts(pages)
	last := p.remaining(left)
	last.head = p.heading(len(pages), len(pages))
	texts[len(pages)-1] = last.cut(style.ByteLimit())
	return texts
}

// paginator divides blocks into pages.
type paginator struct {
	style  outline.Style
	blocks *blocks
	// longest is how many bytes of a notice or a list are shown, before the other lines are counted; 0 is no limit.
	longest int
}

// page is what one text holds between its heading and its end.
type page struct {
	// open comes before the sections, lists after them.
	open, sections, lists []string
}

// unit is a block that is not divided.
type unit struct {
	text string
	on   func(*page) *[]string
	// owed: without text it is a block that was not written, not one that says nothing.
	owed bool
}

// units are all blocks but head and footer, in their order.
func (p paginator) units() []unit {
	open := func(on *page) *[]string { return &on.open }
	var all []unit
	for _, n := range p.blocks.alerts {
		all = append(all, unit{text: p.lines(len(n.paragraphs), n.less(p.blocks)), on: open})
	}
	all = append(all, unit{text: p.lines(len(p.blocks.first.lines), p.blocks.first.less(p.blocks)), on: open})
	for _, s := range p.blocks.sections {
		all = append(all, unit{text: s, on: func(on *page) *[]string { return &on.sections }, owed: true})
	}
	for _, l := range p.blocks.lists {
		all = append(all, unit{text: p.lines(len(l.lines), l.less(p.blocks)), on: func(on *page) *[]string { return &on.lists }})
	}
	return all
}

// lines writes a block of n lines, shortened where that is asked for and possible.
func (p paginator) lines(n int, form func(shown int) string) string {
	if p.longest == 0 {
		return form(n)
	}
	text, _ := longest(n, p.longest, form)
	return text
}

// fill puts the units on at most so many pages, and says of each whether it is left over. A unit that is larger than a
// page leaves room for the next one.
func (p paginator) fill(most int) (pages []page, left []bool) {
	pages = []page{{}}
	room := p.room(p.blocks.head)
	next := p.room(p.heading(p.style.Part.Of, p.style.Part.Of))
	units := p.units()
	left = make([]bool, len(units))
	for i, u := range units {
		need := len(u.text) + 1
		switch {
		case u.text == "":
			left[i] = u.owed
			continue
		case need <= room:
		case need <= next && len(pages) < most:
			pages, room = append(pages, page{}), next
		default:
			left[i] = true
			continue
		}
		room -= need
		on := u.on(&pages[len(pages)-1])
		*on = append(*on, u.text)
	}
	return pages, left
}

// room is what a page with this head has for units, in bytes.
func (p paginator) room(head string) int {
	folded := p.blocks.fold(spelling.Count(len(p.blocks.sections), "more "+p.blocks.noun), "")
	return p.style.ByteLimit() - len(head) - len(p.blocks.footer) - len(p.end(p.style.Part.Of, p.style.Part.Of)) - len(folded) - 4
}

// texts writes the pages.
func (p paginator) texts(pages []page) []string {
	texts := make([]string, len(pages))
	sections := 0
	for i := range pages {
		on, n := &pages[i], i+1
		parts := []string{p.blocks.head}
		if n > 1 {
			parts[0] = p.heading(n, len(pages))
		}
		parts = append(parts, on.open...)
		parts = append(parts, p.blocks.folding(on.sections, sections)...)
		parts = append(append(parts, on.lists...), p.end(n, len(pages)))
		if n == len(pages) {
			parts = append(parts, p.blocks.footer)
		}
		texts[i] = join(parts)
		sections += len(on.sections)
	}
	return texts
}

// heading begins a page after the first.
func (p paginator) heading(n, of int) string {
	s := p.style
	s.Part = outline.Part{Number: n, Of: of}
	return s.Marker() + fmt.Sprintf("\n### gwplan, part %d of %d\n", n, of)
}

// end tells the reader of a page where the rest is.
func (p paginator) end(n, of int) string {
	if n == of {
		return ""
	}
	return fmt.Sprintf("*Part %d of %d; the next comment goes on.*\n", n, of)
}

// remaining are the blocks whose units are left over.
func (p paginator) remaining(left []bool) *blocks {
	b := *p.blocks
	var sections []string
	b.alerts, b.first, b.lists = nil, list{}, nil
	at := 0
	leftOver := func() bool { at++; return left[at-1] }
	for _, n := range p.blocks.alerts {
		if leftOver() {
			b.alerts = append(b.alerts, n)
		}
	}
	if leftOver() {
		b.first = p.blocks.first
	}
	for _, s := range p.blocks.sections {
		if leftOver() {
			sections = append(sections, s)
		}
	}
	b.earlier, b.sections = len(b.sections)-len(sections), sections
	for _, l := range p.blocks.lists {
		if leftOver() {
			b.lists = append(b.lists, l)
		}
	}
	return &b
}
