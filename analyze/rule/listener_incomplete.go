package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerIncomplete = &Rule{
	ID:       "listener-incomplete",
	Title:    "A listener lacks something, or has what its protocol or its controller does not allow",
	Severity: plan.Error,
	Why: "HTTPS and TLS need tls, and certificates where they terminate it; HTTP, TCP and UDP have no tls; from: " +
		"Selector needs a selector. Otherwise the API server refuses the object or the controller does not program " +
		"the listener. Some controllers do not program one with a TLS option that they do not know, either.",
	Fix:   "Add what the message says is needed, or remove what the protocol does not allow.",
	Check: checkListenerIncomplete,
}

// Other rules report the condition that causes Programmed=False, if there is one.
func checkListenerIncomplete(s *Environment, report Report) {
	s.bad(report, func(n *hierarchy.Node, c *hierarchy.Condition) bool {
		if n.Level != hierarchy.LevelListener || c.Type != hierarchy.Programmed {
			return false
		}
		for _, kind := range []string{hierarchy.Accepted, hierarchy.ResolvedRefs, hierarchy.ConflictedIs} {
			if other := n.Condition(kind); other != nil && other.Bad() && !(kind == hierarchy.Accepted && other.Message == c.Message) {
				return false
			}
		}
		return true
	})
}
