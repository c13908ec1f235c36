package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
)

var protectionTightened = &Rule{
	ID:       "protection-tightened",
	Title:    "Targets gain authentication, authorisation, TLS or a limit",
	Severity: plan.Note,
	Why:      "The effective policy of these targets protects more after this change. Clients may be refused that were served before.",
	Fix:      "Check that the clients of the targets are ready.",
	Compare:  compareProtectionTightened,
}

func compareProtectionTightened(p *Pair, report Report) {
	p.byEdit(func(c *change.Compared) said {
		if c.Kind != plan.FieldChange {
			return said{}
		}
		return listed(shift(p, c).Tightened)
	}, func(h Hit, what said, c *change.Compared) {
		h.Title = p.title(h.Subject, "gains", "gain", c, what)
		h.Message = fmt.Sprintf("%s protects %s more: %s", c.PolicyKind.Kind, h.Subject, what.words) + doubt(c)
		report(h)
	})
}
