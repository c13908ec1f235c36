package plan

import "slices"

// Trace is the outcome of `gwplan trace`: what happens to requests, in one revision or in two.
type Trace struct {
	SchemaVersion string             `json:"schemaVersion"`
	Environments  []TraceEnvironment `json:"environments"`
	Problems      []Problem          `json:"problems"`
	Notes         []string           `json:"notes"`
	// Sent is true if some environment has the Gateway and the listener that the requests are sent to.
	Sent bool `json:"-"`
}

// TraceEnvironment is one environment of a Trace.
type TraceEnvironment struct {
	Name     string          `json:"name"`
	Requests []TracedRequest `json:"requests"`
}

// TracedRequest is one request. Base is nil unless two revisions are compared. A request has several
// answers if several Gateways may get it.
type TracedRequest struct {
	Request string   `json:"request"`
	Headers []string `json:"headers,omitempty"`
	// Result is same, differs or unknown, and empty for a single revision. Differences say what
	// differs, one clause each.
	Result      string   `json:"result,omitempty"`
	Differences []string `json:"differences,omitempty"`
	// Causes are the edits that change what answers, or what is in force there.
	Causes  []Cause  `json:"causes,omitempty"`
	Base    []Answer `json:"base,omitempty"`
	Answers []Answer `json:"answers"`
}

// The results of a request that is traced in two revisions.
const (
	SameAnswer      = "same"
	DifferentAnswer = "differs"
	UnknownAnswer   = "unknown"
)

// Undecided reports whether the answer to some request is not known, or may be another one because of programs.
func (t *Trace) Undecided() bool {
	for e := range t.Environments {
		for i := range t.Environments[e].Requests {
			r := &t.Environments[e].Requests[i]
			if r.Result == UnknownAnswer || slices.ContainsFunc(slices.Concat(r.Base, r.Answers), func(a Answer) bool { return a.Outcome == NotKnown || len(a.Programs) > 0 }) {
				return true
			}
		}
	}
	return false
}

// Answer is what one Gateway does with a request.
type Answer struct {
	// Outcome is backend, status, redirect, refused or unknown.
	Outcome string `json:"outcome"`
	// Status is the status that the Gateway itself answers with, 0 if a backend answers.
	Status   int    `json:"status,omitempty"`
	Location string `json:"location,omitempty"`
	// Why explains an answer that no rule gives, or that is not known.
	Why      string `json:"why,omitempty"`
	Gateway  string `json:"gateway"`
	Port     string `json:"port,omitempty"`
	Listener string `json:"listener,omitempty"`
	// Host is the hostname of the route that covers the request's, Match the match that accepts it.
	Host string `json:"host,omitempty"`
	// HostRoutes are the routes of the hostname where none of their rules accepts the request.
	HostRoutes []string `json:"hostRoutes,omitempty"`

	Route string `json:"route,omitempty"`
	Rule  string `json:"rule,omitempty"`
	Match string `json:"match,omitempty"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	// Steps are what happens to the request and its answer, in order.
	Steps    []TraceStep    `json:"steps,omitempty"`
	Backends []TraceBackend `json:"backends,omitempty"`
	// Policies are the effective policies in force for the request.
	Policies []TracePolicy `json:"policies,omitempty"`
	// Programs run for the request, and what they do is not computed: the answer may be another one.
	Programs []TraceProgram `json:"programs,omitempty"`
	// Doubts are rules of which it is not known whether they answer instead, Others are the
	// rules that do not answer, each with the reason.
	Doubts []Contender `json:"doubts,omitempty"`
	Others []Contender `json:"others,omitempty"`
	// AgeSensitive is true if a creation time that is not in the input could change the answer.
	AgeSensitive bool `json:"ageSensitive,omitempty"`
}

// The outcomes of an answer.
const (
	ByBackend  = "backend"
	ByStatus   = "status"
	ByRedirect = "redirect"
	Refused    = "refused"
	NotKnown   = "unknown"
)

// TraceStep is one thing that happens to a request or its answer, in words and as data: Action says what
// Name and Value are.
type TraceStep struct {
	What   string `json:"what"`
	Action string `json:"action"`
	Name   string `json:"name,omitempty"`
	Value  string `json:"value,omitempty"`
	// Backend is the only backend on whose way it happens.
	Backend string `json:"backend,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

// TraceBackend is a backend with its share of requests. Status is what that share gets if the backend
// cannot be used.
type TraceBackend struct {
	Backend string `json:"backend"`
	Weight  int    `json:"weight"`
	Total   int    `json:"total"`
	Status  int    `json:"status,omitempty"`
	Why     string `json:"why,omitempty"`
	// Denied is the network policy that keeps the pods of the Gateway from workloads of the backend, if one surely does.
	Denied string `json:"denied,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// TracePolicy is the effective policy of a kind at one target on the way of a request.
type TracePolicy struct {
	PolicyKind   GroupKind        `json:"policyKind"`
	Target       string           `json:"target"`
	Fields       []EffectiveField `json:"fields"`
	AgeSensitive bool             `json:"ageSensitive,omitempty"`
	Certain      bool             `json:"certain"`
}

// TraceProgram is code, an expression or a patch of the proxy's configuration, and the object that sets it.
type TraceProgram struct {
	Is     string `json:"is"`
	Object string `json:"object"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// Contender is a rule that does not answer a request.
type Contender struct {
	Rule  string `json:"rule"`
	Match string `json:"match"`
	Why   string `json:"why"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}
