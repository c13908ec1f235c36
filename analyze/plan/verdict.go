package plan

// Enforcement says how much of a policy is in force.
type Enforcement string

// The enforcements of a policy. A policy without contexts has None, one that
// lost a None conflict is Conflicted.
const (
	Enforced           Enforcement = "enforced"
	PartiallyEnforced  Enforcement = "partially-enforced"
	Overridden         Enforcement = "overridden"
	Conflicted         Enforcement = "conflicted"
	NotEnforced        Enforcement = "none"
	EnforcementUnknown Enforcement = "unknown"
)

// Verdict is what becomes of one policy (GEP-713, Policy status).
type Verdict struct {
	// Accepted is "true", "false" or "unknown"; Reason a condition's reason.
	Accepted    string          `json:"accepted"`
	Reason      string          `json:"reason"`
	Enforcement Enforcement     `json:"enforcement"`
	Targets     []TargetVerdict `json:"targets"`
	// EffectiveTargets and Contexts count where the policy takes part.
	EffectiveTargets int  `json:"effectiveTargets"`
	Contexts         int  `json:"contexts"`
	AgeSensitive     bool `json:"ageSensitive"`
	// DecidedBy says what broke a tie: creationTimestamp, annotation,
	// base-before-head or name.
	DecidedBy string `json:"decidedBy,omitempty"`
	// Conditions are the controller's own words, TYPE=STATUS/REASON, where they say
	// more than that all is well.
	Conditions []string `json:"conditions,omitempty"`
}

// TargetVerdict is what becomes of one policy at one declared target.
type TargetVerdict struct {
	Target      string      `json:"target"`
	Accepted    string      `json:"accepted"`
	Reason      string      `json:"reason"`
	Enforcement Enforcement `json:"enforcement"`
}

// Deciders of an order.
const (
	ByBase       = "base-before-head"
	ByTimestamp  = "creationTimestamp"
	ByAnnotation = "annotation"
	ByName       = "name"
	ByField      = "field"
	// ByNothing stands for an order that no rule of the kind gives.
	ByNothing = "nothing"
)
