package rule

import "github.com/gwplan/gwplan/analyze/plan"

var connectionCut = &Rule{
	ID:       "connection-cut",
	Title:    "Network policies deny connections that they allowed before",
	Severity: plan.Warning,
	Why: "These pods, addresses or names could connect before the change, and now they cannot: a policy isolates the pods and no " +
		"rule allows the connection, a rule denies it, or the labels by which policies select pods or namespaces differ.",
	Fix:     "If the connection is needed, allow it in a policy of each end that is isolated.",
	Compare: func(p *Pair, report Report) { reportConnections(p, plan.ConnectionsCut, report) },
}
