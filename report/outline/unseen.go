package outline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// UnseenText describes a change whose rendered result is not known.
func UnseenText(u *plan.Unseen) string {
	verb := map[string]string{plan.EditAdded: "is added", plan.EditRemoved: "is removed"}[u.Change]
	if verb == "" {
		verb = "changes"
	}
	switch {
	case u.LeftOut:
		return fmt.Sprintf("%s %s, and nothing deploys it", u.What, verb)
	case u.Unused:
		return fmt.Sprintf("%s %s, and nothing that was read refers to it; something that was not read may use it (%s)", u.What, verb, Few(u.Says))
	case u.Waited:
		return fmt.Sprintf("what waited in %s takes effect (%s), and is not part of this comparison", u.What, Few(u.Says))
	case u.Sealed && u.Change != plan.EditChanged:
		return fmt.Sprintf("%s %s, which %s: the effect of that is not followed", u.What, verb, inTurn(u.Says, "reads", "read"))
	case u.Sealed:
		return fmt.Sprintf("%s changes, which %s: its values are not examined", u.What, inTurn(u.Says, "reads", "read"))
	case u.Makes != "":
		return fmt.Sprintf("%s %s, which makes %s; %s it, and its new content is not followed", u.What, verb, u.Makes, inTurn(u.Says, "reads", "read"))
	case u.Reprogrammed():
		return fmt.Sprintf("%s %s (%s); %s it, and what it answers is not followed", u.What, verb, Few(u.Says), inTurn(u.Behind, "asks", "ask"))
	case len(u.Behind) > 0:
		return fmt.Sprintf("%s %s (%s); %s there, and which endpoints get them is not followed", u.What, verb, Few(u.Says), inTurn(u.Behind, "sends requests", "send requests"))
	case u.Version:
		return fmt.Sprintf("%s %s: gwplan does not know its version %s, and a cluster that does not serve it refuses the object", u.What, verb, fewAnd(u.Says))
	case u.Uncompared:
		return fmt.Sprintf("%s %s: the connections that it allows now are too many to compare", u.What, verb)
	case u.Relabelled:
		return fmt.Sprintf("%s changes the labels or ports of its pods; %s them, now or before, and what that does to them is not followed", u.What, inTurn(u.Says, "selects", "select"))
	case u.Account != "":
		return fmt.Sprintf("%s now sends requests as ServiceAccount %s; %s this one or the previous one, and what that admits is not followed", u.What, u.Account, inTurn(u.Says, "names", "name"))
	case u.Global:
		return fmt.Sprintf("%s %s, which is for %s: its effect on them is not followed", u.What, verb, fewAnd(u.Says))
	case u.ForOthers:
		return fmt.Sprintf("%s changes %s: its effect on other programs is not followed", u.What, fewAnd(u.Says))
	case u.TakesOver != "" && u.Change == plan.EditChanged:
		return fmt.Sprintf("%s takes over %s: it may apply nothing (%s)", u.What, u.TakesOver, Few(u.Says))
	case u.TakesOver != "":
		return fmt.Sprintf("%s is added and takes over %s: it may apply nothing (%s)", u.What, u.TakesOver, Few(u.Says))
	case u.Unfollowed:
		return fmt.Sprintf("%s changes settings that are not followed: it may apply something else, or nothing (%s)", u.What, Few(u.Says))
	case u.MayMatter():
		return fmt.Sprintf("%s %s and is not rendered: it may change %s (%s)", u.What, verb, u.MayChange(), Few(u.Says))
	}
	if u.Opaque {
		return fmt.Sprintf("%s %s and is not rendered: its content is not known", u.What, verb)
	}
	if u.Change == plan.EditAdded {
		return u.What + " is added and is not rendered: what it brings is not known, and nothing in it concerns routes"
	}
	return fmt.Sprintf("%s %s and is not rendered: none of the changed keys concerns routes", u.What, verb)
}

// inTurn says that one or several objects do something.
func inTurn(by []string, one, many string) string {
	if len(by) == 1 {
		return by[0] + " " + one
	}
	return fewAnd(by) + " " + many
}

// EffectUnknown is the rule of what UnknownEffects makes.
const EffectUnknown = "effect-unknown"

// UnknownEffects documents EffectUnknown. No rule checks it, so it has no page.
func UnknownEffects() plan.RuleDoc {
	return plan.RuleDoc{
		ID: EffectUnknown, Title: "It is not known what a change does", Severity: string(plan.Note),
		Why: "Something changes that gwplan cannot follow, such as a chart that is not in the repository. That nothing else is reported does not mean that nothing changes.",
		Fix: "Look at it, or give gwplan what it lacks, as the message says.",
	}
}

// WithUnknown returns the new findings of a plan, and after them, for formats that have only findings, a note for each change
// whose effect is not known: an empty list would say that there is none.
func WithUnknown(p *plan.Plan) []FoundIn {
	list := FindingsIn(PlanFindings(p), IsNew)
	found := len(list)
	for i := range p.Unseen {
		if u := &p.Unseen[i]; u.Unknown() {
			list = append(list, unknown(UnseenText(u), u.Environments, &plan.Cause{File: u.File, Line: u.Line, Column: u.Column, Side: u.Side, Object: u.What}))
		}
	}
	if len(list) == 0 && p.Summary.Conclusion == plan.ConcludesUnknown {
		list = append(list, unknown(p.Summary.Headline, nil, firstCause(p)))
	}
	for _, f := range list[found:] {
		f.Message = strings.TrimPrefix(f.Message, noEffectKnown)
		f.Title, f.Message = noEffectKnown+f.Message, noEffectKnown+f.Message
	}
	return list
}

// noEffectKnown is how headlines begin that are about nothing else.
const noEffectKnown = "effect not known: "

func unknown(text string, environments []string, at *plan.Cause) FoundIn {
	sum := sha256.Sum256([]byte(at.Object + "\n" + at.File))
	return FoundIn{Environments: environments, Finding: &plan.Finding{
		Rule: EffectUnknown, Severity: plan.Note, State: plan.New, Message: text,
		File: at.File, Line: at.Line, Column: at.Column, Side: at.Side, Fingerprint: hex.EncodeToString(sum[:16]),
	}}
}

// firstCause is an edited place of a plan, or none.
func firstCause(p *plan.Plan) *plan.Cause {
	for _, e := range p.Environments {
		for i := range e.Changes {
			if causes := e.Changes[i].Causes; len(causes) > 0 {
				return &causes[0]
			}
		}
	}
	return &plan.Cause{}
}

// UnseenNotes describes as notes the unrendered changes that WithUnknown leaves out: they change nothing about routes.
func UnseenNotes(list []plan.Unseen) []string {
	var out []string
	for i := range list {
		if list[i].Unknown() {
			continue
		}
		out = append(out, UnseenText(&list[i])+" ("+PositionName(list[i].File, list[i].Line, list[i].Column)+")")
	}
	return out
}
