package outline

import "github.com/gwplan/gwplan/analyze/plan"

// Position is a line of head. File is empty if there is none.
type Position struct {
	File         string
	Line, Column int
}

// InHead returns the place of head at which a finding can be shown: its own, or the first related
// one if its own is in base.
func InHead(f *plan.Finding) Position {
	if f.Side != plan.InBase {
		return Position{f.File, f.Line, f.Column}
	}
	for _, r := range f.Related {
		if r.Side != plan.InBase {
			return Position{r.File, r.Line, r.Column}
		}
	}
	return Position{}
}

// ProblemInHead returns the place of head at which a problem can be shown, and its message. A problem of base has no such
// place: the message names its own.
func ProblemInHead(p *plan.Problem) (at Position, message string) {
	switch {
	case p.Side != plan.InBase:
		return Position{p.File, p.Line, p.Column}, p.Message
	case p.File == "":
		return Position{}, "before the change: " + p.Message
	}
	return Position{}, "before the change, " + PositionName(p.File, p.Line, p.Column) + ": " + p.Message
}

// FindingDetail returns what a finding says in addition to its sentence. Plans of older versions have only the whole
// message.
func FindingDetail(f *plan.Finding) string {
	if f.Detail == "" && f.Message != f.Title && f.Title != "" {
		return f.Message
	}
	return f.Detail
}

// Title returns the sentence of a finding. Plans of older versions have none.
func Title(f *plan.Finding) string {
	if f.Title == "" {
		return f.Message
	}
	return f.Title
}

// EditedLines returns the first of the causes at each line: one line may be the cause for many objects.
func EditedLines(causes []plan.Cause) []plan.Cause {
	type line struct {
		file string
		line int
		side string
	}
	seen := map[line]bool{}
	var out []plan.Cause
	for _, c := range causes {
		if at := (line{c.File, c.Line, c.Side}); !seen[at] {
			seen[at] = true
			out = append(out, c)
		}
	}
	return out
}
