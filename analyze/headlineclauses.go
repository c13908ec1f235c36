package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
)

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
