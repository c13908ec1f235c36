// Package plan holds the outcomes of gwplan as plain data: what a diff, a check or a listing
// has to say. Everything in it is sorted and redacted, nothing points into the analysis, and
// what is written as JSON is read back whole. Reports know this package and nothing else of
// the analysis.
package plan

// SchemaVersion names the shape of every JSON output. Fields are added, never
// renamed.
const SchemaVersion = "gwplan.dev/v1"

// Plan is everything that a report of `gwplan diff` may say. It is sorted and
// redacted when it is made; reports decide nothing. As JSON it is complete: it
// is written by `-o json` and read back by `--from`.
type Plan struct {
	SchemaVersion string        `json:"schemaVersion"`
	Tool          Tool          `json:"tool"`
	Base          Revision      `json:"base"`
	Head          Revision      `json:"head"`
	Incomplete    bool          `json:"incomplete"`
	Summary       Summary       `json:"summary"`
	Environments  []Environment `json:"environments"`
	// Unseen is what changes and could not be rendered.
	Unseen   []Unseen  `json:"unseen"`
	Problems []Problem `json:"problems"`
	// Notes say what was assumed where the revisions differ in it, or where a change
	// depends on it; NotesOfBoth what was assumed of both alike.
	Notes       []string `json:"notes"`
	NotesOfBoth []string `json:"notesOfBoth,omitempty"`
	// Rules documents each rule that has a finding in this plan.
	Rules []RuleDoc `json:"rules"`
}

// Tool is gwplan itself.
type Tool struct {
	Version string `json:"version"`
}

// Revision is one side of a plan; Commit is empty without a commit.
type Revision struct {
	Revision string `json:"revision"`
	Commit   string `json:"commit"`
}

// Summary counts a plan. Targets are counted by their nearest Route where they lie below
// one; targets and findings that several environments have are one.
type Summary struct {
	Changes       int            `json:"changes"`
	PolicyChanges int            `json:"policyChanges"`
	Targets       int            `json:"targets"`
	TargetsByKind map[string]int `json:"targetsByKind"`
	Contexts      int            `json:"contexts"`
	// Policies, Routes and Environments were looked at in head.
	Policies     int    `json:"policies"`
	Routes       int    `json:"routes"`
	Environments int    `json:"environments"`
	Findings     Counts `json:"findings"`
	// Unchanged and Fixed findings are counted and not listed among Findings' counts.
	Unchanged int `json:"unchanged"`
	Fixed     int `json:"fixed"`
	// Silenced counts the findings that entries of ignore and annotations silence.
	Silenced int `json:"silenced"`
	Problems int `json:"problems"`
	// Skipped counts documents of head that cannot matter by their group and
	// kind, Unread files that hold no manifest or none that can be read.
	Skipped int `json:"skipped"`
	Unread  int `json:"unread"`
	// Headline says the plan in a few words, such as "4 HTTPRoutes lose retry".
	Headline string `json:"headline"`
}

// Counts are findings by severity; only new ones in a diff.
type Counts struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// Environment is one environment of a plan.
type Environment struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Status is both, added, removed or renamed.
	Status        string         `json:"status"`
	Incomplete    Sides          `json:"incomplete"`
	Changes       []Change       `json:"changes"`
	PolicyChanges []PolicyChange `json:"policyChanges"`
	Findings      []Finding      `json:"findings"`
}

// Sides holds one flag for each side.
type Sides struct {
	Base bool `json:"base"`
	Head bool `json:"head"`
}

// PolicyChange is a policy that came, went, or whose verdict changed.
type PolicyChange struct {
	Policy string `json:"policy"`
	// Formerly is what the policy was called in base, where it has another name or
	// namespace; SameEffect says that nothing changes by that.
	Formerly    string   `json:"formerly,omitempty"`
	SameEffect  bool     `json:"sameEffect,omitempty"`
	Before      *Verdict `json:"before"`
	After       *Verdict `json:"after"`
	Causes      []Cause  `json:"causes"`
	Fingerprint string   `json:"fingerprint"`
}

// Problem is what could not be read, rendered or decided.
type Problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	// Side is base, head, both, or empty where there is one revision.
	Side         string   `json:"side,omitempty"`
	Environments []string `json:"environments"`
	File         string   `json:"file"`
	Line         int      `json:"line"`
	Column       int      `json:"column"`
	Message      string   `json:"message"`
	Hint         string   `json:"hint"`
}

// RuleDoc documents a rule for the formats that carry documentation.
type RuleDoc struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Severity string `json:"severity"`
	// Why says in prose what is wrong, Fix what to do.
	Why string `json:"why"`
	Fix string `json:"fix"`
	// Security marks rules about lost protection.
	Security bool `json:"security"`
}

// Check is the outcome of `gwplan check`.
type Check struct {
	SchemaVersion string             `json:"schemaVersion"`
	Tool          Tool               `json:"tool"`
	Revision      Revision           `json:"revision"`
	Incomplete    bool               `json:"incomplete"`
	Summary       Summary            `json:"summary"`
	Environments  []CheckEnvironment `json:"environments"`
	Problems      []Problem          `json:"problems"`
	Notes         []string           `json:"notes"`
	Rules         []RuleDoc          `json:"rules"`
}

// CheckEnvironment is one environment of a Check.
type CheckEnvironment struct {
	Name       string    `json:"name"`
	Incomplete bool      `json:"incomplete"`
	Findings   []Finding `json:"findings"`
}
