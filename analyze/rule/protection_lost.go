package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
)

var protectionLost = &Rule{
	ID:       "protection-lost",
	Title:    "Targets lose authentication, authorisation, TLS or a limit",
	Severity: Error,
	Why: "The effective policy of these targets protects less after this change: a protecting field is gone (an error), or its " +
		"value is weaker or edited in a way that cannot be judged (a warning). Which fields protect is said by the kind's entry " +
		"(`gwplan kinds KIND`).",
	Fix:      "Keep the protection in a policy that still applies to every target named here.",
	Security: true,
	Compare:  compareProtectionLost,
}

func compareProtectionLost(p *Pair, report Report) {
	p.byEdit(func(c *change.Change) string {
		if staysBehind(c) {
			return ""
		}
		return strings.Join(protection(c).lost, ", ")
	}, func(h Hit, what string, c *change.Change, where string) {
		h.Message = fmt.Sprintf("%s no longer protects %s: %s is gone", c.PolicyKind.Kind, where, what)
		report(h)
	})
	p.byEdit(func(c *change.Change) string {
		if staysBehind(c) {
			return ""
		}
		return strings.Join(protection(c).loosened, ", ")
	}, func(h Hit, what string, c *change.Change, where string) {
		h.Severity = Warning
		h.Key = append(h.Key, "loosened")
		h.Message = fmt.Sprintf("%s may protect %s less: %s is weaker or edited", c.PolicyKind.Kind, where, what)
		report(h)
	})
}

// staysBehind says whether a change concerns targets that come or go
// themselves: nobody is left unprotected.
func staysBehind(c *change.Change) bool {
	return slices.Contains([]change.Kind{change.Added, change.Removed, change.Attached, change.Detached}, c.Kind)
}
