package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// UnmergeableWhy says why the controller refuses to merge the policy, or is empty.
func (p *Policy) UnmergeableWhy() string {
	if p.Unmergeable == nil {
		return ""
	}
	sel := p.Kind.Merge.Levels.Select
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(sel.Values)), func(value string) bool { return value == "" })
	return fmt.Sprintf("%s is %q, which is not supported; use %s", sel.Field, p.Unmergeable.Text, strings.Join(known, " or "))
}
