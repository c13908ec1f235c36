package variable

import "strings"

// piece is literal text, or one expression with its braces.
type piece struct {
	text       string
	expression bool
}

// split splits a text at its outermost expressions. `$${` is an escaped `${`
// (envsubst/parse/scan.go, scanEscaped): one dollar is removed and the rest is literal text.
// An expression without an end extends to the end of the text; its evaluation then fails.
func split(text string) []piece {
	var out []piece
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			out = append(out, piece{text: plain.String()})
			plain.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			plain.WriteString("${")
			i += 3
		case strings.HasPrefix(text[i:], "$$"):
			plain.WriteByte('$')
			i += 2
		case strings.HasPrefix(text[i:], "${"):
			flush()
			end := i + length(text[i:])
			out = append(out, piece{text[i:end], true})
			i = end
		default:
			plain.WriteByte(text[i])
			i++
		}
	}
	flush()
	return out
}

// length returns the length of the expression at the beginning of a text, including nested
// expressions in its default.
func length(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			depth++
			i++
		case text[i] == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
