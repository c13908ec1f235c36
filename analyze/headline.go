package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// claim is what a headline says: that nothing changes, perhaps with words after this, or something else.
type claim struct {
	calm bool
	text string
}

// claimOf is a claim that something changes, or none if there are no words.
func claimOf(words string) claim { return claim{text: words} }

// calm claims that nothing changes, and no more.
func calm() claim { return claim{calm: true} }

func (c claim) String() string {
	if c.calm {
		return "no effective change" + c.text
	}
	return c.text
}

// and returns the claim with more words after it. It stays what it is.
func (c claim) and(more string) claim {
	c.text += more
	return c
}

// notKnown claims that it is not known whether something changes.
func notKnown(why string) claim { return claimOf("effect not known: " + why) }

// headline sums up a plan in a few words, the worst first.
func headline(p *plan.Plan, h *headlines) claim {
	alarm, policies := findingHeadline(p, plan.Error), policyHeadline(p)
	if alarm != "" {
		h.sentences.WithoutVerdicts() // the errors already name the targets and the reason
	}
	p.Effects = h.sentences.List()
	effects := several(h.withErrors(p))
	if held := heldBack(p); effects != "" && held != "" {
		effects += "; but " + held
	}
	known := claimOf(effects)
	switch reason := whyUncertain(p); {
	case effects != "" && reason != "":
		known = claimOf(reason + "; " + effects)
	case effects != "" && (alarm == "" || h.sentences.Alarming() && tellErrors(p)): // the errors are among the sentences
	case effects != "":
		known = claimOf(alarm + "; " + effects)
	case h.unreadable:
		return claimOf("changes unknown: files could not be read")
	case h.selecting != "" && alarm == "":
		known = notKnown("what " + h.selecting + " selects is not in the input")
	case slices.ContainsFunc(p.Unseen, func(u plan.Unseen) bool { return u.TakesOver != "" }): // it says more than a warning
		known = cmp.Or(claimOf(cmp.Or(alarm, connectionHeadline(p), requestHeadline(p))), policies)
	default:
		known = cmp.Or(claimOf(cmp.Or(alarm, findingHeadline(p, plan.Warning), connectionHeadline(p), requestHeadline(p))), policies)
	}
	if lead := leading(p); lead != "" && !strings.Contains(known.text, lead) {
		switch rest, isAlarm := strings.CutPrefix(known.text, alarm); {
		case known == calm():
			known = claimOf(lead)
		case isAlarm && alarm != "":
			known = claimOf(alarm + "; " + lead + rest)
		default:
			known = claimOf(lead + "; " + known.text)
		}
	}
	unseen := p.Unseen
	if known == calm() {
		known, unseen = withReleases(p, unseen)
	}
	said := withUnseen(known, known == policies && len(affected(p)) == 0, unseen)
	if gone := removedEnvironments(p); said == calm() && len(gone) > 0 {
		if len(gone) > 1 {
			return claimOf("environments " + gone[0] + spelling.More(len(gone)-1) + " are removed with everything in them")
		}
		return claimOf("environment " + gone[0] + " is removed with everything in it")
	}
	return said
}

// removedEnvironments are those that head does not have. A cluster may go without a route.
func removedEnvironments(p *plan.Plan) []string {
	var out []string
	for _, env := range p.Environments {
		if env.Status == string(plan.Removed) {
			out = append(out, env.Name)
		}
	}
	return out
}

// withReleases returns the headline of a plan in which nothing changes but perhaps the releases of controllers, and what is unseen
// besides them.
func withReleases(p *plan.Plan, unseen []plan.Unseen) (claim, []plan.Unseen) {
	var unknown, known []string
	files := map[string]bool{}
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if f.Rule != rule.ControllerUpgraded || f.State != plan.New {
				continue
			}
			list := &unknown
			if f.Statement != rule.ReleaseUnknown {
				list = &known
			}
			if files[f.File] = true; !slices.Contains(*list, f.Title) {
				*list = append(*list, f.Title)
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(unseen), func(u plan.Unseen) bool { return files[u.File] && len(u.Says) == 0 && !u.Opaque })
	more := spelling.More(len(unknown) + len(known) - 1)
	switch {
	case len(unknown) > 0:
		return notKnown(unknown[0] + more), rest
	case len(known) > 0:
		return calm().and(": " + brief(known[0]) + more), rest
	}
	return calm(), unseen
}

// heldBack returns why the cluster does not get all that a plan tells of, from the first finding that says so, or "".
func heldBack(p *plan.Plan) string {
	var found []string
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if r := rule.ByID(f.Rule); f.State == plan.New && r != nil && r.HoldsBack && !slices.Contains(found, f.Title) {
				found = append(found, f.Title)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return brief(found[0]) + spelling.More(len(found)-1)
}

// leading returns the first new warning of a rule that stands first in a headline, or "". Errors do so anyway.
func leading(p *plan.Plan) string {
	for _, one := range newFindings(p, plan.Warning) {
		if r := rule.ByID(one.finding.Rule); r != nil && r.Leads {
			return fmt.Sprintf("%s: %s", plan.Warning, one.text)
		}
	}
	return ""
}

// whyUncertain returns the first new error that is not about protection, if all losses of protection in the plan are
// uncertain: that error is the reason for the uncertainty.
func whyUncertain(p *plan.Plan) string {
	lost := slices.DeleteFunc(slices.Clone(p.Effects), func(e plan.Effect) bool { return !e.LosesProtection })
	if len(lost) == 0 || slices.ContainsFunc(lost, func(e plan.Effect) bool { return !e.Perhaps }) {
		return ""
	}
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if r := rule.ByID(f.Rule); f.State == plan.New && f.Severity == plan.Error && r != nil && !r.Security {
				return fmt.Sprintf("%s: %s", plan.Error, brief(f.Title))
			}
		}
	}
	return ""
}

// breaks records whether something of an environment can no longer be built. The cluster then stays
// as it was there. A build failure of one release does not count: the effects of that release are
// uncertain in any case.
func (h *headlines) breaks(env *plan.Environment) {
	broken := slices.ContainsFunc(env.Findings, func(f plan.Finding) bool {
		return f.Rule == rule.BuildBroken && f.State == plan.New && !slices.ContainsFunc(h.problems, func(problem plan.Problem) bool {
			return applied.BreaksRelease(problem.Code) && problem.File == f.File && problem.Line == f.Line
		})
	})
	if broken {
		h.sentences.Unbuilt(env.Name)
	}
}

// findingHeadline returns the first new finding of a severity, with its environments if there are several, and the
// number of the others. A build that fails comes first: nothing else of it is applied. Not every finding changes the
// configuration of a target.
func findingHeadline(p *plan.Plan, severity plan.Severity) string {
	found := newFindings(p, severity)
	switch len(found) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s: %s", severity, found[0].text)
	}
	return fmt.Sprintf("%d %ss: %s, and %d more", len(found), severity, found[0].text, len(found)-1)
}

// statement is a new finding in a headline: its text, with its environments if the plan has several.
type statement struct {
	title, text string
	// about is the object that it is about, security that it is about protection.
	about    string
	security bool
	// finding is the first one, and requests are those of all environments that have it.
	finding                plan.Finding
	environments, requests []string
}

// tellErrors reports whether the first effect of a plan is among its new errors, too. An effect on protection is not if
// no new error is about protection.
func tellErrors(p *plan.Plan) bool {
	return !p.Effects[0].LosesProtection || slices.ContainsFunc(newFindings(p, plan.Error), func(s statement) bool { return s.security })
}

// newFindings returns the new findings of a severity with distinct titles, builds that fail first.
func newFindings(p *plan.Plan, severity plan.Severity) []statement {
	var broken, found []*statement
	var names []string
	known := map[string]*statement{}
	var recurring plan.Recurring
	for _, env := range p.Environments {
		names = append(names, env.Name)
		recurring.Next()
		for _, f := range env.Findings {
			if f.State != plan.New || f.Severity != severity {
				continue
			}
			list := &found
			if f.Rule == rule.BuildBroken { // its message does not name the file
				f.Title, list = f.File+": "+f.Title, &broken
			}
			id := cmp.Or(recurring.Key(&f), f.Title)
			if known[id] == nil {
				r := rule.ByID(f.Rule)
				about, _, _ := strings.Cut(cmp.Or(f.Subject, loader.Spoken(f.Target)), "#")
				known[id] = &statement{finding: f, about: about, security: r != nil && r.Security}
				*list = append(*list, known[id])
			}
			if !slices.Contains(known[id].environments, env.Name) {
				known[id].environments = append(known[id].environments, env.Name)
			}
			if !slices.Contains(known[id].requests, f.Requests) {
				known[id].requests = append(known[id].requests, f.Requests)
			}
		}
	}
	var out []statement
	for _, one := range append(broken, found...) {
		one.title = one.finding.NamingAll(one.requests).Title
		one.text = brief(one.title)
		if len(names) > 1 {
			one.text += " (" + sentence.Environments(one.environments, plan.ShortNames(names)) + ")"
		}
		out = append(out, *one)
	}
	return out
}

// withErrors returns the effects of a plan for its headline. New errors about the protection of an object that no
// alarming effect names, such as errors about the fields of a Gateway, come before the first effect that is not
// alarming.
func (h *headlines) withErrors(p *plan.Plan) []plan.Effect {
	calm := slices.IndexFunc(p.Effects, func(e plan.Effect) bool { return !e.LosesProtection })
	if calm < 0 {
		calm = len(p.Effects)
	}
	if calm == 0 {
		return p.Effects
	}
	var untold []plan.Effect
	exposed := h.sentences.Exposed()
	for _, f := range newFindings(p, plan.Error) {
		// Findings about several targets are about effects, which have their sentences.
		if f.security && !f.finding.Several && !exposed[f.about] {
			untold = append(untold, plan.Effect{Sentence: f.text})
		}
	}
	return slices.Concat(p.Effects[:calm], untold, p.Effects[calm:])
}

// brief cuts a message to the length that fits into a headline.
func brief(message string) string {
	const room = 160
	if rest, ok := strings.CutPrefix(message, "Requests "); ok {
		message = "requests " + rest
	}
	return spelling.Brief(message, room)
}

// withUnseen adds to a headline the changes that the analysis did not see. A headline that says that no
// target is affected holds only for what was seen.
func withUnseen(known claim, unaffected bool, unseen []plan.Unseen) claim {
	var matter, silent, left, unused, changes, unfollowed, uncompared []string
	calmly, global := "; no changed key is about routes", false
	for _, u := range unseen {
		switch words := notFollowed(u); {
		case u.Unused:
			unused = append(unused, u.What+" "+verbOf(u.Change)+", and nothing that was read refers to it")
		case words != "":
			unfollowed = append(unfollowed, words)
			global = global || u.Global
		case u.Uncompared:
			uncompared = append(uncompared, u.What)
		case u.MayMatter():
			matter = append(matter, u.What)
			changes = append(changes, u.MayChange())
		case u.LeftOut:
			left = append(left, u.What)
		default:
			silent = append(silent, u.What)
			if u.Opaque {
				calmly = ""
			}
		}
	}
	unused = slices.Compact(unused)
	switch isCalm := known == calm(); {
	case len(uncompared) > 0 && isCalm:
		return notKnown(about(uncompared, "changes, and its connections are too many to compare", "change, and their connections are too many to compare"))
	case len(matter) > 0 && isCalm:
		what := mayChange(changes)
		return notKnown(about(matter, "changes, is not rendered and may change "+what, "change, are not rendered and may change "+what))
	case len(unfollowed) > 0 && (isCalm || unaffected && global):
		return notKnown(about(unfollowed, "(not followed)", "(not followed)"))
	case len(unused) > 0 && (isCalm || unaffected):
		return notKnown(unused[0] + spelling.More(len(unused)-1))
	case len(uncompared) > 0:
		return known.and("; " + about(uncompared, "is not compared", "are not compared"))
	case len(matter) > 0:
		return known.and("; " + about(matter, "is not rendered and may change more", "are not rendered and may change more"))
	case len(unfollowed) > 0:
		return known.and("; " + about(unfollowed, "(not followed)", "(not followed)"))
	case !isCalm && unaffected && len(silent) > 0:
		return known.and("; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly))
	case !isCalm:
		return known
	case len(silent) > 0:
		return known.and(" in what is rendered; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly))
	case len(left) > 0:
		return known.and(": " + about(left, "changes, but nothing deploys it", "change, but nothing deploys them"))
	}
	return known
}

// notFollowed describes a change of something whose effect is not followed, with what uses it. It is "" for other changes.
func notFollowed(u plan.Unseen) string {
	switch {
	case u.Sealed:
		return u.What + ", which " + u.Says[0] + " reads, " + verbOf(u.Change)
	case u.Makes != "":
		return u.What + ", which makes " + u.Makes + " for " + u.Says[0] + ", " + verbOf(u.Change)
	case u.Reprogrammed():
		return u.What + ", which " + u.Behind[0] + " asks, " + verbOf(u.Change)
	case len(u.Behind) > 0:
		return u.What + ", which gets requests of " + u.Behind[0] + ", " + verbOf(u.Change)
	case u.Version:
		return u.What + " as " + u.Says[0]
	case u.Uncompared:
		return ""
	case u.Relabelled:
		return u.What + ", whose pods " + u.Says[0] + spelling.More(len(u.Says)-1) + " may select by their labels or ports, changes"
	case u.Account != "":
		return u.What + " sends requests as ServiceAccount " + u.Account
	case u.Global:
		return u.What + ", which is for " + u.Says[0] + ", " + verbOf(u.Change)
	case u.TakesOver != "":
		return u.What + " takes over " + u.TakesOver + " and may apply nothing (" + spelling.Few(u.Says) + ")"
	case u.Unfollowed || u.ForOthers:
		return u.What + " changes " + spelling.Few(u.Says)
	}
	return ""
}

// about says of the first of several things, and how many more there are, what one or many of them do.
func about(list []string, one, many string) string {
	list = slices.Compact(list)
	if len(list) == 1 {
		return list[0] + " " + one
	}
	return fmt.Sprintf("%s and %d more %s", list[0], len(list)-1, many)
}

// withOutside adds to a headline how many changes a filter leaves out: without these it would be taken for all of them.
func withOutside(known claim, outside int) claim {
	if outside == 0 {
		return known
	}
	where := "the selection"
	if known.calm {
		known.text, where = " in "+where+known.text, "it"
	}
	return known.and("; " + spelling.Count(outside, "change") + " outside " + where)
}

// verbOf says what becomes of something that is not followed.
func verbOf(change string) string {
	switch change {
	case plan.EditAdded:
		return "is added"
	case plan.EditRemoved:
		return "is removed"
	}
	return "changes"
}

// mayChange joins what several changes may affect.
func mayChange(list []string) string {
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 1 {
		return list[0]
	}
	return "routes and network policies"
}

// policyHeadline describes what happens to policies if no sentence tells what they do to targets: they come with these, or affect
// none.
func policyHeadline(p *plan.Plan) claim {
	var renamed, others []string
	verbs := map[string]bool{}
	for _, env := range p.Environments {
		for _, c := range env.PolicyChanges {
			name := loader.Spoken(c.Policy)
			switch {
			case c.Formerly != "" && c.SameEffect:
				renamed = append(renamed, loader.Spoken(c.Formerly)+" is now "+strings.TrimPrefix(name, loader.KindOf(c.Policy)+" ")+": same effect")
			default:
				others = append(others, name)
				verbs[cameOrWent(c)] = true
			}
		}
	}
	slices.Sort(renamed)
	slices.Sort(others)
	renamed, others = slices.Compact(renamed), slices.Compact(others)
	switch {
	case len(others) > 0:
		verb := plan.EditChanged
		if len(verbs) == 1 {
			verb = slices.Collect(maps.Keys(verbs))[0]
		}
		if targets := affected(p); len(targets) > 0 {
			return claimOf(fmt.Sprintf("%s %s, for %s", countOf(others), verb, spelling.And(targets)))
		}
		return claimOf(fmt.Sprintf("no target is affected: %s %s, effective configuration stays", countOf(others), verb))
	case len(renamed) == 1:
		return claimOf(renamed[0])
	case len(renamed) > 1:
		return claimOf(fmt.Sprintf("%d policies are renamed: same effect", len(renamed)))
	}
	return calm()
}

// affected counts the targets of the changes of a plan, by kind.
func affected(p *plan.Plan) []string {
	seen := map[loader.ID]bool{}
	kinds := map[string]int{}
	for _, env := range p.Environments {
		for _, c := range env.Changes {
			for _, t := range c.Targets {
				if id := t.Target.ID(); !seen[id] {
					seen[id] = true
					kinds[id.Kind]++
				}
			}
		}
	}
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, spelling.Count(kinds[kind], kind))
	}
	return out
}

// cameOrWent describes in one word what happened to a policy.
func cameOrWent(c plan.PolicyChange) string {
	had := c.Before != nil && c.Before.Enforcement != ""
	return plan.EditOf(had, c.After != nil && c.After.Enforcement != "")
}

// countOf names the one policy of a list, or counts them.
func countOf(list []string) string {
	if len(list) == 1 {
		return list[0] + " is"
	}
	return fmt.Sprintf("%d policies are", len(list))
}

// headlines gathers what the headline of a plan tells.
type headlines struct {
	sentences *sentence.Sentences
	// selecting is a policy that changes but selects nothing in the input.
	selecting string
	// problems are those of the plan.
	problems []plan.Problem
	// unreadable is true if something could not be read on one side.
	unreadable bool
}

func (h *headlines) add(environment string, c *change.Compared) {
	switch {
	case c.Unreadable():
		h.unreadable = true
	case !c.Selected():
		h.sentences.Add(environment, c)
	case len(c.Policies) > 0:
		h.selecting = loader.Spoken(c.Policies[0])
	default:
		h.selecting = c.PolicyKind.Kind
	}
}

// maxEffects is how many effects a headline lists.
const maxEffects = 2

// several joins the first sentences and counts the others.
func several(effects []plan.Effect) string {
	var said []string
	var distinct []string
	for _, e := range effects {
		if !slices.Contains(distinct, e.Sentence) {
			distinct = append(distinct, e.Sentence)
		}
	}
	said = append(said, distinct[:min(len(distinct), maxEffects)]...)
	if more := len(distinct) - maxEffects; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ")
}
