// Package plan holds the results of gwplan as plain data: those of a diff, a check or a listing.
// All data is sorted and redacted, contains no references into the analysis, and can be read back
// completely from its JSON form. The formats below report use only this package of the analysis; report/kinds, which
// prints the catalogue, prints no plans.
package plan

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// SchemaVersion names the shape of every JSON output. Fields are added, never
// renamed.
const SchemaVersion = "gwplan.dev/v1"

// Plan is everything that a report of `gwplan diff` may show. It is sorted and redacted when it is
// created; reports decide nothing. Its JSON form is complete: `-o json` writes it and `--from`
// reads it back.
type Plan struct {
	SchemaVersion string   `json:"schemaVersion"`
	Tool          Tool     `json:"tool"`
	Base          Revision `json:"base"`
	Head          Revision `json:"head"`
	Incomplete    bool     `json:"incomplete"`
	Summary       Summary  `json:"summary"`
	// Effects say what changes, one sentence each, worst first.
	Effects      []Effect      `json:"effects,omitempty"`
	Environments []Environment `json:"environments"`
	// Unseen are changes that could not be rendered.
	Unseen   []Unseen  `json:"unseen"`
	Problems []Problem `json:"problems"`
	// Notes are assumptions that differ between the revisions or that a change depends on;
	// NotesOfBoth are the assumptions that both revisions share.
	Notes       []string `json:"notes"`
	NotesOfBoth []string `json:"notesOfBoth,omitempty"`
	// Silenced are the findings that ignore entries, annotations and a baseline silence.
	Silenced []Silenced `json:"silenced,omitempty"`
	// Rules documents each rule that has a finding in this plan.
	Rules []RuleDoc `json:"rules"`
}

// Tool is gwplan itself.
type Tool struct {
	Version string `json:"version"`
}

// Revision is one side of a plan. Commit is empty if the side is not a commit.
type Revision struct {
	Revision string `json:"revision"`
	Commit   string `json:"commit"`
}

// Summary counts a plan. Targets below a Route are counted as their nearest Route. Targets,
// findings and changes that several environments have count once.
type Summary struct {
	Changes       int `json:"changes"`
	PolicyChanges int `json:"policyChanges"`
	// Connections is the number of sets of connections that network policies newly allow or deny.
	Connections int `json:"connections,omitempty"`
	// Requests is the number of classes of requests that are answered differently.
	Requests      int            `json:"requests,omitempty"`
	Targets       int            `json:"targets"`
	TargetsByKind map[string]int `json:"targetsByKind"`
	Contexts      int            `json:"contexts"`
	// Policies and Routes count those of head, Environments those of the document.
	Policies     int    `json:"policies"`
	Routes       int    `json:"routes"`
	Environments int    `json:"environments"`
	Findings     Counts `json:"findings"`
	// Unchanged and Fixed count findings that are not included in Findings.
	Unchanged int `json:"unchanged"`
	Fixed     int `json:"fixed"`
	// Silenced counts the findings that ignore entries and annotations silence.
	Silenced int `json:"silenced"`
	Problems int `json:"problems"`
	// Skipped counts documents of head whose group and kind cannot matter, Unread files that
	// contain no readable manifest.
	Skipped int `json:"skipped"`
	// Outside counts the changes that a filter (-e, -n, paths) leaves out.
	Outside int `json:"outside,omitempty"`
	Unread  int `json:"unread"`
	// Headline summarises the plan in a few words, such as "4 HTTPRoutes lose retry".
	Headline string `json:"headline"`
	// Conclusion is the headline in one word. It is empty where there is no headline.
	Conclusion Conclusion `json:"conclusion,omitempty"`
}

// Conclusion is what a plan comes to: whether effective configuration changes.
type Conclusion string

// The conclusions. A plan that knows of a change says so, whatever it does not know beside it; it is incomplete if it knows of
// none and could not read everything that the change may concern.
const (
	ConcludesNone       Conclusion = "none"
	ConcludesChange     Conclusion = "changed"
	ConcludesUnknown    Conclusion = "unknown"
	ConcludesIncomplete Conclusion = "incomplete"
)

// Effect is what changes for some targets, in one sentence: "HTTPRoute shop/cart loses JWT
// authentication".
type Effect struct {
	Sentence string `json:"sentence"`
	// LosesProtection is true if the targets are protected less.
	LosesProtection bool `json:"losesProtection,omitempty"`
	// Perhaps is true if it is not known whether they are.
	Perhaps bool `json:"perhaps,omitempty"`
	// Lost is true if the targets are gone, or get no requests.
	Lost bool `json:"-"`
	// Targets is the number of targets.
	Targets      int      `json:"targets"`
	Environments []string `json:"environments"`
}

// Counts are findings by severity; in a diff, new findings only.
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
	// Requests are those that are answered differently, worst first.
	Requests []RequestChange `json:"requests"`
	// Connections are those that network policies newly allow or deny, newly allowed ones first.
	Connections []ConnectionChange `json:"connections,omitempty"`
}

// Sides holds one flag for each side.
type Sides struct {
	Base bool `json:"base"`
	Head bool `json:"head"`
}

// PolicyChange is a policy that was added or removed, or whose name or verdict changed.
type PolicyChange struct {
	Policy string `json:"policy"`
	// Formerly is the policy's name in base, if its name or namespace changed. SameEffect is true
	// if the new name changes nothing else.
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
	// Edited is true if the change edits the file.
	Edited bool `json:"edited,omitempty"`
}

// LacksContent reports whether the repository does not have the content of a file, as a partial clone does not: nothing is
// known of what the file says, in either revision.
func (p Problem) LacksContent() bool { return p.Code == loader.MissingBlob }

// HidesFiles reports whether the problem may hide any file of its environments: it is with a kustomization, or with no file at all.
func (p Problem) HidesFiles() bool { return p.File == "" || loader.IsKustomizationFile(p.File) }

// The codes of problems of the analysis: there is too much to compare.
const (
	LimitConnections = "limit-connections"
	LimitRequests    = "limit-requests"
)

// Unaffordable reports whether something of head was left out because it costs more memory or time than a run may use: a
// change must not pass because it is expensive to look at.
func (p Problem) Unaffordable() bool {
	limits := []string{
		loader.LimitRun, loader.LimitValidation, LimitConnections, LimitRequests,
		loader.LimitApplications, loader.LimitFlux, loader.LimitKustomizations, loader.LimitClusters, loader.LimitDefaults,
	}
	return slices.Contains(limits, p.Code) && p.Side != InBase
}

// RuleDoc documents a rule for the formats that carry documentation.
type RuleDoc struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Severity string `json:"severity"`
	// Why explains in prose what is wrong, Fix what to do.
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
	Silenced      []Silenced         `json:"silenced,omitempty"`
	Rules         []RuleDoc          `json:"rules"`
}

// CheckEnvironment is one environment of a Check.
type CheckEnvironment struct {
	Name       string    `json:"name"`
	Incomplete bool      `json:"incomplete"`
	Findings   []Finding `json:"findings"`
}
