package outline

import (
	"strings"
	"unicode/utf8"
)

// hanging is how much further than its first line the rest of a wrapped line is indented.
const hanging = 4

// Wrap breaks the lines that are wider than a terminal, at spaces. A word that is wider itself, such as a
// path, stays whole, so that it can be copied.
func Wrap(text string, width int) string {
	return wrapped(text, width, func(_ string, indent int) int { return min(indent+hanging, width/2) })
}

// WrapValues is Wrap for tables, in whose last column a line goes on.
func WrapValues(text string, width int) string {
	return wrapped(text, width, func(line string, indent int) int {
		if gap := strings.LastIndex(line[indent:], "  "); gap > 0 {
			return min(indent+gap+len("  "), width*2/3)
		}
		return min(indent, width/2)
	})
}

// wrapped breaks lines; hang is how far what follows the first part of a line is indented.
func wrapped(text string, width int, hang func(line string, indent int) int) string {
	if width <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		wrapLine(&b, body, width, hang(body, len(body)-len(strings.TrimLeft(body, " "))))
		if len(body) < len(line) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func wrapLine(b *strings.Builder, line string, width, rest int) {
	if visible(line) <= width {
		b.WriteString(line)
		return
	}
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	b.WriteString(line[:indent])
	column, spaces := indent, ""
	for body != "" {
		word, after, _ := strings.Cut(body, " ")
		if word == "#" { // it stays with the place that it is before
			place, others, _ := strings.Cut(after, " ")
			word, after = word+" "+place, others
		}
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
