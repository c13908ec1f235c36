package status

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// wording puts the verdicts on one policy into the conditions that its kind's controller writes.
type wording struct {
	run     *effective.Run
	inForce *inForce
	policy  *policy.Policy
}

// conditions are those of one declared target.
func (w *wording) conditions(ref *policy.Reference) []plan.Condition {
	if broken := w.policy.Partial(w.run.Graph); broken != nil && ref.Accepted == fact.True {
		c := w.said("partly-valid")
		if policy.OnlyWrong(w.policy, broken) {
			c = w.said("invalid")
			c.Message, c.At, c.Bad = broken.Message, broken.Position(), true
			attached := plan.Condition{Type: w.said("attached").Type, Status: "False", Reason: "Pending", Message: broken.Message, At: c.At, Bad: true}
			return []plan.Condition{c, attached}
		}
		c.Message, c.At, c.Bad = broken.Message, broken.Position(), true
		return []plan.Condition{c}
	}
	out := []plan.Condition{w.accepted(ref)}
	if w.policy.Kind.Status["attached"] != "" {
		out = append(out, w.attached(ref))
	}
	if ref.Accepted == fact.False {
		out = append(out, w.along(ref, out)...)
	}
	if ref.Accepted == fact.True {
		if c, ok := w.inForce.condition(w.policy); ok {
			// Conditions are a map by type: the controller writes this one last, so it replaces
			// the other.
			out = slices.DeleteFunc(out, func(had plan.Condition) bool { return had.Type == c.Type })
			out = append(out, c)
		}
	}
	if ref.Accepted == fact.True && slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool { return len(w.run.YieldsTo(w.policy, n)) > 0 }) {
		if c := w.said("yields"); c.Type != "" {
			out = append(out, c)
		}
	}
	if w.policy.Resolved.Type != "" {
		out = append(out, conditionOf(&w.policy.Resolved))
	}
	return out
}

// verdictWord is the key in an entry's status for the reason of a reference.
func verdictWord(reason string) string {
	return map[string]string{
		policy.Accepted: "accepted", policy.Conflicted: "loser", policy.TargetNotFound: "target", policy.Invalid: "invalid",
		policy.RefNotAllowed: "grant",
	}[reason]
}

// accepted is the verdict on a declared target. It uses the type and reason that the kind's
// controller writes, if the entry has them.
func (w *wording) accepted(ref *policy.Reference) plan.Condition {
	c := plan.Condition{
		Type: hierarchy.Accepted, Status: word(ref.Accepted), Reason: ref.Reason, Message: ref.Message,
		At: ref.Position(), Bad: ref.Accepted == fact.False,
	}
	if ref.Accepted == fact.Unknown {
		return c
	}
	if ref.Holds && w.policy.Broken != nil {
		c.At = w.policy.Broken.Position()
	}
	if said := w.said(verdictWord(ref.Reason)); said.Status == c.Status {
		c.Type, c.Reason = said.Type, said.Reason
	}
	return c
}

// along is the condition that a kind's controller writes together with its verdict, if the entry
// has one and its type is not present yet: "VERDICT; with TYPE=STATUS/REASON".
func (w *wording) along(ref *policy.Reference, there []plan.Condition) []plan.Condition {
	_, text, found := strings.Cut(w.policy.Kind.Status[verdictWord(ref.Reason)], "; with ")
	c := condition(text)
	if !found || c.Reason == "" || strings.ContainsAny(text, " ,") || slices.ContainsFunc(there, func(had plan.Condition) bool { return had.Type == c.Type }) {
		return nil
	}
	return []plan.Condition{c}
}

// attached is an additional condition of a kind. It is False with reason Pending if the policy
// is attached to nothing.
func (w *wording) attached(ref *policy.Reference) plan.Condition {
	c := w.said("attached")
	switch ref.Accepted {
	case fact.Unknown:
		c.Status, c.Reason, c.Message = "Unknown", ref.Reason, ref.Message
	case fact.False:
		c.Status, c.Reason, c.Message, c.Bad = "False", "Pending", ref.Message, true
	case fact.True:
	}
	return c
}

// said is a condition with the type, status and reason in the kind's entry, TYPE=STATUS/REASON.
func (w *wording) said(what string) plan.Condition { return condition(w.policy.Kind.Status[what]) }

// condition reads a condition as a kind's entry writes it: TYPE=STATUS/REASON; MESSAGE.
func condition(said string) plan.Condition {
	said, message, _ := strings.Cut(said, "; ")
	kind, rest, _ := strings.Cut(said, "=")
	status, reason, _ := strings.Cut(rest, "/")
	return plan.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}
