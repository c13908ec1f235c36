package rule

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

var kindAssumed = &Rule{
	ID:       "kind-assumed",
	Title:    "The semantics of a policy kind are assumed",
	Severity: plan.Note,
	Why: "The kind is not in the catalogue. What its policies do is computed by GEP-713's defaults, which its controller " +
		"may not follow.",
	Fix:   "Describe the kind in `kinds` of the configuration.",
	Check: checkKindAssumed,
}

func checkKindAssumed(s *Environment, report Report) {
	for _, k := range s.Run.Attached.Kinds {
		if !k.Assumed() {
			continue
		}
		for _, p := range s.Run.Attached.Policies {
			if p.Kind == k {
				report(Hit{Target: k.String(), At: p.Object.First(), Title: k.Notes[0], Detail: strings.Join(k.Notes[1:], "; ")})
				break
			}
		}
	}
}
