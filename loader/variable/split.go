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

// length returns the length of the expression at the beginning of a text, including nested expressions. The pattern of a
// replacement ends at a slash, whatever braces are in it (envsubst/parse/parse.go, parseReplaceFunc).
func length(text string) int {
	i := len("${")
	for i < len(text) && isName(text[i]) {
		i++
	}
	replaces := i > len("${") && i < len(text) && text[i] == '/'
	if replaces {
		if i++; i < len(text) && strings.IndexByte("/#%", text[i]) >= 0 {
			i++
		}
		i += pattern(text[i:])
	}
	for i < len(text) {
		switch {
		case replaces && strings.HasPrefix(text[i:], "$$"): // an escaped dollar
			i += 2
		case strings.HasPrefix(text[i:], "${"):
			i += length(text[i:])
		case text[i] == '}':
			return i + 1
		default:
			i++
		}
	}
	return len(text)
}

// pattern returns the length of the pattern at the beginning of a text: one expression, or what is before the next slash
// that is not escaped.
func pattern(text string) int {
	if strings.HasPrefix(text, "${") {
		return length(text)
	}
	i := 0
	for i < len(text) && text[i] != '/' && !strings.HasPrefix(text[i:], "${") {
		if rest := text[i:]; strings.HasPrefix(rest, `\/`) || strings.HasPrefix(rest, `\\`) || strings.HasPrefix(rest, "$$") {
			i++
		}
		i++
	}
	return min(i, len(text))
}

// isName reports whether a byte may be part of the name of a variable. Letters that are not ASCII are.
func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
