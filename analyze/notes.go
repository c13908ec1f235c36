package analyze

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// note is an assumption about a subject. A note of head replaces the note of base on the same
// subject.
type note struct {
	subject, text string
	// kind is the kind of policy that the note is about, if it is about one.
	kind *catalogue.Kind
}

// notes returns what was assumed about one revision.
func notes(o Options, t *catalogue.Table, counts *counter, s *loader.Snapshot) []string {
	out := slices.Clone(o.Notes)
	for _, n := range assumed(o, t, counts, s) {
		out = append(out, n.text)
	}
	return ordered(out)
}

// pairNotes returns what was assumed about two revisions, in two lists. differ is for readers of
// the difference: notes that differ, and notes on the kinds of which something changes. both has
// the other notes, which are true of both revisions.
func pairNotes(o Options, t *catalogue.Table, counts *[2]counter, base, head *loader.Snapshot) (differ, both []string) {
	differ = slices.Clone(o.Notes)
	if n := counts[1].hidden; n > 0 {
		differ = append(differ, fmt.Sprintf("%s outside the selection (-n, -e, PATH), not shown", spelling.Count(n, "change")))
	}
	before, after := assumed(o, t, &counts[0], base), assumed(o, t, &counts[1], head)
	for _, n := range after {
		switch {
		case counts[1].changed[n.kind]:
			differ = append(differ, n.text)
		case slices.Contains(before, n):
			both = append(both, n.text)
		default:
			differ = append(differ, "head: "+n.text)
		}
	}
	for _, n := range before {
		if slices.ContainsFunc(after, func(a note) bool { return a.subject == n.subject }) {
			continue
		}
		differ = append(differ, "base: "+n.text)
	}
	return ordered(differ), ordered(both)
}

func ordered(notes []string) []string {
	slices.Sort(notes)
	return slices.Compact(notes)
}

// assumed returns what was assumed about the environments of a revision that are shown.
func assumed(o Options, t *catalogue.Table, counts *counter, s *loader.Snapshot) []note {
	var out []note
	for _, n := range s.Notes {
		if len(n.Environments) > 0 && !slices.ContainsFunc(n.Environments, o.Filter.environment) {
			continue
		}
		out = append(out, note{subject: n.Subject(), text: n.Text})
	}
	for _, k := range t.Kinds() {
		if !counts.kinds[k] {
			continue
		}
		for _, text := range k.Notes {
			out = append(out, note{subject: text, text: text, kind: k})
		}
	}
	if n := counts.assumedNamespace; n > 0 {
		out = append(out, note{subject: "namespace", text: fmt.Sprintf("%s without a namespace: `default` is assumed", spelling.Count(n, "object"))})
	}
	if list := counts.generated; len(list) > 0 {
		out = append(out, note{subject: "generated", text: "created by controllers in the cluster and treated as part of the input: " + spelling.Few(slices.Sorted(maps.Keys(list)))})
	}
	return out
}

// ruleDocs returns the documentation of the rules that have findings in a plan.
func ruleDocs(envs []plan.Environment) []plan.RuleDoc {
	used := map[string]bool{}
	for _, env := range envs {
		for _, f := range env.Findings {
			used[f.Rule] = true
		}
	}
	return docsOf(used)
}

func checkDocs(envs []plan.CheckEnvironment) []plan.RuleDoc {
	used := map[string]bool{}
	for _, env := range envs {
		for _, f := range env.Findings {
			used[f.Rule] = true
		}
	}
	return docsOf(used)
}

func docsOf(used map[string]bool) []plan.RuleDoc {
	var out []plan.RuleDoc
	for _, r := range rule.All() {
		if used[r.ID] {
			out = append(out, plan.RuleDoc{
				ID: r.ID, Title: r.Title, Severity: string(r.Severity), Why: r.Why, Fix: r.Fix, Security: r.Security,
			})
		}
	}
	return out
}
