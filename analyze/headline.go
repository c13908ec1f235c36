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

// headline sums up a plan in a few words, the worst first.
func headline(p *plan.Plan, h *headlines) claim {
	alarm, policies := findingHeadline(p, plan.Error), policyHeadline(p)
	if alarm != "" {
		h.sentences.WithoutVerdicts() // the errors already name the targets and the reason
	}
	p.Effects = h.sentences.List()
	effects := several(h.clauses(p), p)
	if failing := failingHeadline(p); effects != "" && failing != "" && alarm != "" && h.sentences.Alarming() && tellErrors(p) {
		effects = failing + "; " + effects
	}
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
		return claim{unknown: true, text: "changes unknown: " + couldNotBeRead(p)}
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

// couldNotBeRead says why changes are unknown: files are broken, or what one gives in one revision is not known, as with a chart
// that is not in the tree.
func couldNotBeRead(p *plan.Plan) string {
	for _, one := range p.Problems {
		if one.Code != loader.YAMLSyntax && one.Severity != string(plan.Note) && one.File != "" && slices.Contains([]string{plan.InBase, plan.InHead}, one.Side) {
			return fmt.Sprintf("%s is not rendered in %s", one.File, one.Side)
		}
	}
	return "files could not be read"
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

// clauses returns the effects of a plan for its headline. A misspelt target of a policy stands behind the first effect that it has.
// New errors about the protection of an object that no alarming effect names, such as errors about the fields of a Gateway, come
// before the first effect that is not alarming, and after them new warnings that weigh more than what takes nothing away. What a
// finding tells with its reason is not told again.
func (h *headlines) clauses(p *plan.Plan) []plan.Effect {
	if len(p.Effects) == 0 {
		return nil
	}
	effects, misspelt := withoutMisspelt(p)
	calm := slices.IndexFunc(effects, func(e plan.Effect) bool { return !e.LosesProtection })
	if calm < 0 {
		calm = len(effects)
	}
	var untold []plan.Effect
	exposed, alarms := h.sentences.Exposed(), newFindings(p, plan.Error)
	if calm > 0 {
		for _, f := range alarms {
			// Findings about several targets are about effects, which have their sentences.
			if f.security && !f.finding.Several && !exposed[f.about] {
				untold = append(untold, plan.Effect{Sentence: f.text, Environments: f.environments})
			}
		}
	}
	// What is removed or detached is worse than what is admitted.
	calm += slices.IndexFunc(append(effects[calm:len(effects):len(effects)], plan.Effect{}), func(e plan.Effect) bool { return !e.Lost })
	rest := slices.Clone(effects[calm:])
	for _, f := range alarms {
		rest = slices.DeleteFunc(rest, func(e plan.Effect) bool { return tellsBackends(f, e) })
	}
	if allBackendsFail(p, alarms) {
		rest = slices.DeleteFunc(rest, func(e plan.Effect) bool {
			return e.Targets > 1 && strings.HasSuffix(e.Sentence, " change their backends")
		})
	}
	for _, f := range newFindings(p, plan.Warning) {
		if r := rule.ByID(f.finding.Rule); r == nil || !r.Weighs || f.finding.Several || exposed[f.about] && f.finding.Rule != rule.ExposureWidened || f.perhaps() && f.finding.Rule != rule.RequestsCaptured {
			continue
		}
		if slices.ContainsFunc(p.Effects, func(e plan.Effect) bool { return strings.HasPrefix(e.Sentence, f.title) }) {
			continue
		}
		untold = append(untold, plan.Effect{Sentence: f.text, Environments: f.environments})
		rest = slices.DeleteFunc(rest, func(e plan.Effect) bool { return tells(f, e) || tellsBackends(f, e) })
	}
	out := slices.Concat(effects[:calm], untold, rest)
	if len(misspelt) > 0 && calm > 0 {
		out = slices.Insert(out, 1, misspelt[0])
	}
	return acrossSections(leavingPolicies(out, newFindings(p, plan.Warning)))
}

// leavingPolicies adds to the clause about an object that is removed which policies name it still.
func leavingPolicies(list []plan.Effect, warnings []statement) []plan.Effect {
	const gone = " is removed"
	for i, e := range list {
		object, rest, removed := strings.Cut(e.Sentence, gone)
		if !removed || rest != "" && !strings.HasPrefix(rest, " (") {
			continue
		}
		var left []string
		for _, f := range warnings {
			if policy, found := strings.CutSuffix(f.title, " is attached to nothing: "+object+" does not exist"); found && f.finding.Rule == rule.UnattachedPolicy {
				left = append(left, policy)
			}
		}
		if len(left) > 0 {
			list[i].Sentence = object + gone + ", which leaves " + spelling.AtMost(maxEffects, left) + " without a target" + rest
		}
	}
	return list
}

// withoutMisspelt returns the effects of a plan without those on objects that are not in the input because the name of a target is
// misspelt, and what is said of the policies that have such a target.
func withoutMisspelt(p *plan.Plan) (effects, misspelt []plan.Effect) {
	var wrong []string
	others := 0
	for _, f := range newFindings(p, plan.Error) {
		switch target, is := misspeltTarget(&f.finding); {
		case !is:
		case len(wrong) > 0 && wrong[0] == target:
			others++
		default:
			wrong = append(wrong, target)
			misspelt = append(misspelt, plan.Effect{Sentence: f.text, Environments: f.environments})
		}
	}
	if others > 0 {
		misspelt[0].Sentence = strings.Replace(misspelt[0].Sentence, " is attached: ", fmt.Sprintf(" and %s are attached: ", spelling.Count(others, "more policy")), 1)
	}
	effects = slices.DeleteFunc(slices.Clone(p.Effects), func(e plan.Effect) bool {
		return !e.LosesProtection && slices.ContainsFunc(wrong, func(target string) bool { return strings.HasPrefix(e.Sentence, target+", which is not in the input,") })
	})
	return effects, misspelt
}

// misspeltTarget returns the target that a policy names where it seems to mean another one.
func misspeltTarget(f *plan.Finding) (target string, is bool) {
	if f.Rule != rule.UnattachedPolicy {
		return "", false
	}
	_, why, _ := strings.Cut(f.Title, ": ")
	target, _, is = strings.Cut(why, " is not in the input; did you mean ")
	return target, is
}

// acrossSections joins what is said in the same words of several sections of an object, such as two listeners of a Gateway.
func acrossSections(list []plan.Effect) []plan.Effect {
	type parted struct{ object, what string }
	sections := map[parted][]string{}
	of := func(e plan.Effect) (key parted, section string) {
		object, rest, isSection := strings.Cut(e.Sentence, "#")
		section, what, _ := strings.Cut(rest, " ")
		if !isSection || strings.Count(object, " ") != 1 {
			return parted{}, ""
		}
		return parted{object, what}, section
	}
	for _, e := range list {
		if key, section := of(e); section != "" && !slices.Contains(sections[key], section) {
			sections[key] = append(sections[key], section)
		}
	}
	var out []plan.Effect
	told := map[parted]bool{}
	for _, e := range list {
		key, section := of(e)
		if names := sections[key]; section != "" && len(names) > 1 {
			if told[key] {
				continue
			}
			kind, _, _ := strings.Cut(key.object, " ")
			noun := spelling.Plural(plan.SectionNoun(kind))
			told[key] = true
			e.Sentence = fmt.Sprintf("%s (%s %s) %s", key.object, noun, spelling.AtMost(maxSections, names), key.what)
		}
		out = append(out, e)
	}
	return out
}

// maxSections is how many sections of an object a clause names.
const maxSections = 3

// tellsBackends reports whether a finding about a backend says more than the effect that says that a rule has this backend now.
func tellsBackends(f statement, e plan.Effect) bool {
	values, changes := strings.CutPrefix(f.within(e), "changes its backends from ")
	_, to, _ := strings.Cut(values, " to ")
	to, _, _ = strings.Cut(to, " (")
	if i := strings.LastIndexByte(to, ':'); i > 0 {
		to = to[:i]
	}
	_, after, names := strings.Cut(f.title, to)
	return changes && to != "" && names && (after == "" || strings.ContainsAny(after[:1], " ,;"))
}

// allBackendsFail reports whether there is an error about a backend of each route with other backends than before.
func allBackendsFail(p *plan.Plan, alarms []statement) bool {
	failing := map[string]bool{}
	for _, f := range alarms {
		failing[f.about] = failing[f.about] || strings.HasPrefix(f.finding.Rule, "backend-")
	}
	for _, env := range p.Environments {
		for _, c := range env.Changes {
			if c.PolicyKind != nil || !slices.ContainsFunc(c.Fields, func(f plan.Field) bool { return strings.HasPrefix(f.Path, "/backendRefs[") }) {
				continue
			}
			if slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !failing[t.Target.ID().Spoken()] }) {
				return false
			}
		}
	}
	return true
}

// within returns what an effect says of the object of a finding, or of the section of it that the finding names; "" if it is about
// something else.
func (s *statement) within(e plan.Effect) string {
	rest, same := strings.CutPrefix(e.Sentence, s.about)
	if !same {
		return ""
	}
	section, what, _ := strings.Cut(rest, " ")
	if section != "" && strings.Contains(s.title, "#") && !strings.Contains(s.title+" ", s.about+section+" ") && !strings.Contains(s.title, s.about+section+":") {
		return ""
	}
	if section != "" && section[0] != '#' {
		return ""
	}
	return what
}

// tells reports whether a finding says more of a change than the effect that says that there is one.
func tells(f statement, e plan.Effect) bool {
	if what, gains := strings.CutPrefix(f.within(e), "gains its "); gains {
		what, _, _ = strings.Cut(what, " (")
		return strings.Contains(f.title+" ", " "+what+" ")
	}
	what, changes := strings.CutPrefix(f.within(e), "changes ")
	what, values, _ := strings.Cut(what, " from ")
	what, _, _ = strings.Cut(what, " (")
	values, _, _ = strings.Cut(values, " (")
	return changes && (strings.Contains(f.title, what) || values != "" && strings.HasSuffix(f.title, " from "+values))
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

// several joins the first sentences and counts the others. The environments of all of them are named once.
func several(effects []plan.Effect, p *plan.Plan) string {
	var names []string
	for _, env := range p.Environments {
		names = append(names, env.Name)
	}
	var said []string
	common := ""
	for i, e := range effects {
		bracket := " (" + sentence.Environments(e.Environments, plan.ShortNames(names)) + ")"
		if i > 0 && bracket != common || !strings.HasSuffix(e.Sentence, bracket) {
			common = ""
			break
		}
		common = bracket
	}
	for _, e := range effects {
		if text := strings.TrimSuffix(e.Sentence, common); !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	if more := len(said) - maxEffects; more > 0 {
		said = append(said[:maxEffects], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ") + common
}
