package plan

// RouteTable is the outcome of `gwplan routes`: what a data plane answers, in the order in which it tries
// its matches.
type RouteTable struct {
	SchemaVersion string             `json:"schemaVersion"`
	Environments  []RouteEnvironment `json:"environments"`
	Problems      []Problem          `json:"problems"`
	Notes         []string           `json:"notes"`
}

// RouteEnvironment is one environment of a RouteTable.
type RouteEnvironment struct {
	Name  string      `json:"name"`
	Hosts []RouteHost `json:"hosts"`
}

// RouteHost is a hostname at a port of a Gateway. Requests for a more specific hostname never come here.
type RouteHost struct {
	Gateway  string `json:"gateway"`
	Port     string `json:"port"`
	Protocol string `json:"protocol"`
	// Listeners serve it.
	Listeners []string   `json:"listeners"`
	Host      string     `json:"host"`
	Matches   []RouteRow `json:"matches"`
}

// RouteRow is one match of a rule.
type RouteRow struct {
	Match string `json:"match"`
	Rule  string `json:"rule"`
	// Answer is what a request gets: its backends with their shares, a redirect or a status.
	Answer string `json:"answer"`
	// Protection are the protecting settings in force, in words.
	Protection []string `json:"protection"`
	// Shadowed is true if no request comes here, By the rule that takes them all, if it is one, or the listener with a more
	// specific hostname.
	Shadowed bool   `json:"shadowed,omitempty"`
	By       string `json:"by,omitempty"`
	// Partly are rules with precedence that take some of the requests, or all together, the first of them; PartlyBy is their
	// number.
	Partly   []string `json:"partly,omitempty"`
	PartlyBy int      `json:"partlyBy,omitempty"`
	Certain  bool     `json:"certain"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
}
