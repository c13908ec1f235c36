package answer

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
)

// PassagesWithin is Passages with a limit of its own.
func PassagesWithin(j *effective.Join, steps int) ([]Passage, []*Way) {
	return passagesWithin(j, nil, steps)
}

// Beginning is the text with which all matches of a regular expression begin.
var Beginning = beginning

// FirstTaker is the index of the first match that takes what the last one represents, found by its path and by
// asking each match; -1 if none does.
func FirstTaker(matches []Match) (found, asked int) {
	last := &matches[len(matches)-1]
	earlier, ways := byPath{}, make([]*Way, len(matches)-1)
	for i := range ways {
		ways[i] = &Way{Match: &matches[i]}
		earlier.add(i, &matches[i])
	}
	return slices.Index(ways, earlier.taker(ways, last)), slices.IndexFunc(ways, func(w *Way) bool { return w.Match.Covers(last) })
}
