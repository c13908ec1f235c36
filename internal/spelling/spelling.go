// Package spelling finds the name that somebody probably meant by another one, and writes nouns
// and kinds in the plural.
package spelling

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of the search. A name has at most 63 letters in most kinds, and among very many
// names one is always similar by chance.
const (
	maxCompared = 63
	MaxNamed    = 1000
)

// none is a distance between names that are not slips of one another.
const none = maxCompared

// Similar is the one of some names of objects that differs from another one by a slip of the
// pen, or "": two names that both make sense ("internal", "external") are not similar. It is
// strict, because findings rest on it.
func Similar(name string, names []string) string {
	if len(name) > maxCompared || len(names) > MaxNamed || slices.Contains(names, name) {
		return ""
	}
	best, closest := "", MaxTypo(name)+1
	for _, other := range names {
		if d := len(other) - len(name); d > MaxTypo(name) || -d > MaxTypo(name) {
			continue
		}
		if d := typo(name, other); d < closest || d == closest && other < best {
			best, closest = other, d
		}
	}
	if closest > MaxTypo(name) {
		return ""
	}
	return best
}

// Nearest is the word of a closed list with the fewest edits in any case, or one that the
// wrong word begins, or "" where none is near. It is generous: it only helps a message.
func Nearest(wrong string, known []string) string {
	best, fewest := "", len(wrong)/3+1
	if len(wrong) > maxCompared || wrong == "" {
		return ""
	}
	for _, word := range known {
		if len(wrong) > 2 && strings.HasPrefix(strings.ToLower(word), strings.ToLower(wrong)) {
			return word
		}
		if n := Distance(strings.ToLower(wrong), strings.ToLower(word)); n <= fewest && (best == "" || n < fewest) {
			best, fewest = word, n
		}
	}
	return best
}

// Meant is the end of a message about a name that does not exist: the name that was probably
// meant, or nothing where it is "".
func Meant(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// MaxTypo is how many letters of a name may differ for it to be a slip of the pen.
func MaxTypo(name string) int {
	if len(name) < 6 {
		return 1
	}
	return 2
}

// typo is how many letters a slip of the pen changed, or none: names that differ by a digit,
// or by two letters in place of two others, are two names, unless two neighbours were swapped.
func typo(a, b string) int {
	d := Distance(a, b)
	if d == 0 || d > 2 {
		return d
	}
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	cut := 0
	for cut < min(len(a), len(b))-from && a[len(a)-1-cut] == b[len(b)-1-cut] {
		cut++
	}
	x, y := a[from:len(a)-cut], b[from:len(b)-cut]
	switch swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]; {
	case strings.ContainsAny(x+y, "0123456789"), d == 2 && len(a) == len(b):
		return none
	case swapped && len(a) < 4:
		return 2 // both letters are wrong, which is too much for a short name
	}
	return d
}

// Distance is the number of edits between two texts: bytes inserted, deleted, replaced, or
// swapped with the next one (optimal string alignment).
func Distance(a, b string) int {
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

// Plural is a noun or kind for several things.
func Plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		return strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// Count is a number of things, such as "1 Gateway" or "2 policies".
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// And joins words as a sentence lists them: "a", "a and b", "a, b and c".
func And(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// AtMost joins the first words of a list and counts the others: "a and b", "a, b and 3 more".
func AtMost(most int, words []string) string {
	if len(words) <= most {
		return And(words)
	}
	return strings.Join(words[:min(len(words), most)], ", ") + More(len(words)-most)
}

// Few joins the first six words of a list and counts the others.
func Few(words []string) string { return AtMost(6, words) }

// More counts what is not named after what is: " and 3 more", or nothing.
func More(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// Among is the end of a message about a name that is none of a few: the one that was probably meant, else which
// there are. http is not meant by https: who follows that advice sends requests without TLS.
func Among(name string, names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	near := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other+"s" == name || name+"s" == other })
	meant := Similar(name, near)
	for _, other := range near {
		if meant == "" && len(other) == len(name) && len(name) <= maxCompared && Distance(name, other) == 1 && sameLetters(name, other) {
			meant = other
		}
	}
	switch {
	case meant != "":
		return Meant(meant)
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return "; there is " + names[0]
	}
	return "; there are " + AtMost(maxListed, names)
}

// maxListed is how many names Among lists.
const maxListed = 5

func sameLetters(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}

// Brief cuts a sentence to at most so many characters, between words if one ends in the second half.
func Brief(sentence string, most int) string {
	letters := []rune(sentence)
	if len(letters) <= most {
		return sentence
	}
	whole := string(letters[:max(most-2, 0)])
	if i := strings.LastIndexByte(whole, ' '); i > len(whole)/2 {
		whole = whole[:i]
	}
	return strings.TrimRight(whole, " ,;:") + " …"
}
