package plan

import (
	"cmp"

	"github.com/gwplan/gwplan/loader"
)

// Severity is how serious a finding is.
type Severity string

// The severities, worst first. Off, in the configuration, silences a rule.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
	Off     Severity = "off"
)

// Rank orders severities, worst first.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	case Note, Off:
	}
	return 2
}

// AtLeast reports whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(other Severity) bool { return s.Rank() <= other.Rank() }

// Finding is one result of a rule.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// State is new, fixed or unchanged in a diff, empty elsewhere.
	State string `json:"state,omitempty"`
	// Title is the finding in one sentence, Detail what else there is to say of it. Message is both.
	Title   string `json:"title,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Message string `json:"message"`
	// Subject names the objects whose effective policy a finding is about, Statement says what
	// is true of them. Both are empty for other findings.
	Subject   string `json:"subject,omitempty"`
	Statement string `json:"statement,omitempty"`
	// Several is true if Subject counts objects instead of naming one.
	Several bool `json:"-"`
	// Requests are those that Title names; empty if it names none.
	Requests string `json:"requests,omitempty"`
	// Opens is true if requests may get in that did not before, of which neither Requests nor Connections tell.
	Opens bool `json:"opens,omitempty"`
	// Target is the node that the finding is about.
	Target string `json:"target"`
	// File, Line and Column are in head. They are in base if Side is "base": for a fixed finding,
	// or one whose places were all removed.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Side   string `json:"side,omitempty"`
	// Related are further places worth showing, such as the old place of
	// something deleted.
	Related     []Related `json:"related,omitempty"`
	Fingerprint string    `json:"fingerprint"`
}

// Related is a further place of a finding.
type Related struct {
	Message string `json:"message"`
	Side    string `json:"side"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// Move sets another place for a finding and keeps the old one in Related, where what names the target.
func (f *Finding) Move(to loader.Position, what string) {
	if f.File != "" {
		if f.Side == InBase {
			what += " before the change"
		}
		f.Related = append(f.Related, Related{Message: what, Side: cmp.Or(f.Side, InHead), File: f.File, Line: f.Line, Column: f.Column})
	}
	f.File, f.Line, f.Column, f.Side = to.File, to.Line, to.Column, ""
}
