package change

import "slices"

// Selected says whether a change is about what a policy selects and of which nobody knows what
// it is: none of it is in the input.
func (c *Change) Selected() bool {
	return len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, func(t Target) bool { return !t.NotInInput || t.Target.Name != "*" })
}
