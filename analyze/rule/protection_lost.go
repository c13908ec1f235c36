package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
)

var protectionLost = &Rule{
	ID:       "protection-lost",
	Title:    "Targets lose authentication, authorisation, TLS or a limit",
	Severity: plan.Error,
	Why: "The effective policy of these targets protects less after this change: a protecting field is gone or its mode is a " +
		"lower one (errors), or its value is weaker or edited in a way that cannot be judged (warnings). Which fields protect is " +
		"said by the kind's entry (`gwplan kinds KIND`).",
	Fix:      "Keep the protection in a policy that still applies to every target named here.",
	Security: true,
	Compare:  compareProtectionLost,
}

// losses are the forms of weaker protection, each with the list of its fields and its message.
var losses = []struct {
	key      string
	severity plan.Severity
	of       func(protection.Shift) []protection.Field
	message  string
}{
	{"", plan.Error, func(s protection.Shift) []protection.Field { return s.Lost }, "%s no longer protects %s: %s is gone"},
	{"lowered", plan.Error, func(s protection.Shift) []protection.Field { return s.Lowered }, "%s protects %s less: %s is lower"},
	{"weakened", plan.Warning, func(s protection.Shift) []protection.Field { return s.Weakened }, "%s protects %s less: %s is weaker"},
	{"let in", plan.Warning, func(s protection.Shift) []protection.Field { return s.LetIn }, "%s protects %s less with %s"},
	{"replaced", plan.Warning, func(s protection.Shift) []protection.Field { return s.Replaced }, "%s authenticates %s differently: another authentication replaces %s"},
	{"loosened", plan.Warning, func(s protection.Shift) []protection.Field { return s.Edited }, "%s may protect %s less: %s is edited"},
}

// ownLosses are the ways in which an object of Gateway API itself protects less.
var ownLosses = []ownLoss{
	{key: "lost", severity: plan.Error, of: func(s protection.Shift) []protection.Field { return s.Lost }, message: "%s loses %s"},
	{key: "lowered", severity: plan.Error, of: func(s protection.Shift) []protection.Field { return s.Lowered }, message: "%s protects less: %s is lower"},
	{key: "weakened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Weakened }, message: "%s protects less: %s is weaker"},
	{key: "let in", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.LetIn }, message: "%s protects less with %s"},
	{key: "replaced", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Replaced }, message: "%s authenticates otherwise: another authentication takes the place of %s"},
	{key: "loosened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Edited }, message: "%s may protect less: %s is edited"},
}

func compareProtectionLost(p *Pair, report Report) {
	if p.Base != nil && p.Head != nil {
		reportOwn(p, false, ownLosses, report)
		reportWays(p, report)
	}
	shifts := map[*change.Compared]protection.Shift{} // each form of loss asks for them again
	for _, loss := range losses {
		p.byEdit(func(c *change.Compared) said {
			if staysBehind(c) {
				return said{}
			}
			s, known := shifts[c]
			if !known {
				s = shift(c)
				shifts[c] = s
			}
			if givesItself(p, c) {
				s = s.Only(func(f protection.Field) bool { return f.What != protection.TLS })
			}
			return listed(loss.of(s))
		}, func(h Hit, what string, c *change.Compared) {
			if loss.key != "" {
				h.Key = append(h.Key, loss.key)
			}
			h.Severity = loss.severity
			h.Message = fmt.Sprintf(loss.message, c.PolicyKind.Kind, h.Subject, what) + doubt(c)
			report(h)
		})
	}
}

// staysBehind reports whether a change concerns targets that are themselves added or removed:
// nothing remains unprotected.
func staysBehind(c *change.Compared) bool {
	return slices.Contains([]plan.ChangeKind{plan.Added, plan.Removed, plan.Attached, plan.Detached}, c.Kind)
}

// shift returns the effect of a change on the protection of its targets.
func shift(c *change.Compared) protection.Shift {
	return protection.Between(c.Effective())
}

// Loosens reports whether targets of a change are known to be protected less.
func Loosens(c *change.Compared) bool {
	return !staysBehind(c) && shift(c).Loosens()
}
