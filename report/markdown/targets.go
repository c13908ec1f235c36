package markdown

import (
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// targets names the targets of an outcome: the first ones in a line, more of them folded below it.
func (m *tables) targets(o *outline.Outcome) (line, more string) {
	line, more = m.names(len(o.Targets), func(i int) string { return m.target(o, o.Targets[i], mdCode) })
	return " of " + line, more
}

// kept names the targets that an edit reaches and that keep their values.
func (m *tables) kept(kept []*outline.TargetLine) string {
	if len(kept) == 0 {
		return ""
	}
	line, more := m.names(len(kept), func(i int) string { return mdCode(kept[i].Name()) + extent(kept[i]) })
	return join([]string{"Unchanged, because another policy decides there: " + line + "\n", more})
}

// names lists the first of n targets in a line, and folds or counts the others.
func (m *tables) names(n int, name func(int) string) (line, more string) {
	shown := min(n, outline.OpenRows)
	if m.step == onlyCounts {
		shown = min(n, 1)
	}
	var open, rest []string
	for i := range shown {
		open = append(open, name(i))
	}
	line = strings.Join(open, ", ")
	switch {
	case n == shown:
		return line, ""
	case m.step >= noRest:
		return line + spelling.More(n-shown), ""
	}
	for i := shown; i < n; i++ {
		rest = append(rest, name(i))
	}
	return line, m.folded("and "+spelling.Count(n-shown, "more target"), "- "+strings.Join(rest, "\n- ")+"\n")
}

// target names a target, what is special about it, and its environments if they are not those of the
// outcome.
func (m *tables) target(o *outline.Outcome, t *outline.TargetLine, code func(string) string) string {
	text := code(t.Name()) + extent(t)
	if special := strings.TrimPrefix(t.Flags(), " · "); special != "" {
		text += " (" + special + ")"
	}
	if len(t.Environments) < len(o.Environments) {
		text += environmentsText(t.Environments, code)
	}
	return text
}

func extent(t *outline.TargetLine) string {
	if text := t.Extent(); text != "" {
		return " (" + text + ")"
	}
	return ""
}
