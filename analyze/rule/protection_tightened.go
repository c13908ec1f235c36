package rule

import (
	"cmp"
	"fmt"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
)

var protectionTightened = &Rule{
	ID:       "protection-tightened",
	Title:    "Targets gain authentication, authorisation, TLS or a limit",
	Severity: plan.Note,
	Why:      "The effective policy of these targets protects more after this change. Clients may be refused that were served before.",
	Fix:      "Check that the clients of the targets are ready.",
	Compare:  compareProtectionTightened,
}

// tightenings are the forms of more protection, each with the verbs of its title and how the fields bring it.
var tightenings = []struct {
	key       string
	of        func(protection.Field) bool
	tells     sentence.Outcome
	one, many string
	detail    string
}{
	{"", func(f protection.Field) bool { return f.Before == nil }, sentence.Gain, "gains", "gain", "by %s of %s"},
	{"edited", func(f protection.Field) bool { return f.Before != nil && f.After != nil }, sentence.Another, "tightens", "tighten", "by %s of %s"},
	{"gone", func(f protection.Field) bool { return f.Before != nil && f.After == nil && !f.Withdrawn() }, sentence.Loss, "tightens", "tighten", "%s of %s is gone, which let more requests in"},
}

func compareProtectionTightened(p *Pair, report Report) {
	for _, form := range tightenings {
		p.byEdit(form.tells, func(c *change.Compared) fieldWords {
			if c.Kind != plan.FieldChange {
				return fieldWords{}
			}
			return listed(shift(p, c).Only(form.of).Tightened)
		}, func(h Hit, what fieldWords, c *change.Compared) {
			if form.key != "" {
				h.Key = append(h.Key, form.key)
			}
			h.Title = cmp.Or(h.Title, p.title(h, form.one, form.many, c, what))
			h.Detail = fmt.Sprintf(form.detail, what.words, c.PolicyKind.Kind)
			report(h)
		})
	}
}
