package plan

// WorkloadRules are the rules of network policies in force at a workload, in the order in which they are
// asked.
type WorkloadRules struct {
	Workload string         `json:"workload"`
	Ingress  DirectionRules `json:"ingress"`
	Egress   DirectionRules `json:"egress"`
}

// DirectionRules are those of one direction. Otherwise is what happens to connections that no rule takes:
// allow, deny or unknown.
type DirectionRules struct {
	Rules     []NetworkRule `json:"rules"`
	Otherwise string        `json:"otherwise"`
	// Isolating are the policies because of which what no rule takes is denied.
	Isolating []string `json:"isolating"`
}

// NetworkRule is one rule. Peers and Ports are in words.
type NetworkRule struct {
	Policy string `json:"policy"`
	Tier   string `json:"tier"`
	// Priority orders the policies of a tier; it is empty for kinds without one.
	Priority string `json:"priority,omitempty"`
	// Rule is empty where the policy denies what none of its rules takes.
	Rule    string `json:"rule"`
	Action  string `json:"action"`
	Peers   string `json:"peers"`
	Ports   string `json:"ports"`
	Only    string `json:"only,omitempty"`
	Doubt   string `json:"doubt,omitempty"`
	Certain bool   `json:"certain"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}
