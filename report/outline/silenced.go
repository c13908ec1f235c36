package outline

import "github.com/gwplan/gwplan/analyze/plan"

// SilencedText says what silences a finding, and why: "ignored at .gwplan.yaml:3: known, see issue 7".
func SilencedText(s *plan.Silenced) string {
	text := "ignored"
	switch s.By {
	case plan.SilencedByConfig, plan.SilencedByAnnotation:
		text += " at " + PositionName(s.At.File, s.At.Line, 0)
	case plan.SilencedByBaseline:
		text += ", because it is in the baseline"
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}
