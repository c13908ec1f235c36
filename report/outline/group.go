// Package outline holds what the output formats share: the grouping of changes, their order, their
// wording, and the escaping of untrusted text.
package outline

import (
	"encoding/json"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Group holds the results of one cause in all environments. Groups only make a report easier to
// read: within a group everything keeps the order of the plan.
type Group struct {
	Causes   []plan.Cause
	Policies []PolicyOutcome
	Outcomes []*Outcome
	// Kept are the targets that the edit reaches but whose values stay the same.
	Kept []*TargetLine
}

// PolicyOutcome is one change of a policy and the environments that have it.
type PolicyOutcome struct {
	Change       *plan.PolicyChange
	Environments []string
	// Uncertain is true if a file of the policy could not be read on one side.
	Uncertain bool
}

// Outcome is one change in all environments that have it, regardless of the policies in force at
// its targets.
type Outcome struct {
	Change       *plan.Change
	Targets      []*TargetLine
	Environments []string
	// Policies are in force at any of the targets, Shared at all of them.
	Policies, Shared []string
	// Unread is true if no target is certain and an error on one side may be the reason. A plan is
	// also uncertain if a Gateway is in another repository, but that hides nothing.
	Unread bool
	// exact is the key of the change with the places of its fields, or empty where these differ and are left out.
	exact string
	index map[plan.TargetRef]*TargetLine
}

// TargetLine is an object and those of its sections that share an outcome.
type TargetLine struct {
	Target       plan.TargetRef
	Sections     []string
	Environments []string
	Certain      bool
	AgeSensitive bool
	// Example is the first target of the line, for its contexts.
	Example *plan.Target
	// All are all targets of the line.
	All []*plan.Target
}

// Groups groups the changes of a plan by their causes, the worst first. Edits that do the same to different targets are one
// group.
func Groups(p *plan.Plan) []*Group {
	g := grouping{
		byCause: map[string]*Group{}, outcomes: map[string]*Outcome{}, policies: map[string]int{},
		kept: map[string]*TargetLine{}, problems: oneSided(p.Problems),
	}
	for e := range p.Environments {
		env := &p.Environments[e]
		for i := range env.Changes {
			g.change(env.Name, &env.Changes[i])
		}
		for i := range env.PolicyChanges {
			g.policy(env.Name, &env.PolicyChanges[i])
		}
	}
	return joinAlike(worstFirst(g.list, p))
}

type grouping struct {
	list     []*Group
	byCause  map[string]*Group
	outcomes map[string]*Outcome
	policies map[string]int
	kept     map[string]*TargetLine
	problems []*plan.Problem
}

// of finds or creates the group of some causes, with its key.
func (g *grouping) of(causes []plan.Cause) (*Group, string) {
	if causes == nil {
		causes = []plan.Cause{}
	}
	k := key(causes)
	if g.byCause[k] == nil {
		g.byCause[k] = &Group{Causes: causes}
		g.list = append(g.list, g.byCause[k])
	}
	return g.byCause[k], k
}

func (g *grouping) change(env string, c *plan.Change) {
	grp, cause := g.of(c.Causes)
	exact := c.Outcome()
	k := exact
	if routed(c) {
		k = (&plan.Change{Kind: c.Kind, Causes: c.Causes, Fields: withoutPlaces(c.Fields)}).Outcome()
	}
	o := g.outcomes[k]
	if o == nil {
		o = &Outcome{Change: c, exact: exact, Shared: c.Policies, Unread: true, index: map[plan.TargetRef]*TargetLine{}}
		g.outcomes[k] = o
		grp.Outcomes = append(grp.Outcomes, o)
	}
	if o.exact != "" && o.exact != exact {
		// The same happens to several objects, and each has its own place for it.
		same := *o.Change
		same.Fields = withoutPlaces(same.Fields)
		o.Change, o.exact = &same, ""
	}
	o.Environments = AppendNew(o.Environments, env)
	o.Unread = o.Unread && unreadIn(g.problems, env) && !slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return t.Certain })
	o.inForce(c.Policies)
	for i := range c.Targets {
		o.add(env, &c.Targets[i])
	}
	for _, t := range c.Kept {
		g.keep(grp, cause, t)
	}
}

// routed reports whether a change says how routes are attached to their parents, which may be the same for many routes.
func routed(c *plan.Change) bool {
	return c.PolicyKind == nil && slices.Contains([]plan.ChangeKind{plan.Attached, plan.Detached, plan.VerdictChange}, c.Kind) &&
		!slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !loader.IsRoute(t.Target.Kind) })
}

func withoutPlaces(fields []plan.Field) []plan.Field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].BeforeSource, out[i].AfterSource = nil, nil
	}
	return out
}

// keep records a target that keeps its values, once for each cause.
func (g *grouping) keep(grp *Group, cause string, t plan.TargetRef) {
	section := t.Section
	t.Section = ""
	k := cause + key(t)
	if g.kept[k] == nil {
		g.kept[k] = &TargetLine{Target: t}
		grp.Kept = append(grp.Kept, g.kept[k])
	}
	if section != "" {
		g.kept[k].Sections = AppendNew(g.kept[k].Sections, section)
	}
}

// inForce adds a change's policies to Policies and narrows Shared.
func (o *Outcome) inForce(policies []string) {
	o.Shared = slices.DeleteFunc(slices.Clone(o.Shared), func(p string) bool { return !slices.Contains(policies, p) })
	for _, p := range policies {
		o.Policies = AppendNew(o.Policies, p)
	}
}

func (o *Outcome) add(env string, t *plan.Target) {
	object := t.Target
	object.Section = ""
	line := o.index[object]
	if line == nil {
		line = &TargetLine{Target: object, Certain: true, Example: t}
		o.index[object] = line
		o.Targets = append(o.Targets, line)
	}
	if t.Target.Section != "" {
		line.Sections = AppendNew(line.Sections, t.Target.Section)
	}
	line.Environments = AppendNew(line.Environments, env)
	line.Certain = line.Certain && t.Certain
	line.AgeSensitive = line.AgeSensitive || t.AgeSensitive
	line.All = append(line.All, t)
}

func (g *grouping) policy(env string, c *plan.PolicyChange) {
	if VerdictsText(c) == "" {
		return
	}
	grp, cause := g.of(c.Causes)
	k := cause + key(c.Policy, c.Before, c.After)
	i, known := g.policies[k]
	if !known {
		i = len(grp.Policies)
		g.policies[k] = i
		grp.Policies = append(grp.Policies, PolicyOutcome{Change: c, Uncertain: unread(g.problems, env, c)})
	}
	grp.Policies[i].Environments = AppendNew(grp.Policies[i].Environments, env)
}

// key encodes values as a grouping key. Values that JSON cannot encode share one key; a plan
// contains none.
func key(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil {
		return "?"
	}
	return string(data)
}

// Name writes "HTTPRoute baker/oven", with its section if there is only one.
func (l *TargetLine) Name() string {
	t := l.Target
	if len(l.Sections) == 1 {
		t.Section = l.Sections[0]
	}
	return TargetName(t)
}

// Extent writes "2 rules" where several sections share the outcome, else "".
func (l *TargetLine) Extent() string {
	if len(l.Sections) < 2 {
		return ""
	}
	return spelling.Count(len(l.Sections), plan.SectionNoun(l.Target.Kind))
}

// Named reports whether the output should name the environments. A repository that is not split
// into environments has a single one called ".".
func Named(environments []string) bool {
	return len(environments) > 0 && !slices.Equal(environments, []string{"."})
}

// IsObject reports whether a group holds one added or removed object and nothing else.
func (g *Group) IsObject() bool {
	if len(g.Policies) > 0 || len(g.Kept) > 0 || len(g.Outcomes) != 1 || len(g.Outcomes[0].Targets) != 1 {
		return false
	}
	c := g.Outcomes[0].Change
	return c.PolicyKind == nil && (c.Kind == plan.Added || c.Kind == plan.Removed)
}
