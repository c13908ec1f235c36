package markdown

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
)

// blocks is a document in pieces. Each piece is kept or dropped as a whole, so that every opened
// fence and <details> is closed.
type blocks struct {
	// head and footer are never dropped.
	head, footer string
	alerts       []string
	sections     []string
	// noun is the word for a section, such as "cause".
	noun  string
	lists []list
	write func(lines []string, noun string) string
	// fold folds what a summary names.
	fold func(summary, content string) string
}

// openSections is how many sections are not folded.
const openSections = 3

// list is a titled list of lines at the end of a document.
type list struct {
	title, noun string
	lines       []string
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
	parts = append(parts, b.alerts...)
	parts = append(parts, b.folding(b.sections)...)
	for _, l := range b.lists {
		parts = append(parts, b.list(l))
	}
	return join(append(parts, b.footer))
}

// folding folds the sections after the first ones.
func (b *blocks) folding(sections []string) []string {
	more := len(sections) - openSections
	if more <= 0 {
		return sections
	}
	return append(sections[:openSections:openSections], b.fold(spelling.Count(more, "more "+b.noun), join(sections[openSections:])))
}

func (b *blocks) list(l list) string {
	if len(l.lines) == 0 {
		return ""
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

// cut keeps the blocks that fit, in this order: head and footer, alerts, lists (findings and
// problems among the first), then sections from the first on.
func (b *blocks) cut(limit int) string {
	left := limit - len(b.head) - len(b.footer) - len(b.shown(len(b.sections))) - 3
	take := func(block string) bool {
		if block == "" || len(block)+1 > left {
			return false
		}
		left -= len(block) + 1
		return true
	}
	parts := []string{b.head}
	for _, alert := range b.alerts {
		if take(alert) {
			parts = append(parts, alert)
		}
	}
	var lists []string
	for _, l := range b.lists {
		if text := b.list(l); take(text) {
			lists = append(lists, text)
		}
	}
	left -= len(b.fold(strings.Repeat("0", 20), ""))
	shown := 0
	for _, section := range b.sections {
		if !take(section) {
			break
		}
		shown++
	}
	parts = append(append(parts, b.folding(b.sections[:shown])...), b.shown(shown))
	return join(append(append(parts, lists...), b.footer))
}

// shown states how much is shown and where to find the full report.
func (b *blocks) shown(n int) string {
	if len(b.sections) == 0 {
		return "*Cut to fit; full report: job summary / artifact*\n"
	}
	return fmt.Sprintf("*%d of %s shown; full report: job summary / artifact*\n", n, spelling.Count(len(b.sections), b.noun))
}
