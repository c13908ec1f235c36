package answer

import "github.com/gwplan/gwplan/analyze/effective"

// PassagesWithin is Passages with a limit of its own.
func PassagesWithin(j *effective.Join, steps int) ([]Passage, []*Way) {
	return passagesWithin(j, nil, steps)
}

// Beginning is the text with which all matches of a regular expression begin.
var Beginning = beginning
