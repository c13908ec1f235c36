package rule

import (
	"fmt"
	"strings"
)

var protectionTightened = &Rule{
	ID:       "protection-tightened",
	Title:    "Targets gain authentication, authorisation, TLS or a limit",
	Severity: Note,
	Why:      "The effective policy of these targets protects more after this change. Clients may be refused that were served before.",
	Fix:      "Check that the clients of the targets are ready.",
	Compare:  compareProtectionTightened,
}

func compareProtectionTightened(p *Pair, report Report) {
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		if c.Kind != "field" {
			continue
		}
		if gained := protection(c).tightened; len(gained) > 0 {
			report(p.hit(c, fmt.Sprintf("%s protects more: %s for %s", c.PolicyKind.Kind, strings.Join(gained, ", "), reach(c))))
		}
	}
}
