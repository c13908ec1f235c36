package loader

import "cmp"

// Assumption is something that was assumed while loading. Documents have it among their notes.
type Assumption struct {
	Text string
	// About identifies what the text is about if the text holds a number of things: two revisions that differ in the number
	// alone have one note of it. Without it the text itself does.
	About string
	// Environments are those that it is about, if it is not about all of them.
	Environments []string
}

// Subject is equal for the assumptions of two revisions about the same thing.
func (a Assumption) Subject() string { return cmp.Or(a.About, a.Text) }

// Assumptions returns texts as assumptions.
func Assumptions(texts ...string) []Assumption {
	var out []Assumption
	for _, text := range texts {
		out = append(out, Assumption{Text: text})
	}
	return out
}
