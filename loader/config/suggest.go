package config

import (
	"strconv"
	"strings"
	"unicode/utf8"
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
	if near := Nearest(wrong, known); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) > manyWords {
		return "use one of " + strings.Join(known[:manyWords], ", ") + " and others"
	}
	return "use one of " + strings.Join(known, ", ")
}

// Nearest is the known word with the fewest edits in any case, or one that the
// wrong word is cut off from, or "" where none is near.
func Nearest(wrong string, known []string) string {
	best, fewest := "", len(wrong)/3+1
	if len(wrong) > maxShown || wrong == "" {
		return ""
	}
	for _, word := range known {
		if len(wrong) > 2 && strings.HasPrefix(strings.ToLower(word), strings.ToLower(wrong)) {
			return word
		}
		if n := edits(strings.ToLower(wrong), strings.ToLower(word)); n <= fewest && (best == "" || n < fewest) {
			best, fewest = word, n
		}
	}
	return best
}

// edits is the distance of two texts: bytes inserted, deleted, replaced, or
// swapped with the next one.
func edits(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
