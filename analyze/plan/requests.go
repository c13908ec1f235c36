package plan

// RequestChange is a set of requests that are answered differently.
type RequestChange struct {
	Class RequestClass `json:"class"`
	// Requests describe the set, one hostname, path and method each: "POST pay.example.com/api/*". The
	// list may be cut; Count is exact.
	Requests []string `json:"requests"`
	Count    int      `json:"count"`
	// Witness is one of the requests, Headers are those that it needs.
	Witness string   `json:"witness"`
	Headers []string `json:"headers,omitempty"`
	// Selected is true if only those of the requests are meant that the rules of a policy match: the witness may be another.
	Selected bool `json:"selected,omitempty"`
	// Before and After are the rules that answer the witness, nil if none does.
	Before *RequestRule `json:"before"`
	After  *RequestRule `json:"after"`
	// Differences say what differs beside the rule, one clause each.
	Differences []string `json:"differences,omitempty"`
	// Causes are the edits of the rules, routes, listeners and Gateways that answer, or answered before.
	Causes []Cause `json:"causes,omitempty"`
	// Unprotected is true for requests that were not answered before, or by another Gateway only, and are now without any
	// authentication or authorisation.
	Unprotected bool `json:"unprotected,omitempty"`
	// Redirect is true if only a redirect is lost or gained.
	Redirect bool `json:"redirect,omitempty"`
	// Certain is false if it is not known whether one of the rules is attached.
	Certain bool `json:"certain"`
	// Perhaps is the class that requests of the class unknown have if there are such requests, Unknown says
	// why that is not known.
	Perhaps RequestClass `json:"perhaps,omitempty"`
	Unknown []string     `json:"unknown,omitempty"`
}

// RequestRule is a rule that answers requests.
type RequestRule struct {
	Gateway  string `json:"gateway"`
	Listener string `json:"listener"`
	Port     string `json:"port,omitempty"`
	Rule     string `json:"rule"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// RequestClass is what becomes of requests.
type RequestClass string

// The classes, worst first: less protected, no longer answered, perhaps one of the others, answered by another
// rule, by the same rule in another way, newly answered, more protected.
const (
	RequestsExposed RequestClass = "exposed"
	RequestsLost    RequestClass = "lost"
	RequestsUnknown RequestClass = "unknown"
	RequestsMoved   RequestClass = "moved"
	RequestsChanged RequestClass = "changed"
	RequestsGained  RequestClass = "gained"
	RequestsGuarded RequestClass = "guarded"
)

// Rank orders classes, worst first.
func (c RequestClass) Rank() int {
	for i, class := range []RequestClass{RequestsExposed, RequestsLost, RequestsUnknown, RequestsMoved, RequestsChanged, RequestsGained, RequestsGuarded} {
		if c == class {
			return i
		}
	}
	return 0
}

// Effect is the class, or the one that requests of the class unknown have perhaps.
func (r *RequestChange) Effect() RequestClass {
	if r.Class == RequestsUnknown {
		return r.Perhaps
	}
	return r.Class
}

// GrantsAccess reports whether requests are less protected, or are newly answered without protection (also by another
// Gateway than before), or whether that is not known.
func (r *RequestChange) GrantsAccess() bool {
	return r.Effect() == RequestsExposed || (r.Effect() == RequestsGained || r.Effect() == RequestsMoved) && r.Unprotected
}
