package plan

// Silenced is a finding that somebody accepted: it is listed here and counts nowhere else.
type Silenced struct {
	Finding
	Environments []string `json:"environments"`
	// By says what silences the finding.
	By SilencedBy `json:"silencedBy"`
	// Reason is the reason that was given; a baseline has none.
	Reason string `json:"reason,omitempty"`
	// At is the entry of the configuration, or the annotated object; a baseline has no place.
	At SilencedAt `json:"silencedAt"`
}

// SilencedBy is what silences a finding.
type SilencedBy string

// An entry under `ignore` of the configuration, an annotation of the object, or a baseline.
const (
	SilencedByConfig     SilencedBy = "config"
	SilencedByAnnotation SilencedBy = "annotation"
	SilencedByBaseline   SilencedBy = "baseline"
)

// SilencedAt is the place of an entry.
type SilencedAt struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}
