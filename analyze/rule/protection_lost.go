package rule

import (
	"fmt"
	"strings"
)

var protectionLost = &Rule{
	ID:       "protection-lost",
	Title:    "Targets lose authentication, authorisation, TLS or a limit",
	Severity: Error,
	Why: "The effective policy of these targets protects less after this change: a protecting field is gone, or its value is " +
		"weaker. Which fields protect is said by the kind's entry (`gwplan kinds KIND`).",
	Fix:      "Keep the protection in a policy that still applies to every target named here.",
	Security: true,
	Compare:  compareProtectionLost,
}

func compareProtectionLost(p *Pair, report Report) {
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		// What comes or goes with its target leaves nobody unprotected.
		if c.Kind == "added" || c.Kind == "removed" || c.Kind == "attached" || c.Kind == "detached" {
			continue
		}
		if lost := protection(c).lost; len(lost) > 0 {
			report(p.hit(c, fmt.Sprintf("%s protects less: %s for %s", c.PolicyKind.Kind, strings.Join(lost, ", "), reach(c))))
		}
	}
}
