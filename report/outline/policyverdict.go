package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

// VerdictsText describes how the verdict of a policy changed: "enforced at 1 target → absent". If
// both texts are equal, it lists the details that differ, or returns "" if none do.
func VerdictsText(c *plan.PolicyChange) string {
	if c.Formerly != "" {
		return formerText(c)
	}
	before, after := verdictText(c.Before), verdictText(c.After)
	if before != after || c.Before == nil || c.After == nil {
		return before + " → " + after
	}
	differ := verdictsDiffer(c.Before, c.After)
	if len(differ) == 0 {
		return ""
	}
	return after + "; " + strings.Join(differ, "; ")
}

// formerText names what a policy was called before: "was SecurityPolicy shop/auth; same effect".
func formerText(c *plan.PolicyChange) string {
	text := "was " + NodeName(c.Formerly)
	before, after := verdictText(c.Before), verdictText(c.After)
	switch {
	case before != after:
		return text + "; " + before + " → " + after
	case c.SameEffect:
		return text + "; same effect"
	}
	return text + "; " + after
}

// verdictsDiffer lists the differences that the texts of two verdicts do not show.
func verdictsDiffer(before, after *plan.Verdict) []string {
	differ := targetsDiffer(before.Targets, after.Targets)
	if before.Contexts != after.Contexts {
		differ = append(differ, fmt.Sprintf("%s → %d", spelling.Count(before.Contexts, "context"), after.Contexts))
	}
	if before.Reason != after.Reason {
		differ = append(differ, "reason "+cmp.Or(before.Reason, "none")+" → "+cmp.Or(after.Reason, "none"))
	}
	if before.EffectiveTargets != after.EffectiveTargets {
		differ = append(differ, fmt.Sprintf("%s → %d", spelling.Count(before.EffectiveTargets, "target"), after.EffectiveTargets))
	}
	if before.DecidedBy != after.DecidedBy {
		differ = append(differ, "decided by "+criterion(before.DecidedBy)+" → "+criterion(after.DecidedBy))
	}
	return differ
}

// targetsDiffer compares the declared targets: those added, those removed, and those with a
// different verdict.
func targetsDiffer(before, after []plan.TargetVerdict) []string {
	var gone, come, differ []string
	for _, t := range before {
		if !slices.ContainsFunc(after, func(o plan.TargetVerdict) bool { return o.Target == t.Target }) {
			gone = append(gone, NodeName(t.Target))
		}
	}
	for _, t := range after {
		i := slices.IndexFunc(before, func(o plan.TargetVerdict) bool { return o.Target == t.Target })
		if i < 0 {
			come = append(come, NodeName(t.Target))
			continue
		}
		if b, a := targetVerdictText(before[i]), targetVerdictText(t); b != a {
			differ = append(differ, "at "+NodeName(t.Target)+": "+b+" → "+a)
		}
	}
	const shown = 3
	if rest := len(differ) - shown; rest > 0 {
		differ = append(differ[:shown], fmt.Sprintf("and %d more", rest))
	}
	switch {
	case len(gone) > 0 && len(come) > 0:
		return append([]string{"attached to " + fewAnd(come) + ", previously to " + fewAnd(gone)}, differ...)
	case len(gone) > 0:
		return append([]string{"no longer attached to " + fewAnd(gone)}, differ...)
	case len(come) > 0:
		return append([]string{"also attached to " + fewAnd(come)}, differ...)
	}
	return differ
}

func targetVerdictText(t plan.TargetVerdict) string {
	text := string(t.Enforcement)
	switch t.Accepted {
	case plan.False:
		text = "not accepted" + ReasonText(t.Reason)
	case plan.Unknown:
		text += ", acceptance unknown" + ReasonText(t.Reason)
	}
	return text
}
