package analyze

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// causesOf returns a function that finds the edits which change the rules, routes and listeners of answers.
func (o Options) causesOf(runs runs, base, head *loader.Snapshot) func([]plan.Answer) []plan.Cause {
	byTarget := map[string][]plan.Cause{}
	d := change.Between(runs.before, runs.after, change.Options{
		Environment: runs.pair.name(), Unreadable: runs.unread, Content: [2]func(string) string{base.Content, head.Content},
	})
	for i := range d.Changes {
		c := &d.Changes[i]
		for _, t := range c.Targets {
			name := t.Target.Kind + "/" + t.Target.Namespace + "/" + t.Target.Name
			if t.Target.Section != "" {
				name += "#" + t.Target.Section
			}
			byTarget[name] = append(byTarget[name], c.Causes...)
		}
	}
	return func(answers []plan.Answer) []plan.Cause {
		var out []plan.Cause
		for i := range answers {
			a := &answers[i]
			for _, node := range []string{a.Rule, a.Route, a.Listener, a.Gateway} {
				for _, c := range byTarget[node] {
					if !slices.Contains(out, c) {
						out = append(out, c)
					}
				}
			}
		}
		slices.SortStableFunc(out, func(a, b plan.Cause) int {
			if a.File != b.File {
				return strings.Compare(a.File, b.File)
			}
			return a.Line - b.Line
		})
		return out
	}
}
