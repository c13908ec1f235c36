package report

import (
	"encoding/json"
	"slices"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/rule"
)

// group is what one cause brought about, across environments. Grouping is for
// the eye alone: everything stays in the order of the plan.
type group struct {
	Causes   []change.Cause
	Policies []policyOutcome
	Outcomes []*outcome
}

// policyOutcome is one change of a policy and where it holds.
type policyOutcome struct {
	Change       *analyze.PolicyChange
	Environments []string
}

// outcome is one change, in every environment that has it.
type outcome struct {
	Change       *change.Change
	Targets      []*targetLine
	Environments []string
	index        map[change.TargetRef]*targetLine
}

// targetLine is an object with those of its sections that share an outcome.
type targetLine struct {
	Target       change.TargetRef
	Sections     []string
	Environments []string
	Certain      bool
	AgeSensitive bool
	// Example is the first target of the line, for its contexts.
	Example *change.Target
	// All are all targets of the line.
	All []*change.Target
}

// groups folds the changes of a plan by their causes.
func groups(p *analyze.Plan) []*group {
	g := grouping{byCause: map[string]*group{}, outcomes: map[string]*outcome{}, policies: map[string]int{}}
	for e := range p.Environments {
		env := &p.Environments[e]
		for i := range env.Changes {
			g.change(env.Name, &env.Changes[i])
		}
		for i := range env.PolicyChanges {
			g.policy(env.Name, &env.PolicyChanges[i])
		}
	}
	return g.list
}

type grouping struct {
	list     []*group
	byCause  map[string]*group
	outcomes map[string]*outcome
	policies map[string]int
}

// of finds or begins the group of some causes.
func (g *grouping) of(causes []change.Cause) (*group, string) {
	if causes == nil {
		causes = []change.Cause{}
	}
	k := key(causes)
	if g.byCause[k] == nil {
		g.byCause[k] = &group{Causes: causes}
		g.list = append(g.list, g.byCause[k])
	}
	return g.byCause[k], k
}

func (g *grouping) change(env string, c *change.Change) {
	grp, cause := g.of(c.Causes)
	k := cause + key(c.PolicyKind, c.Kind, c.Summary, c.Fields, c.Policies)
	if len(c.Fields) == 0 {
		// Without fields the contexts are what changed.
		k += key(contextsOf(c))
	}
	o := g.outcomes[k]
	if o == nil {
		o = &outcome{Change: c, index: map[change.TargetRef]*targetLine{}}
		g.outcomes[k] = o
		grp.Outcomes = append(grp.Outcomes, o)
	}
	o.Environments = appendNew(o.Environments, env)
	for i := range c.Targets {
		o.add(env, &c.Targets[i])
	}
}

// contextsOf are the contexts before and after, of a change that moves.
func contextsOf(c *change.Change) [][][]string {
	if c.Kind != change.Moved {
		return nil
	}
	var all [][][]string
	for _, t := range c.Targets {
		all = append(all, t.ContextsBefore, t.Contexts)
	}
	return all
}

func (o *outcome) add(env string, t *change.Target) {
	object := t.Target
	object.Section = ""
	line := o.index[object]
	if line == nil {
		line = &targetLine{Target: object, Certain: true, Example: t}
		o.index[object] = line
		o.Targets = append(o.Targets, line)
	}
	if t.Target.Section != "" {
		line.Sections = appendNew(line.Sections, t.Target.Section)
	}
	line.Environments = appendNew(line.Environments, env)
	line.Certain = line.Certain && t.Certain
	line.AgeSensitive = line.AgeSensitive || t.AgeSensitive
	line.All = append(line.All, t)
}

func (g *grouping) policy(env string, c *analyze.PolicyChange) {
	grp, cause := g.of(c.Causes)
	k := cause + key(c.Policy, c.Before, c.After)
	i, known := g.policies[k]
	if !known {
		i = len(grp.Policies)
		g.policies[k] = i
		grp.Policies = append(grp.Policies, policyOutcome{Change: c})
	}
	grp.Policies[i].Environments = appendNew(grp.Policies[i].Environments, env)
}

// key identifies values for grouping. Values that do not encode (there are
// none in a plan) share a key.
func key(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil {
		return "?"
	}
	return string(data)
}

// name writes "HTTPRoute baker/oven", with its section if there is only one.
func (l *targetLine) name() string {
	t := l.Target
	if len(l.Sections) == 1 {
		t.Section = l.Sections[0]
	}
	return targetName(t)
}

// extent writes "2 rules" where several sections share the outcome, else "".
func (l *targetLine) extent() string {
	if len(l.Sections) < 2 {
		return ""
	}
	return count(len(l.Sections), sectionNoun(l.Target.Kind))
}

// foundIn is a finding with the environments that have it.
type foundIn struct {
	*rule.Finding
	Environments []string
}

// findingsIn folds equal findings of several environments. keep chooses.
func findingsIn(environments []environmentFindings, keep func(*rule.Finding) bool) []foundIn {
	var list []foundIn
	index := map[string]int{}
	for _, env := range environments {
		for i := range env.Findings {
			f := &env.Findings[i]
			if !keep(f) {
				continue
			}
			k := key(f.Rule, f.Severity, f.Message, f.Target, f.File, f.Line, f.Column)
			at, known := index[k]
			if !known {
				at = len(list)
				index[k] = at
				list = append(list, foundIn{Finding: f})
			}
			list[at].Environments = appendNew(list[at].Environments, env.Name)
		}
	}
	return list
}

// environmentFindings are the findings of an environment of either document.
type environmentFindings struct {
	Name     string
	Findings []rule.Finding
}

func planFindings(p *analyze.Plan) []environmentFindings {
	var list []environmentFindings
	for _, e := range p.Environments {
		list = append(list, environmentFindings{e.Name, e.Findings})
	}
	return list
}

func checkFindings(c *analyze.Check) []environmentFindings {
	var list []environmentFindings
	for _, e := range c.Environments {
		list = append(list, environmentFindings{e.Name, e.Findings})
	}
	return list
}

// isNew keeps what counts in a diff; outside a diff findings have no state.
func isNew(f *rule.Finding) bool { return f.State == "new" || f.State == "" }

// named says whether environments are worth naming: a repository without any
// split is one environment called ".".
func named(environments []string) bool {
	return len(environments) > 0 && !slices.Equal(environments, []string{"."})
}
