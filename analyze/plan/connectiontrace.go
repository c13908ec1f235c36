package plan

// ConnectionTrace is the outcome of `gwplan trace --from --to`: what network policies say of connections,
// in one revision or in two.
type ConnectionTrace struct {
	SchemaVersion string                       `json:"schemaVersion"`
	Environments  []ConnectionTraceEnvironment `json:"environments"`
	Problems      []Problem                    `json:"problems"`
	Notes         []string                     `json:"notes"`
	// Found is true if some environment has both ends.
	Found bool `json:"-"`
	// Absent says which end no environment has, if Found is false and not only no environment has both.
	Absent string `json:"-"`
}

// ConnectionTraceEnvironment is one environment of a ConnectionTrace.
type ConnectionTraceEnvironment struct {
	Name        string             `json:"name"`
	Connections []TracedConnection `json:"connections"`
}

// TracedConnection is one connection. Base is nil unless two revisions are compared; Result is then same,
// differs or unknown. Head is nil if only base has both ends.
type TracedConnection struct {
	From   string              `json:"from"`
	To     string              `json:"to"`
	Port   string              `json:"port"`
	Result string              `json:"result,omitempty"`
	Base   *ConnectionDecision `json:"base,omitempty"`
	Head   *ConnectionDecision `json:"head,omitempty"`
}

// ConnectionDecision is what the policies of both ends say. Allowed is true, false or unknown.
type ConnectionDecision struct {
	Allowed string         `json:"allowed"`
	Egress  ConnectionSide `json:"egress"`
	Ingress ConnectionSide `json:"ingress"`
}

// ConnectionSide is what the policies of one end say. There are no steps if no policy has a say.
type ConnectionSide struct {
	Allowed string           `json:"allowed"`
	Steps   []ConnectionStep `json:"steps"`
	// Selected is false if no policy selects the end in this direction.
	Selected bool `json:"selected"`
}

// ConnectionStep is a rule that takes the connection, or a policy that denies what no rule takes.
type ConnectionStep struct {
	Policy string `json:"policy"`
	Tier   string `json:"tier"`
	// Rule is empty where the policy denies because no rule takes the connection.
	Rule    string `json:"rule,omitempty"`
	Action  string `json:"action"`
	Only    string `json:"only,omitempty"`
	Certain bool   `json:"certain"`
	Doubt   string `json:"doubt,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}
