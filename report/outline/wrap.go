package text

import (
	"strings"
	"unicode/utf8"
)

// hanging is how much further than its first line the rest of a wrapped line is indented.
const hanging = 4

// wrap breaks the lines that are wider than a terminal, at spaces. A word that is wider itself, such as a
// path, stays whole, so that it can be copied.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		wrapLine(&b, strings.TrimSuffix(line, "\n"), width)
		b.WriteByte('\n')
	}
	return b.String()
}

func wrapLine(b *strings.Builder, line string, width int) {
	if visible(line) <= width {
		b.WriteString(line)
		return
	}
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	rest := min(indent+hanging, width/2)
	b.WriteString(line[:indent])
	column, spaces := indent, ""
	for body != "" {
		word, after, _ := strings.Cut(body, " ")
		n := visible(word)
		if column > rest && column+len(spaces)+n > width {
			b.WriteString("\n" + strings.Repeat(" ", rest) + word)
			column = rest + n
		} else {
			b.WriteString(spaces + word)
			column += len(spaces) + n
		}
		body = strings.TrimLeft(after, " ")
		spaces = strings.Repeat(" ", 1+len(after)-len(body))
	}
}

// visible is how many columns a text takes, without the codes of colours.
func visible(text string) int {
	n := 0
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		_, text, _ = strings.Cut(after, "m")
	}
}
