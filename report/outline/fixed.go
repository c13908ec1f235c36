package outline

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// Fixed returns the errors and warnings that the change ends. Those that go with their object are not fixed.
func Fixed(p *plan.Plan) []FoundIn {
	gone := map[string]bool{}
	for _, e := range p.Environments {
		for i := range e.Changes {
			if c := &e.Changes[i]; c.Kind == plan.Removed && c.PolicyKind == nil {
				for _, t := range c.Targets {
					gone[e.Name+" "+t.Target.ID().String()] = true
				}
			}
		}
		for i := range e.PolicyChanges {
			if c := &e.PolicyChanges[i]; c.After == nil {
				gone[e.Name+" "+c.Policy] = true
			}
		}
	}
	var list []EnvironmentFindings
	for _, e := range p.Environments {
		var fixed []plan.Finding
		for _, f := range e.Findings {
			if f.State == plan.Fixed && f.Severity != plan.Note && !gone[e.Name+" "+whole(f.Target)] {
				fixed = append(fixed, f)
			}
		}
		list = append(list, EnvironmentFindings{e.Name, fixed})
	}
	return FindingsIn(list, func(*plan.Finding) bool { return true })
}

// whole is the object of which a name may have a section.
func whole(name string) string {
	object, _, _ := strings.Cut(name, "#")
	return object
}
