// Package rule holds what gwplan has to say about a snapshot or a plan: one
// rule a file, each carrying its own documentation.
package rule

// Severity of a finding.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Finding is what a rule has to say.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// State is new, fixed or unchanged in a diff, empty elsewhere.
	State   string `json:"state,omitempty"`
	Message string `json:"message"`
	// Target is the node that the finding is about.
	Target string `json:"target"`
	// File, Line and Column are in head, except where Side is "base": a fixed
	// finding, or one whose every place is gone.
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
