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
