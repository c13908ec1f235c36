package outline

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether a character is invisible, or could control a terminal or change the order
// or width of the text: controls, line separators, all format characters of Unicode
// (bidirectional controls, CVE-2021-42574; zero-width characters; tags), and what has no glyph of its own (fillers,
// selectors of variants, the empty pattern of Braille).
func Hidden(r rune) bool {
	const emptyBraille = 0x2800
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		r == emptyBraille
}

// Safe makes a string harmless on a terminal. It writes hidden characters as \x.. or \u...., and breaks commands of a
// workflow log. A byte that is not UTF-8 becomes U+FFFD, as in encoding/json, so that a plan which was read back prints
// the same.
func Safe(s string) string {
	s = strings.ReplaceAll(s, Inline, `#\x23[`)
	if !strings.ContainsFunc(s, Hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !Hidden(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// validText replaces each byte that is not UTF-8 by U+FFFD.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// Clamp cuts a string to n characters, the last one an ellipsis.
func Clamp(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Printable makes a message harmless on a terminal, line by line. It is for output outside a
// report.
func Printable(message string) string {
	lines := strings.Split(message, "\n")
	for i := range lines {
		lines[i] = noCommand(Safe(lines[i]))
	}
	return strings.Join(lines, "\n")
}

// Inline begins a command of the older form of GitHub Actions anywhere in a line, such as
// ##[add-mask] (actions/runner, ActionCommand.TryParse).
const Inline = "##["

// noCommand escapes what GitHub Actions and Azure Pipelines read as a command: `::` or `##` at the
// beginning of a line, even if it is indented.
func noCommand(line string) string {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	switch {
	case strings.HasPrefix(text, "::"):
		return indent + `\x3a` + text[1:]
	case strings.HasPrefix(text, "##"):
		return indent + `\x23` + text[1:]
	}
	return line
}
