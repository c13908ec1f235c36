package markdown

import (
	"fmt"
	"sort"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
)

// blocks is a document in pieces. Each piece is kept or dropped as a whole, so that every opened
// fence and <details> is closed.
type blocks struct {
	// head and footer are never dropped.
	head, footer string
	alerts       []notice
	// first is a list before the sections.
	first    list
	sections []string
	// earlier is how many sections stand in other texts, before this one.
	earlier int
	// noun is the word for a section, such as "cause".
	noun  string
	lists []list
	write func(lines []string, noun string) string
	// alert writes paragraphs as a box that stands out.
	alert func(kind string, paragraphs []string) string
	// fold folds what a summary names.
	fold func(summary, content string) string
}

// openSections is how many sections are not folded.
const openSections = 3

// list is a list of lines at the end of a document, with a title, or without one below the number of its lines, folded.
type list struct {
	title, noun string
	lines       []string
	// of is how many there are if the lines are not all of them, else 0.
	of int
}

// notice is a box above everything else. All of its paragraphs are shown where they fit.
type notice struct {
	kind, noun string
	paragraphs []string
}

// fit renders the document with increasing steps until it fits. If even the last step is too long,
// it drops whole blocks.
func fit(limit int, render func(step) *blocks) string {
	for s := everything; s < onlyCounts; s++ {
		if text := render(s).whole(); len(text) <= limit {
			return text
		}
	}
	b := render(onlyCounts)
	if text := b.whole(); len(text) <= limit {
		return text
	}
	return b.cut(limit)
}

// whole joins all blocks.
func (b *blocks) whole() string {
	parts := []string{b.head}
	for _, n := range b.alerts {
		parts = append(parts, b.alert(n.kind, n.paragraphs))
	}
	parts = append(append(parts, b.list(b.first)), b.folding(b.sections, b.earlier)...)
	for _, l := range b.lists {
		parts = append(parts, b.list(l))
	}
	return join(append(parts, b.footer))
}

// folding folds all but the first sections of a document, of which some stand in earlier texts.
func (b *blocks) folding(sections []string, earlier int) []string {
	open := max(openSections-earlier, 0)
	more := len(sections) - open
	if more <= 0 {
		return sections
	}
	return append(sections[:open:open], b.fold(spelling.Count(more, "more "+b.noun), join(sections[open:])))
}

func (b *blocks) list(l list) string {
	if len(l.lines) == 0 {
		return ""
	}
	if l.title == "" {
		return b.fold(spelling.Count(max(len(l.lines), l.of), l.noun), "- "+strings.Join(l.lines, "\n- ")+"\n")
	}
	return "#### " + l.title + "\n\n" + b.write(l.lines, l.noun)
}

// join separates blocks by a blank line each.
func join(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(p)
	}
	return b.String()
}

// cut keeps what fits, in this order: head and footer, notices, the first list, sections from the first on, lists. Of
// notices and lists it shows the first lines and counts the others; a section that does not fit leaves room for the
// next one.
func (b *blocks) cut(limit int) string {
	left := limit - len(b.head) - len(b.footer) - len(b.shown(len(b.sections))) - 3 - len(b.fold(strings.Repeat("0", 20), ""))
	take := func(block string) bool {
		if block == "" || len(block)+1 > left {
			return false
		}
		left -= len(block) + 1
		return true
	}
	// most is the longest form of a block that fits, of n lines at first; "" if not even its number fits.
	most := func(n int, form func(shown int) string) string {
		if text, fits := longest(n, left-1, form); fits && take(text) {
			return text
		}
		return ""
	}
	// What a list does not show it counts, so each has room for its number.
	number := func(l list) int {
		if len(l.lines) == 0 {
			return 0
		}
		return len(l.less(b)(0)) + 1
	}
	for _, l := range append(b.lists, b.first) {
		left -= number(l)
	}
	parts := []string{b.head}
	for _, n := range b.alerts {
		parts = append(parts, most(len(n.paragraphs), n.less(b)))
	}
	left += number(b.first)
	parts = append(parts, most(len(b.first.lines), b.first.less(b)))
	lists := 0
	for _, l := range b.lists {
		lists += len(b.list(l))
	}
	reserved := min(left/3, lists)
	left -= reserved
	var sections []string
	for _, section := range b.sections {
		if take(section) {
			sections = append(sections, section)
		}
	}
	left += reserved
	parts = append(append(parts, b.folding(sections, b.earlier)...), b.shown(len(sections)))
	for _, l := range b.lists {
		left += number(l)
		parts = append(parts, most(len(l.lines), l.less(b)))
	}
	return join(append(parts, b.footer))
}

// longest is the longest form of a block of n lines within so many bytes; false if not even its number fits.
func longest(n, bytes int, form func(shown int) string) (string, bool) {
	hidden, fits := sort.Find(n+1, func(hidden int) int {
		if len(form(n-hidden)) <= bytes {
			return 0
		}
		return 1
	})
	return form(n - min(hidden, n)), fits
}

// less writes the first lines of a list and counts the others.
func (l list) less(b *blocks) func(shown int) string {
	return func(shown int) string {
		return b.list(list{l.title, l.noun, lessLines(l.lines, shown, l.noun), max(len(l.lines), l.of)})
	}
}

// less writes the first paragraphs of a notice and counts the others.
func (n notice) less(b *blocks) func(shown int) string {
	return func(shown int) string {
		return b.alert(n.kind, lessLines(n.paragraphs, shown, n.noun))
	}
}

// lessLines are the first lines, and one that counts the others.
func lessLines(lines []string, shown int, noun string) []string {
	rest := len(lines) - shown
	if rest == 0 {
		return lines
	}
	return append(lines[:shown:shown], "*and "+spelling.Count(rest, "more "+noun)+", not shown here*")
}

// shown states how much is shown and where to find the full report.
func (b *blocks) shown(n int) string {
	all := len(b.sections) + b.earlier
	if all == 0 {
		return "*Cut to fit; full report: job summary / artifact*\n"
	}
	return fmt.Sprintf("*%d of %s shown; full report: job summary / artifact*\n", n+b.earlier, spelling.Count(all, b.noun))
}
