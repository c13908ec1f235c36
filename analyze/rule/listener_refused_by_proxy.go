package rule

import (
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var listenerRefusedByProxy = &Rule{
	ID:       "listener-refused-by-proxy",
	Title:    "The proxy refuses a listener that its controller accepts",
	Severity: plan.Error,
	Security: true,
	Why: "Some settings are valid by themselves, and the controller, which reports Accepted=True, hands them on together to a proxy " +
		"that does not take them together. The proxy then keeps the listener as it was, or has none, and what is merged later, such " +
		"as authentication, does not hold there. No status shows this.",
	Fix:   "Remove one of the settings.",
	Check: checkRefusedByProxy,
}

func checkRefusedByProxy(s *Environment, report Report) {
	for _, k := range s.Run.Attached.Kinds {
		if len(k.Clashes) == 0 {
			continue
		}
		for _, port := range s.ports() {
			policies := securePolicies(s, k, port)
			for _, entry := range k.Clashes {
				if c, ok := clashing(policies, entry); ok {
					report(Hit{
						Target: c.listener.String(), Key: entry.Fields, At: c.at, Object: c.by,
						Title:  say("%s is refused by its proxy: %s has %s", c.listener, k.Name(), spelling.And(entry.Fields)),
						Detail: entry.Then,
					})
				}
			}
		}
	}
}

// listenerPolicy is an effective policy of a listener.
type listenerPolicy struct {
	listener *hierarchy.Node
	policy   *effective.Policy
}

// securePolicies returns the effective policies of the HTTPS listeners of a port.
func securePolicies(s *Environment, k *catalogue.Kind, port *answer.Port) []listenerPolicy {
	var out []listenerPolicy
	for _, t := range port.Tables {
		if t.Protocol != "HTTPS" {
			continue
		}
		for _, listener := range t.Listeners {
			if p := s.walked().Along(k, effective.Head, answer.Above(listener))[listener.Level]; p != nil {
				out = append(out, listenerPolicy{listener, p})
			}
		}
	}
	return out
}

// clash is what sets the last field of several that the proxy refuses together.
type clash struct {
	listener *hierarchy.Node
	by       *loader.Object
	at       loader.Position
}

// clashing reports whether the policies of a port set all fields of an entry.
func clashing(policies []listenerPolicy, entry catalogue.ClashEntry) (out clash, all bool) {
	for _, field := range entry.Fields {
		all = false
		for _, p := range policies {
			if by, at, ok := p.policy.Sets(field); ok && by != nil {
				out, all = clash{p.listener, by, at}, true
				break
			}
		}
		if !all {
			return clash{}, false
		}
	}
	return out, all
}
