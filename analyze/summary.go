package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// counter counts what was looked at.
type counter struct {
	policies, routes int
	kinds            map[*policy.Kind]bool
	assumedNamespace int
	// hidden counts the changes that the filter left out.
	hidden int
}

func (c *counter) run(r *effective.Run) {
	if r == nil {
		return
	}
	if c.kinds == nil {
		c.kinds = map[*policy.Kind]bool{}
	}
	c.policies += len(r.Attached.Policies)
	for _, k := range r.Attached.Kinds {
		c.kinds[k] = true
	}
	for _, n := range r.Graph.Nodes {
		if n.Level == hierarchy.LevelRoute && n.Object != nil {
			c.routes++
		}
	}
	for _, o := range r.Environment.Objects {
		if o.NamespaceAssumed && hierarchy.LevelOf(o.ID.Group, o.ID.Kind) != hierarchy.LevelApart {
			c.assumedNamespace++
		}
	}
}

func (c *Counts) add(s rule.Severity) {
	switch s {
	case rule.Error:
		c.Error++
	case rule.Warning:
		c.Warning++
	case rule.Note, rule.Off:
		c.Note++
	}
}

// summarize counts a plan. A target is counted once per environment, by its
// nearest route where it lies below one.
func summarize(p *Plan, counts *counter) Summary {
	s := Summary{
		Policies: counts.policies, Routes: counts.routes, Environments: len(p.Environments),
		Problems: len(p.Problems), TargetsByKind: map[string]int{},
	}
	for _, env := range p.Environments {
		s.Changes += len(env.Changes)
		s.PolicyChanges += len(env.PolicyChanges)
		counted := map[string]bool{}
		for _, c := range env.Changes {
			for _, t := range c.Targets {
				s.Contexts += t.ContextCount
				for _, node := range countedNodes(t) {
					if !counted[node] {
						counted[node] = true
						s.Targets++
						s.TargetsByKind[kindOf(node)]++
					}
				}
			}
		}
		for _, f := range env.Findings {
			switch f.State {
			case rule.New:
				s.Findings.add(f.Severity)
			case rule.Fixed:
				s.Fixed++
			case rule.Unchanged:
				s.Unchanged++
			}
		}
	}
	s.Headline = headline(p)
	return s
}

// skip says what was left out of a revision.
func (s *Summary) skip(from *loader.Snapshot) {
	for _, n := range from.Skipped {
		s.Skipped += n
	}
	s.Unread = from.Unread
}

// countedNodes are the objects that a target counts as: the routes on its
// contexts where there are any above or at it, else its own object.
func countedNodes(t change.Target) []string {
	own := loader.ID{Group: t.Target.Group, Kind: t.Target.Kind, Namespace: t.Target.Namespace, Name: t.Target.Name}
	if hierarchy.LevelOf(own.Group, own.Kind) == hierarchy.LevelRoute {
		return []string{own.String()}
	}
	var routes []string
	for _, context := range t.Contexts {
		for _, node := range context {
			if node, _, isSection := strings.Cut(node, "#"); !isSection && strings.HasSuffix(kindOf(node), "Route") {
				routes = append(routes, node)
			}
		}
	}
	if len(routes) == 0 {
		return []string{own.String()}
	}
	return routes
}

func kindOf(node string) string {
	kind, _, _ := strings.Cut(node, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return kind
}

// headline says a plan in a few words, the worst first.
func headline(p *Plan) string {
	var h headlines
	for _, env := range p.Environments {
		for i := range env.Changes {
			h.add(env.Name, &env.Changes[i])
		}
	}
	said := h.say()
	if environments := len(h.environments); environments > 1 && len(said) > 0 {
		said[len(said)-1] += fmt.Sprintf(" in %d environments", environments)
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, "; ")
	case p.changed():
		return "policies change their verdicts, effective configuration stays"
	}
	return "no effective change"
}

func (p *Plan) changed() bool {
	return slices.ContainsFunc(p.Environments, func(e Environment) bool { return len(e.PolicyChanges) > 0 })
}

// effect is what happens to some targets, in words: "lose", "are moved".
type effect struct {
	many, one string
	targets   map[string]string // environment and node, to kind
	fields    map[string]bool
}

// headlines gathers the effects of a plan, worst first.
type headlines struct {
	effects      [effects]effect
	environments map[string]bool
}

// The effects, worst first.
const (
	loses = iota
	detached
	changes
	moved
	verdict
	removed
	gains
	attached
	added
	effects
)

var effectWords = [effects][2]string{
	loses: {"lose", "loses"}, detached: {"are detached", "is detached"}, changes: {"change in", "changes in"},
	moved: {"move", "moves"}, verdict: {"change verdict", "changes verdict"}, removed: {"are removed", "is removed"},
	gains: {"gain", "gains"}, attached: {"are attached", "is attached"}, added: {"are added", "is added"},
}

func (h *headlines) add(environment string, c *change.Change) {
	if c.Unreadable() {
		return
	}
	switch {
	case c.Kind == change.FieldChange:
		for _, f := range c.Fields {
			h.put(map[change.Action]int{
				change.FieldRemoved: loses, change.FieldChanged: changes, change.FieldAdded: gains,
			}[f.Action], environment, c, setting(c, f))
		}
	case c.PolicyKind == nil:
		h.put(map[change.Kind]int{
			change.Detached: detached, change.Moved: moved, change.Verdict: verdict, change.Removed: removed,
			change.Attached: attached, change.Added: added,
		}[c.Kind], environment, c, "")
	}
}

// setting names a field in a headline: the whole top-level setting where all of
// it goes, the path otherwise.
func setting(c *change.Change, f change.Field) string {
	dotted := strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", ".")
	top, _, _ := strings.Cut(dotted, ".")
	top, _, _ = strings.Cut(top, "[")
	_, before, after := c.Effective()
	other := after
	if f.Action == change.FieldAdded {
		other = before
	}
	switch {
	case top == "" && c.PolicyKind != nil:
		return c.PolicyKind.Kind
	case f.Action != change.FieldChanged && (other == nil || other.Spec.Get(top) == nil):
		return top
	case len(dotted) > 40 || strings.Contains(dotted, "["):
		return top
	}
	return dotted
}

func (h *headlines) put(which int, environment string, c *change.Change, field string) {
	e := &h.effects[which]
	if e.targets == nil {
		e.targets, e.fields = map[string]string{}, map[string]bool{}
		e.many, e.one = effectWords[which][0], effectWords[which][1]
	}
	if h.environments == nil {
		h.environments = map[string]bool{}
	}
	h.environments[environment] = true
	for _, t := range c.Targets {
		for _, node := range countedNodes(t) {
			e.targets[environment+"\x00"+node] = kindOf(node)
		}
	}
	if field != "" {
		e.fields[field] = true
	}
}

// maxEffects is how many effects a headline says.
const maxEffects = 2

func (h *headlines) say() []string {
	var said []string
	for i := range h.effects {
		if e := &h.effects[i]; len(e.targets) > 0 {
			said = append(said, e.say())
		}
	}
	if len(said) > maxEffects {
		said = append(said[:maxEffects], "and more")
	}
	return said
}

func (e *effect) say() string {
	kinds := map[string]int{}
	for _, kind := range e.targets {
		kinds[kind]++
	}
	var who []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		who = append(who, count(kinds[kind], kind))
	}
	verb := e.many
	if len(e.targets) == 1 {
		verb = e.one
	}
	what := slices.Sorted(maps.Keys(e.fields))
	if len(what) > 3 {
		what = append(what[:3], fmt.Sprintf("%d more settings", len(what)-3))
	}
	return strings.TrimSpace(strings.Join(who, " and ") + " " + verb + " " + strings.Join(what, ", "))
}

func count(n int, word string) string { return fmt.Sprintf("%d %s", n, plural(word, n)) }

func plural(word string, n int) string {
	switch {
	case n == 1:
		return word
	case strings.HasSuffix(word, "s"):
		return word + "es"
	case strings.HasSuffix(word, "Policy"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

func incomplete(p *Plan) bool {
	return anyProblem(p.Problems) || slices.ContainsFunc(p.Environments, func(e Environment) bool {
		return e.Incomplete.Base || e.Incomplete.Head
	})
}

func anyProblem(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity != string(loader.Note) })
}

// notes say what was assumed.
func notes(o Options, t *policy.Table, counts *counter, snapshots ...*loader.Snapshot) []string {
	out := slices.Clone(o.Notes)
	for _, s := range snapshots {
		out = append(out, s.Notes...)
	}
	for _, k := range t.Kinds() {
		if counts.kinds[k] {
			out = append(out, k.Notes...)
		}
	}
	if counts.assumedNamespace > 0 {
		out = append(out, fmt.Sprintf("%s without a namespace: `default` is assumed", count(counts.assumedNamespace, "object")))
	}
	if counts.hidden > 0 {
		out = append(out, fmt.Sprintf("%s outside what was asked for (-n, -e, PATH) not shown", count(counts.hidden, "change")))
	}
	slices.SortFunc(out, cmp.Compare[string])
	return slices.Compact(out)
}

// sides joins the problems of two revisions; what both have is said once.
func sides(base, head *loader.Snapshot) []Problem {
	before, after := problems(base.Problems, "base"), problems(head.Problems, "head")
	out := make([]Problem, 0, len(before)+len(after))
	index := map[string]int{}
	for _, p := range before {
		index[problemKey(p)] = len(out)
		out = append(out, p)
	}
	for _, p := range after {
		if i, ok := index[problemKey(p)]; ok {
			p.Side = "both"
			out[i] = p
			continue
		}
		out = append(out, p)
	}
	return sortedProblems(out)
}

func problemKey(p Problem) string { return p.Code + "\x00" + p.File + "\x00" + p.Message }

func problems(in []loader.Problem, side string) []Problem {
	out := make([]Problem, 0, len(in))
	for _, p := range in {
		out = append(out, Problem{
			Severity: string(p.Severity), Code: p.Code, Side: side, Environments: p.Environments,
			File: p.Position.File, Line: p.Position.Line, Column: p.Position.Column, Message: p.Message, Hint: p.Hint,
		})
	}
	return sortedProblems(out)
}

func sortedProblems(out []Problem) []Problem {
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Side, b.Side),
		)
	})
	return out
}

// ruleDocs documents the rules that a plan has findings of.
func ruleDocs(envs []Environment) []RuleDoc {
	used := map[string]bool{}
	for _, env := range envs {
		for _, f := range env.Findings {
			used[f.Rule] = true
		}
	}
	return docsOf(used)
}

func checkDocs(envs []CheckEnvironment) []RuleDoc {
	used := map[string]bool{}
	for _, env := range envs {
		for _, f := range env.Findings {
			used[f.Rule] = true
		}
	}
	return docsOf(used)
}

func docsOf(used map[string]bool) []RuleDoc {
	var out []RuleDoc
	for _, r := range rule.All() {
		if used[r.ID] {
			out = append(out, RuleDoc{
				ID: r.ID, Title: r.Title, Severity: string(r.Severity), Why: r.Why, Fix: r.Fix, Security: r.Security,
			})
		}
	}
	return out
}
