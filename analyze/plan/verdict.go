package plan

// Enforcement is how much of a policy is in force.
type Enforcement string

// The enforcements of a policy. Conflicted means that the policy was rejected for a conflict,
// NotEnforced that it is in force in no context.
const (
	Enforced           Enforcement = "enforced"
	PartiallyEnforced  Enforcement = "partially-enforced"
	Overridden         Enforcement = "overridden"
	Conflicted         Enforcement = "conflicted"
	NotEnforced        Enforcement = "none"
	EnforcementUnknown Enforcement = "unknown"
)

// Verdict is the result for one policy (GEP-713, Policy status).
type Verdict struct {
	// Accepted is "true", "false" or "unknown"; Reason is the reason of a condition.
	Accepted    string          `json:"accepted"`
	Reason      string          `json:"reason"`
	Enforcement Enforcement     `json:"enforcement"`
	Targets     []TargetVerdict `json:"targets"`
	// EffectiveTargets and Contexts count those in which the policy takes part.
	EffectiveTargets int  `json:"effectiveTargets"`
	Contexts         int  `json:"contexts"`
	AgeSensitive     bool `json:"ageSensitive"`
	// DecidedBy is what broke a tie: creationTimestamp, annotation, base-before-head, field, name
	// or nothing.
	DecidedBy string `json:"decidedBy,omitempty"`
	// Conditions are the controller's own conditions, TYPE=STATUS/REASON, if they report more than
	// success.
	Conditions []string `json:"conditions,omitempty"`
}

// TargetVerdict is the result for one policy at one declared target.
type TargetVerdict struct {
	Target      string      `json:"target"`
	Accepted    string      `json:"accepted"`
	Reason      string      `json:"reason"`
	Enforcement Enforcement `json:"enforcement"`
}

// The values of DecidedBy.
const (
	ByBase       = "base-before-head"
	ByTimestamp  = "creationTimestamp"
	ByAnnotation = "annotation"
	ByName       = "name"
	ByField      = "field"
	// ByNothing means that no rule of the kind defines the order.
	ByNothing = "nothing"
)

// Because says in words why a policy comes before another: "of its name".
func Because(decidedBy string) string {
	if decidedBy == ByBase {
		return "it was there before"
	}
	return "of its " + decidedBy
}
