package change

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// beatenAlike returns the edited policies of two equal states if at least one of them is fully
// overridden there, and nil otherwise. The outcome of all other policies is the same on both sides.
func (c *effects) beatenAlike(k *catalogue.Kind, states [2]effective.State) []*loader.Object {
	var edited []*loader.Object
	beaten := false
	for side, s := range states {
		c.runs[side].Met(s, func(set *policy.Set) {
			for _, p := range c.editedOf(set) {
				edited = append(edited, p.Object)
				beaten = beaten || c.join.Enforcement(k, effective.Side(side), s, p) == plan.Overridden
			}
		})
	}
	if !beaten {
		return nil
	}
	return edited
}

// editedOf returns the edited policies of a set and caches the result.
func (c *effects) editedOf(set *policy.Set) []*policy.Policy {
	found, ok := c.sets[set]
	if ok {
		return found
	}
	for _, p := range set.Policies {
		if _, edited := c.edits[p.ID()]; edited {
			found = append(found, p)
		}
	}
	c.sets[set] = found
	return found
}
