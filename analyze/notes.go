package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// notes say what was assumed.
func notes(o Options, t *policy.Table, counts *counter, snapshots ...*loader.Snapshot) []string {
	out := slices.Clone(o.Notes)
	for i, s := range snapshots {
		for _, note := range s.Notes {
			out = append(out, sided(note, i, snapshots))
		}
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
	if len(counts.generated) > 0 {
		out = append(out, "generated in the cluster, read as if it were in the input: "+few(slices.Sorted(maps.Keys(counts.generated))))
	}
	slices.SortFunc(out, cmp.Compare[string])
	return slices.Compact(out)
}

// sided says which revision a note is about, if the other has it not.
func sided(note string, side int, snapshots []*loader.Snapshot) string {
	if len(snapshots) < 2 || slices.Contains(snapshots[1-side].Notes, note) {
		return note
	}
	return []string{"base: ", "head: "}[side] + note
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
