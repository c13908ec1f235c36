package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/internal/spelling"
)

// maxShown limits the bytes of text from the file that a message quotes.
const maxShown = 80

// quote quotes a text of the file, escapes control characters and truncates it to maxShown.
func quote(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "..."
}

// manyWords is the maximum number of words that a message lists.
const manyWords = 12

// advice suggests the known word that is most similar to a wrong one. If none is similar,
// it lists the known words.
func advice(wrong string, known []string) string {
	if near := spelling.Nearest(wrong, known); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) > manyWords {
		return "use one of " + strings.Join(known[:manyWords], ", ") + " and others"
	}
	return "use one of " + strings.Join(known, ", ")
}
