package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
)

// claim is what a headline says: that nothing changes, perhaps with words after this, that it is not known whether something
// does, or what does.
type claim struct {
	calm, unknown bool
	// first is said before a calm claim, for what a reader must know before it.
	first, text string
}

// claimOf is a claim that something changes, or none if there are no words.
func claimOf(words string) claim { return claim{text: words} }

// calm claims that nothing changes, and no more.
func calm() claim { return claim{calm: true} }

func (c claim) String() string {
	if c.calm {
		return c.first + "no effective change" + c.text
	}
	return c.text
}

// and returns the claim with more words after it. It stays what it is.
func (c claim) and(more string) claim {
	c.text += more
	return c
}

// notKnown claims that it is not known whether something changes.
func notKnown(why string) claim { return claim{unknown: true, text: "effect not known: " + why} }

// conclusion is the claim in one word. What a plan does not see, or could not read, is no calm, whatever its headline says.
func (c claim) conclusion(p *plan.Plan) plan.Conclusion {
	switch {
	case !c.calm && !c.unknown:
		return plan.ConcludesChange
	case c.unknown || slices.ContainsFunc(p.Unseen, plan.Unseen.Unknown):
		return plan.ConcludesUnknown
	case p.Incomplete && (len(p.Problems) == 0 || slices.ContainsFunc(p.Problems, concerns)):
		return plan.ConcludesIncomplete
	}
	return plan.ConcludesNone
}

// concerns reports whether a problem may hide what a change does. One that both revisions have, in a file that the change leaves
// alone, hides only edits that are unseen: without them it says nothing about this change.
func concerns(p plan.Problem) bool {
	return p.Severity != string(plan.Note) && (p.Side != plan.InBoth || p.Edited || p.LacksContent() || p.Unaffordable())
}
