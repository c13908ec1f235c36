package outline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Hidden says whether a character could drive a terminal or reorder what is
// read: C0, DEL, C1, line separators, and the bidirectional controls (Trojan
// Source, CVE-2021-42574).
func Hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Safe makes a string harmless on a terminal: hidden characters are written as
// \x.. or \u...., and each byte that is no UTF-8 as U+FFFD, as encoding/json
// does, so that a plan that was read back prints the same.
func Safe(s string) string {
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
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// validText replaces each byte that is no UTF-8 by U+FFFD.
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

// Printable makes a message harmless on a terminal, line by line, for what is
// printed beside a report.
func Printable(message string) string {
	lines := strings.Split(message, "\n")
	for i := range lines {
		lines[i] = Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}
