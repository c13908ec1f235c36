package analyze_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// TestMirror swaps the runs of a comparison and expects the mirror image: what
// came went, what was before is after, and nothing is counted otherwise. The
// ages are an input of both and stay.
func TestMirror(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		before, after := snapshot(".", files(base)...), snapshot(".", files(head)...)
		table := o.Table(before, after)
		between := func(x, y []doc) *change.Difference {
			states := effective.NewStates()
			return change.Between(
				runWith(o, table, snapshot(".", files(x)...), age.Ages{}, states),
				runWith(o, table, snapshot(".", files(y)...), age.Ages{}, states), change.Options{})
		}
		got, want := mirrored(between(head, base), true), mirrored(between(base, head), false)
		if got != want {
			t.Errorf("it is no mirror image:%s\nfrom\n%s\nto\n%s", lineDifference(got, want), manifests(base), manifests(head))
		}
	})
}

// mirrored writes a difference with its sides swapped, one line for each change
// of a target or policy.
func mirrored(d *change.Difference, swap bool) string {
	var lines []string
	for i := range d.Changes {
		lines = append(lines, mirroredChange(&d.Changes[i], swap)...)
	}
	for _, v := range d.Policies {
		before, after := swapped(swap, v.Before, v.After)
		lines = append(lines, fmt.Sprintf("%s: %s -> %s because of %v", v.Node, jsonText(before), jsonText(after), objectsOf(v.Causes)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func swapped[T any](swap bool, before, after T) (T, T) {
	if swap {
		return after, before
	}
	return before, after
}

// opposites are the words that a mirror changes.
func opposites() map[string]string {
	return map[string]string{
		"attached": "detached", "detached": "attached", "added": "removed", "removed": "added",
	}
}

func mirroredWord(swap bool, word string) string {
	if opposite, ok := opposites()[word]; ok && swap {
		return opposite
	}
	return word
}

func mirroredChange(c *change.Compared, swap bool) []string {
	var fields, out []string
	for _, f := range c.Fields {
		before, after := swapped(swap, f.Before, f.After)
		from, to := swapped(swap, f.BeforeSource, f.AfterSource)
		fields = append(fields, fmt.Sprint(f.Path, " ", mirroredWord(swap, string(f.Action)), " ",
			jsonText(before), " of ", jsonText(from), " -> ", jsonText(after), " of ", jsonText(to)))
	}
	slices.Sort(fields)
	for _, target := range c.Targets {
		contextsBefore, count := target.ContextsBefore, 0
		if contextsBefore == nil {
			// Otherwise the count is that of head's contexts alone.
			contextsBefore, count = target.Contexts, target.ContextCount
		}
		before, after := swapped(swap, contextsBefore, target.Contexts)
		line := fmt.Sprint(jsonText(c.PolicyKind), " ", mirroredWord(swap, string(c.Kind)), " at ", jsonText(target.Target),
			" in ", count, " ", pathsOf(before), " -> ", pathsOf(after), " ", target.Certain, target.AgeSensitive, ": ",
			fields, " because of ", objectsOf(c.Causes))
		out = append(out, ruleNames.ReplaceAllString(line, "rule"))
	}
	return out
}

// ruleNames are the names of rules, and the indexes of those without: where both sides
// have the rule, head names it.
var ruleNames = regexp.MustCompile(`rule(-\d|\[\d+\])`)

// pathsOf are contexts without the names of rules, each once.
func pathsOf(contexts [][]string) []string {
	var out []string
	for _, c := range contexts {
		out = append(out, ruleNames.ReplaceAllString(strings.Join(c, " > "), "rule"))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// objectsOf are the edited objects; the place of an edit is in head where it
// can be.
func objectsOf(causes []plan.Cause) []string {
	var out []string
	for _, c := range causes {
		out = append(out, c.Object)
	}
	slices.Sort(out)
	return out
}
