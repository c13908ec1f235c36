package sentence

import "strings"

// Object is the words for some settings as the object of a sentence, taken apart where the verb before them decides.
type Object struct {
	Words string
	// Skipped is what the settings skip, if the first of them skips a protection: what weakens "skipped verification of
	// certificates" is said to skip the verification.
	Skipped string
	// Bare is Words without the article, for a place after an adjective.
	Bare string
	// its is true if the words begin with "its", which is "their" for several targets.
	its bool
}

// ObjectOf takes apart the words that the catalogue has for settings.
func ObjectOf(words string) Object {
	out := Object{Words: words, Bare: words}
	if rest, is := strings.CutPrefix(words, "skipped "); is {
		out.Skipped = rest
	}
	if rest, is := strings.CutPrefix(words, "the "); is {
		out.Bare = rest
	}
	if rest, is := strings.CutPrefix(words, "its "); is {
		out.Bare, out.its = rest, true
	}
	return out
}

// HasArticle reports whether the words begin with "the" or "its".
func (o Object) HasArticle() bool { return o.Bare != o.Words }

// of returns the words for a number of targets.
func (o Object) of(targets int) string {
	if o.its && targets > 1 {
		return "their " + o.Bare
	}
	return o.Words
}
