package traffic

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
)

// edits are the causes of a comparison's changes, by the objects and sections that changed.
type edits map[string][]edit

// edit is a cause of a change, with the policy kind that changes; nil is the object's own configuration.
type edit struct {
	plan.Cause
	kind *catalogue.Kind
}

// editsOf returns the causes of changes of policies, too, or only those of the objects themselves.
func editsOf(d *change.Difference, policies bool) edits {
	out := edits{}
	for i := range d.Changes {
		c := &d.Changes[i]
		if !policies && (c.PolicyKind != nil || onlyConnects(c)) {
			continue
		}
		for _, t := range c.Targets {
			name := t.Target.ID().String()
			if t.Target.Section != "" {
				name += "#" + t.Target.Section
			}
			k, _, _ := c.Effective()
			for _, cause := range c.Causes {
				out[name] = append(out[name], edit{cause, k})
			}
		}
	}
	return out
}

// onlyConnects reports whether a change concerns how a Gateway ends connections, and not which requests a listener takes.
func onlyConnects(c *change.Compared) bool {
	return len(c.Fields) > 0 && !slices.ContainsFunc(c.Fields, func(f plan.Field) bool { return !strings.HasPrefix(f.Path, "/tls/") })
}

// of returns the edits that change some nodes, in the order of their places.
func (e edits) of(nodes ...string) []plan.Cause { return e.with(nil, nil, nodes...) }

// with adds the edits that change some nodes to others, by changes of some kinds; nil is any.
func (e edits) with(out []plan.Cause, kinds []*catalogue.Kind, nodes ...string) []plan.Cause {
	for _, node := range nodes {
		for _, c := range e[node] {
			if !slices.Contains(out, c.Cause) && (kinds == nil || slices.Contains(kinds, c.kind)) {
				out = append(out, c.Cause)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b plan.Cause) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// ofAnswers returns the edits that change the rules, routes and listeners of answers.
func (e edits) ofAnswers(answers []plan.Answer) []plan.Cause {
	var nodes []string
	for i := range answers {
		a := &answers[i]
		nodes = append(append(nodes, a.Rule, a.Route, a.Listener, a.Gateway), a.HostRoutes...)
	}
	return e.of(nodes...)
}
