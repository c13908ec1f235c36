package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
)

var namedEntryMissing = &Rule{
	ID:       "named-entry-missing",
	Title:    "A policy refers to an entry of its own that does not exist",
	Severity: plan.Warning,
	Why: "Some parts of a policy name others, such as a rule of authorization the provider of the tokens that it reads. Where the " +
		"entry is renamed or removed and the name stays, the controller reports nothing: the rule matches nobody, or its " +
		"condition is left out, which may let everybody in (then it is an error). The entries of the effective policy count, whoever sets them.",
	Fix:      "Give the name that the entry has, or add the entry.",
	Security: true,
	Compare:  compareNamedEntries,
}

func compareNamedEntries(p *Pair, report Report) {
	p.byEdit(sentence.Another, func(c *change.Compared) fieldWords {
		return fieldWords{words: danglingWords(newlyDangling(c))}
	}, func(h Hit, what fieldWords, c *change.Compared) {
		missing := newlyDangling(c)
		h.Title = fmt.Sprintf("%s: the %s in force names %s, which it does not have", h.Subject, c.PolicyKind.Kind, what.words)
		h.Detail = missing[0].Then
		if slices.ContainsFunc(missing, func(d effective.Dangling) bool { return d.Opens }) {
			h.Severity, h.Opens = plan.Error, true
		}
		report(h)
	})
}

// newlyDangling are the names of the effective policy after a change that lack their entry, and did not before it.
func newlyDangling(c *change.Compared) []effective.Dangling {
	_, before, after := c.Effective()
	is := after.Dangling()
	if len(is) == 0 {
		return nil
	}
	was := before.Dangling()
	return slices.DeleteFunc(is, func(d effective.Dangling) bool {
		return slices.ContainsFunc(was, func(other effective.Dangling) bool { return other.Naming == d.Naming && other.Name == d.Name })
	})
}

func danglingWords(missing []effective.Dangling) string {
	var out []string
	for _, d := range missing {
		out = append(out, fmt.Sprintf("%s %q", d.Field, d.Name))
	}
	return spelling.And(slices.Compact(out))
}
