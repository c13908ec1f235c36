package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
)

// headline sums up a plan in a few words, the worst first.
func headline(p *plan.Plan, h *headlines) string {
	alarm, policies := findingHeadline(p, plan.Error), policyHeadline(p)
	if alarm != "" {
		h.effects[verdict].targets = nil // the errors already name the targets and the reason
	}
	said := h.say()
	known := strings.Join(said, "; ")
	switch {
	case len(said) > 0 && (alarm == "" || h.alarming()):
	case len(said) > 0:
		known += "; " + alarm
	case h.unreadable:
		return "changes unknown: files could not be read"
	case h.selecting != "" && alarm == "":
		known = "effect not known: what " + h.selecting + " selects is not in the input"
	default:
		known = cmp.Or(alarm, findingHeadline(p, plan.Warning), policies)
	}
	return beside(known, known == policies, p.Unseen)
}

// breaks records whether something of an environment can no longer be built. The cluster then stays
// as it was there. A build failure of one release does not count: the effects of that release are
// uncertain in any case.
func (h *headlines) breaks(env *plan.Environment) {
	h.broken[env.Name] = slices.ContainsFunc(env.Findings, func(f plan.Finding) bool {
		return f.Rule == "build-broken" && f.State == rule.New && !slices.ContainsFunc(h.problems, func(problem plan.Problem) bool {
			return rule.BreaksRelease(problem.Code) && problem.File == f.File && problem.Line == f.Line
		})
	})
}

// alarming reports whether the effects include lost protection or detached targets.
func (h *headlines) alarming() bool {
	return len(h.effects[exposed].targets)+len(h.effects[detached].targets) > 0
}

// findingHeadline returns the first new finding of a severity and, if there are several, their
// number. Not every finding changes the configuration of a target.
func findingHeadline(p *plan.Plan, severity plan.Severity) string {
	var found []string
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if f.State == rule.New && f.Severity == severity && !slices.Contains(found, f.Message) {
				found = append(found, f.Message)
			}
		}
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s: %s", severity, brief(found[0]))
	}
	return fmt.Sprintf("%d %ss: %s, and %d more", len(found), severity, brief(found[0]), len(found)-1)
}

// brief cuts a message to the length that fits into a headline.
func brief(message string) string {
	const room = 160
	if letters := []rune(message); len(letters) > room {
		return string(letters[:room]) + "…"
	}
	return message
}

// calm is the headline of a plan that changes nothing.
const calm = "no effective change"

// beside adds to a headline the changes that the analysis did not see. A headline that says that no
// target is affected holds only for what was seen.
func beside(known string, unaffected bool, unseen []plan.Unseen) string {
	var matter, silent, left, unused []string
	calmly := "; nothing in it is about routes"
	for _, u := range unseen {
		switch {
		case u.Unused:
			unused = append(unused, u.What)
		case u.MayMatter():
			matter = append(matter, u.What)
		case u.LeftOut:
			left = append(left, u.What)
		default:
			silent = append(silent, u.What)
			if u.Opaque {
				calmly = ""
			}
		}
	}
	about := func(list []string, one, many string) string {
		list = slices.Compact(list)
		if len(list) == 1 {
			return list[0] + " " + one
		}
		return fmt.Sprintf("%s and %d more %s", list[0], len(list)-1, many)
	}
	switch {
	case len(matter) > 0 && known == calm:
		return "effect not known: " + about(matter, "changes, is not rendered and may change routes", "change, are not rendered and may change routes")
	case len(matter) > 0:
		return known + "; " + about(matter, "is not rendered and may change more", "are not rendered and may change more")
	case known != calm && unaffected && len(silent) > 0:
		return known + "; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly)
	case known != calm:
		return known
	case len(unused) > 0:
		return "effect not known: " + about(unused, "changes, and nothing that was read refers to it", "change, and nothing that was read refers to them")
	case len(silent) > 0:
		return calm + " in what is rendered; " + about(silent, "changes but was not analysed"+calmly, "change but were not analysed"+calmly)
	case len(left) > 0:
		return calm + ": " + about(left, "changes, but nothing deploys it", "change, but nothing deploys them")
	}
	return known
}

// policyHeadline describes what happens to policies if no target is affected.
func policyHeadline(p *plan.Plan) string {
	var renamed, others []string
	verbs := map[string]bool{}
	for _, env := range p.Environments {
		for _, c := range env.PolicyChanges {
			name := nodeText(c.Policy)
			switch {
			case c.Formerly != "" && c.SameEffect:
				renamed = append(renamed, nodeText(c.Formerly)+" is now "+strings.TrimPrefix(name, kindOf(c.Policy)+" ")+": same effect")
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
		verb := "changed"
		if len(verbs) == 1 {
			verb = slices.Collect(maps.Keys(verbs))[0]
		}
		return fmt.Sprintf("no target is affected: %s %s, effective configuration stays", countOf(others), verb)
	case len(renamed) == 1:
		return renamed[0]
	case len(renamed) > 1:
		return fmt.Sprintf("%d policies are renamed: same effect", len(renamed))
	}
	return calm
}

// cameOrWent describes in one word what happened to a policy.
func cameOrWent(c plan.PolicyChange) string {
	switch {
	case c.Before == nil || c.Before.Enforcement == "":
		return "added"
	case c.After == nil || c.After.Enforcement == "":
		return "removed"
	}
	return "changed"
}

// countOf names the one policy of a list, or counts them.
func countOf(list []string) string {
	if len(list) == 1 {
		return list[0] + " is"
	}
	return fmt.Sprintf("%d policies are", len(list))
}

// nodeText writes a node for people: "SecurityPolicy shop/auth".
func nodeText(node string) string {
	_, rest, _ := strings.Cut(node, "/")
	return kindOf(node) + " " + rest
}

// effect is what happens to some targets, in words: "lose", "are moved". Targets are keyed by node:
// one that is in several environments counts once.
type effect struct {
	many, one, perhaps string
	targets            map[string]*affected
}

// affected is one target of an effect, and the settings that the effect concerns.
type affected struct {
	kind                 string
	fields, environments map[string]bool
	// guards is true if protection is lost, certain if the effect is certain, away if the target is
	// not in the input.
	guards, certain, away bool
}

// headlines gathers the effects of a plan, worst first.
type headlines struct {
	effects      [effects]effect
	environments map[string]bool
	// selecting is a policy that changes but selects nothing in the input.
	selecting string
	// problems are those of the plan. broken marks the environments of which something can no
	// longer be built.
	problems []plan.Problem
	broken   map[string]bool
	// unreadable is true if something could not be read on one side.
	unreadable bool
}

// The effects, worst first.
const (
	exposed = iota
	removed
	detached
	loses
	changes
	moved
	departs
	verdict
	gains
	attached
	added
	renamed
	effects
)

// effectWords are the verbs for several targets, for one target, and after "may".
var effectWords = [effects][3]string{
	exposed: {"lose", "loses", "lose"}, loses: {"lose", "loses", "lose"}, detached: {"are detached", "is detached", "be detached"}, changes: {"change in", "changes in", "change in"},
	departs: {"leave a listener", "leaves a listener", "leave a listener"}, moved: {"move", "moves", "move"}, verdict: {"change verdict", "changes verdict", "change verdict"},
	renamed: {"are renamed", "is renamed", "be renamed"}, removed: {"are removed", "is removed", "be removed"},
	gains: {"gain", "gains", "gain"}, attached: {"are attached", "is attached", "be attached"}, added: {"are added", "is added", "be added"},
}

func (h *headlines) add(environment string, c *change.Compared) {
	if c.Unreadable() {
		h.unreadable = true
		return
	}
	switch {
	case c.Selected():
		if len(c.Policies) > 0 {
			h.selecting = nodeText(c.Policies[0])
		} else {
			h.selecting = c.PolicyKind.Kind
		}
	case c.Kind == plan.FieldChange:
		guards := c.PolicyKind != nil && rule.Loosens(c)
		for _, f := range c.Fields {
			field := setting(c, f)
			effect := effectOf(c, f, field)
			if effect == loses && guards {
				effect = exposed
			}
			h.put(effect, environment, c, field, guards)
		}
	case c.Kind == plan.Detached && c.PolicyKind == nil && !slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !t.Remains }):
		h.put(departs, environment, c, "", false)
	case c.PolicyKind == nil:
		h.put(map[plan.ChangeKind]int{
			plan.Detached: detached, plan.Moved: moved, plan.VerdictChange: verdict, plan.Renamed: renamed, plan.Removed: removed,
			plan.Attached: attached, plan.Added: added,
		}[c.Kind], environment, c, "", false)
	}
}

// effectOf returns the effect of a changed field on its setting. Adding or removing a part of a
// setting that exists on both sides is a change of the setting.
func effectOf(c *change.Compared, f plan.Field, setting string) int {
	_, other, after := c.Effective()
	effect := gains
	switch f.Action {
	case plan.FieldChanged:
		return changes
	case plan.FieldRemoved:
		other, effect = after, loses
	case plan.FieldAdded:
	}
	if c.PolicyKind == nil && replaced(c, setting) {
		return changes
	}
	if c.PolicyKind == nil || other == nil {
		return effect
	}
	stays := other.Spec.At(setting) != nil || other.Yields(strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", "."))
	if first, inList := strings.CutPrefix(f.Path, "["); inList {
		key, _, _ := strings.Cut(first, "]")
		stays = other.Spec.Get(key) != nil
	}
	if stays {
		return changes
	}
	return effect
}

// replaced reports whether a change of an object's own fields both removes something from a setting
// and adds something to it.
func replaced(c *change.Compared, setting string) bool {
	has := func(action plan.Action) bool {
		return slices.ContainsFunc(c.Fields, func(f plan.Field) bool {
			dotted := strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", ".")
			return f.Action == action && (dotted == setting || strings.HasPrefix(dotted, setting+".") || strings.HasPrefix(dotted, setting+"["))
		})
	}
	return has(plan.FieldRemoved) && has(plan.FieldAdded)
}

// setting names a field in a headline: the top-level setting if all of it is added or removed, else
// the path. A path is cut to the available length and before the first list item.
func setting(c *change.Compared, f plan.Field) string {
	dotted := strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", ".")
	top, _, _ := strings.Cut(dotted, ".")
	top, _, _ = strings.Cut(top, "[")
	_, before, after := c.Effective()
	other := after
	if f.Action == plan.FieldAdded {
		other = before
	}
	switch {
	case top == "" && c.PolicyKind != nil:
		return c.PolicyKind.Kind
	case f.Action != plan.FieldChanged && (other == nil || other.Spec.Get(top) == nil):
		return top
	}
	dotted, _, _ = strings.Cut(dotted, "[")
	for len(dotted) > maxSetting && strings.Contains(dotted, ".") {
		dotted = dotted[:strings.LastIndexByte(dotted, '.')]
	}
	return dotted
}

// maxSetting is how long the path of a setting may be in a headline, in bytes.
const maxSetting = 48

func (h *headlines) put(which int, environment string, c *change.Compared, field string, guards bool) {
	e := &h.effects[which]
	if e.targets == nil {
		e.targets = map[string]*affected{}
		e.many, e.one, e.perhaps = effectWords[which][0], effectWords[which][1], effectWords[which][2]
	}
	if h.environments == nil {
		h.environments = map[string]bool{}
	}
	h.environments[environment] = true
	var at plan.Target
	hit := func(node, kind string) {
		if e.targets[node] == nil {
			e.targets[node] = &affected{kind: kind, fields: map[string]bool{}, environments: map[string]bool{}, away: at.NotInInput}
		}
		t := e.targets[node]
		t.environments[environment] = true
		t.guards = t.guards || guards
		t.certain = t.certain || (at.Certain || at.NotInInput) && !h.broken[environment]
		if field != "" {
			t.fields[field] = true
		}
	}
	for _, t := range c.Targets {
		at = t
		if part := sectionWord(c, t); part != "" {
			hit(t.Target.Namespace+"/"+t.Target.Name+"#"+t.Target.Section, part)
			continue
		}
		// An added or removed object is counted as its own kind: a removed Service is not a removed
		// route.
		service := t.Target.Kind == "Service" && c.Kind == plan.FieldChange
		if c.PolicyKind == nil && (service || c.Kind == plan.Added || c.Kind == plan.Removed || c.Kind == plan.Renamed) {
			hit(t.Target.Kind+"/"+t.Target.Namespace+"/"+t.Target.Name, t.Target.Kind)
			continue
		}
		for _, node := range countedNodes(t) {
			hit(node, kindOf(node))
		}
	}
}

// sectionWord names the part of an object that was added or removed while the object stays.
func sectionWord(c *change.Compared, t plan.Target) string {
	switch {
	case c.PolicyKind != nil || t.Target.Section == "" || c.Kind != plan.Added && c.Kind != plan.Removed:
		return ""
	case strings.HasSuffix(t.Target.Kind, "Route"):
		return t.Target.Kind + " rule"
	}
	return t.Target.Kind + " listener"
}

// maxEffects is how many effects a headline lists.
const maxEffects = 2

func (h *headlines) say() []string {
	var said []string
	for i := range h.effects {
		said = append(said, h.effects[i].say(len(h.environments) > 1)...)
	}
	if len(said) > maxEffects {
		said = append(said[:maxEffects], "and more")
	}
	return said
}

// say returns a phrase for each set of settings that targets share. Those that lose protection come
// first, then those of the most targets. If a plan concerns several environments, the phrase ends
// with theirs in brackets.
func (e *effect) say(several bool) []string {
	groups := map[string]*group{}
	for _, t := range e.targets {
		fields := slices.Sorted(maps.Keys(t.fields))
		key := fmt.Sprint(strings.Join(fields, "\x00"), t.certain, t.away)
		if groups[key] == nil {
			groups[key] = &group{fields: fields, kinds: map[string]int{}, environments: map[string]bool{}, certain: t.certain, away: t.away}
		}
		g := groups[key]
		maps.Copy(g.environments, t.environments)
		g.kinds[t.kind]++
		g.targets++
		g.guards = g.guards || t.guards
	}
	var out []string
	for _, g := range slices.SortedFunc(maps.Values(groups), (*group).compare) {
		phrase := g.say(e)
		if several {
			phrase += " " + bracketed(slices.Sorted(maps.Keys(g.environments)))
		}
		out = append(out, phrase)
	}
	return out
}

// bracketed returns the names of environments, or their number if there are more than three.
func bracketed(environments []string) string {
	if len(environments) > 3 {
		return fmt.Sprintf("(%d environments)", len(environments))
	}
	return "(" + strings.Join(environments, ", ") + ")"
}

// group is the targets of an effect with the same settings.
type group struct {
	fields       []string
	kinds        map[string]int
	environments map[string]bool
	targets      int
	guards       bool
	certain      bool
	away         bool
}

func (g *group) compare(other *group) int {
	for _, differ := range [][2]bool{{g.guards, other.guards}, {g.certain, other.certain}, {other.away, g.away}} {
		if differ[0] != differ[1] {
			if differ[0] {
				return -1
			}
			return 1
		}
	}
	return cmp.Or(cmp.Compare(other.targets, g.targets), slices.Compare(g.fields, other.fields))
}

func (g *group) say(e *effect) string {
	var who []string
	for _, kind := range slices.Sorted(maps.Keys(g.kinds)) {
		who = append(who, spelling.Count(g.kinds[kind], kind))
	}
	verb, elsewhere := e.many, " that are not in the input"
	if g.targets == 1 {
		verb, elsewhere = e.one, " that is not in the input"
	}
	if !g.certain {
		verb = "may " + e.perhaps
	}
	if g.away {
		who[len(who)-1] += elsewhere
	}
	what := topmost(g.fields)
	if len(what) > 3 {
		what = append(slices.Clone(what[:3]), spelling.Count(len(what)-3, "more setting"))
	}
	return strings.TrimSpace(strings.Join(who, " and ") + " " + verb + " " + strings.Join(what, ", "))
}

// topmost drops the settings that are inside others of a sorted list.
func topmost(fields []string) []string {
	var out []string
	for _, field := range fields {
		if !slices.ContainsFunc(out, func(above string) bool { return strings.HasPrefix(field, above+".") }) {
			out = append(out, field)
		}
	}
	return out
}
