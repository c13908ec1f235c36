package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/internal/spelling"
)

// maxShown bounds the bytes of the file's own text in a message.
const maxShown = 80

// quote shows a text of the file: control characters escaped, the end cut off.
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

// manyWords are too many to be listed in a message.
const manyWords = 12

// advice names the known word that a wrong one was probably meant to be, else
// all of them.
func advice(wrong string, known []string) string {
	if near := spelling.Nearest(wrong, known); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) > manyWords {
		return "use one of " + strings.Join(known[:manyWords], ", ") + " and others"
	}
	return "use one of " + strings.Join(known, ", ")
}
