package plan

// EffectiveList is the outcome of `gwplan effective`: what applies where, and
// which line set it.
type EffectiveList struct {
	SchemaVersion string                 `json:"schemaVersion"`
	Environments  []EffectiveEnvironment `json:"environments"`
	Problems      []Problem              `json:"problems"`
	Notes         []string               `json:"notes"`
}

// EffectiveEnvironment is one environment of an EffectiveList.
type EffectiveEnvironment struct {
	Name      string      `json:"name"`
	Effective []Effective `json:"effective"`
	// Above are the policies that apply before requests reach the selected objects: those at their
	// Gateways and listeners, for kinds with effective targets there.
	Above []Above `json:"above,omitempty"`
	// Workloads are the rules of network policies in force at the selected workloads.
	Workloads []WorkloadRules `json:"workloads,omitempty"`
}

// Above names the policies of a kind that are in force at a target above the
// selected ones.
type Above struct {
	PolicyKind GroupKind `json:"policyKind"`
	Target     string    `json:"target"`
	Policies   []string  `json:"policies"`
}

// Effective is one effective policy: of a kind, at a target, in the contexts
// that share it.
type Effective struct {
	PolicyKind   GroupKind  `json:"policyKind"`
	Target       string     `json:"target"`
	Contexts     [][]string `json:"contexts"`
	ContextCount int        `json:"contextCount"`
	// Spec is the whole spec, usable as the spec of a policy of that kind.
	Spec         map[string]any   `json:"spec"`
	Fields       []EffectiveField `json:"fields"`
	Policies     []PolicyShare    `json:"policies"`
	Certain      bool             `json:"certain"`
	AgeSensitive bool             `json:"ageSensitive"`
}

// EffectiveField is one leaf of an effective policy.
type EffectiveField struct {
	Path   string `json:"path"`
	Value  any    `json:"value"`
	Source Source `json:"source"`
}

// PolicyShare is the part of one policy in one effective policy.
type PolicyShare struct {
	Policy      string      `json:"policy"`
	Enforcement Enforcement `json:"enforcement"`
	// DryRun is the annotation, NAME=VALUE, that has the policy evaluated without effect.
	DryRun string `json:"dryRun,omitempty"`
}

// PolicyList is the outcome of `gwplan policies`: what each policy affects.
type PolicyList struct {
	SchemaVersion string              `json:"schemaVersion"`
	Environments  []PolicyEnvironment `json:"environments"`
	Problems      []Problem           `json:"problems"`
	Notes         []string            `json:"notes"`
}

// PolicyEnvironment is one environment of a PolicyList.
type PolicyEnvironment struct {
	Name     string   `json:"name"`
	Policies []Policy `json:"policies"`
}

// Policy is one policy with its verdict and what it affects.
type Policy struct {
	Policy           string          `json:"policy"`
	Class            string          `json:"class"`
	DeclaredTargets  []string        `json:"declaredTargets"`
	Accepted         string          `json:"accepted"`
	Reason           string          `json:"reason"`
	Enforcement      Enforcement     `json:"enforcement"`
	Targets          []TargetVerdict `json:"targets"`
	EffectiveTargets int             `json:"effectiveTargets"`
	Contexts         int             `json:"contexts"`
	// Affects names effective targets and, for routes, the backends below them.
	Affects       []string       `json:"affects"`
	AffectsByKind map[string]int `json:"affectsByKind"`
	AgeSensitive  bool           `json:"ageSensitive"`
	DecidedBy     string         `json:"decidedBy,omitempty"`
	// Conditions are the controller's own conditions, see [Verdict].
	Conditions []string `json:"conditions,omitempty"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
}

// Tree is the outcome of `gwplan tree`: the hierarchy with policies.
type Tree struct {
	SchemaVersion string            `json:"schemaVersion"`
	Environments  []TreeEnvironment `json:"environments"`
	Problems      []Problem         `json:"problems"`
	Notes         []string          `json:"notes"`
}

// TreeEnvironment is one environment of a Tree.
type TreeEnvironment struct {
	Name  string     `json:"name"`
	Roots []TreeNode `json:"roots"`
}

// TreeNode is one node and what is below it. A node with several parents is
// shown below each.
type TreeNode struct {
	Node string `json:"node"`
	// Admitted is "true", "false" or "unknown" for the edge from the parent; Reason explains the
	// last two.
	Admitted string `json:"admitted"`
	Reason   string `json:"reason,omitempty"`
	// Conditions report what is wrong with the node itself, or not known.
	Conditions []NodeCondition `json:"conditions,omitempty"`
	// Missing is true if the object is not in the input.
	Missing   bool     `json:"missing,omitempty"`
	Hostnames []string `json:"hostnames,omitempty"`
	// Callers is the only namespace from which callers use a consumer route.
	Callers  string     `json:"callers,omitempty"`
	Policies []string   `json:"policies,omitempty"`
	Children []TreeNode `json:"children"`
	// Elsewhere counts the routes that are refused here, and not shown, because another listener accepts the same parentRef.
	Elsewhere int `json:"elsewhere,omitempty"`
}

// NodeCondition is a condition of a node that is not true, or not known to be.
type NodeCondition struct {
	Type, Reason, Message string
	Unknown               bool
}

func (c NodeCondition) String() string { return c.Type + "/" + c.Reason + ": " + c.Message }

// MarshalText makes the condition one text in documents, TYPE/REASON: explanation.
func (c NodeCondition) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// EnvironmentList lists what was found in a tree: the environments, the parts of each, what is
// missing, and what nothing deploys.
type EnvironmentList struct {
	SchemaVersion string              `json:"schemaVersion"`
	Environments  []ListedEnvironment `json:"environments"`
	LeftOut       []string            `json:"leftOut"`
	Problems      []Problem           `json:"problems"`
	Notes         []string            `json:"notes"`
}

// ListedEnvironment is one environment. Deployer names what determines its objects; Gaps are
// sources of objects that are not known.
type ListedEnvironment struct {
	Name       string       `json:"name"`
	Path       string       `json:"path"`
	Deployer   string       `json:"deployer"`
	Incomplete bool         `json:"incomplete"`
	Objects    int          `json:"objects"`
	Parts      []ListedPart `json:"parts"`
	Gaps       []ListedGap  `json:"gaps"`
}

// ListedPart is one thing that an environment is made of: a kustomization, files,
// a chart. By is the object that applies it, if any.
type ListedPart struct {
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Objects int    `json:"objects"`
	By      string `json:"by"`
}

// ListedGap is a source of objects that are not known. Namespace limits where they could be; empty
// means anywhere.
type ListedGap struct {
	What      string `json:"what"`
	Namespace string `json:"namespace"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
}
