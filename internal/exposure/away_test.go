package exposure_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
)

// awayMutations returns mutations of policies whose target is not in the input, because it is
// in another repository. Only the policies themselves are compared, so a loosening must
// result in at least a warning.
func awayMutations(e *catalogue.Entry) []mutation {
	var out []mutation
	all := slices.Concat(rowMutations(e), detachings(e), neutralEdits(e))
	for _, a := range attachments(e) {
		if a.form.Form != "one" && a.form.Form != "list" || a.part == "namespace" || a.part == "class" {
			continue
		}
		named := strings.TrimRight("("+a.form.Form+" at "+a.part+" "+a.section+")", " ")
		var mutations []mutation
		for _, m := range all {
			if strings.HasSuffix(strings.TrimSuffix(m.name, ")"), strings.TrimSuffix(named, ")")) && !ofTarget(m.name) {
				mutations = append(mutations, m)
			}
		}
		for _, m := range mutations {
			least := plan.Warning
			if m.least == "" {
				least = ""
			}
			out = append(out, mutation{name: "away: " + m.name, least: least, beside: &m, make: func(r *rand.Rand) (*world, *world) {
				before, after := m.make(r)
				for _, w := range []*world{before, after} {
					delete(w.docs, a.part)
					w.partial = true
				}
				return before, after
			}})
		}
	}
	return out
}

// ofTarget reports whether a mutation edits the target, or the reference to it.
func ofTarget(name string) bool {
	return slices.ContainsFunc([]string{
		"with all that names it", "is renamed without the policy", "the labels of the target", "another section", "another kind",
	}, func(words string) bool { return strings.Contains(name, words) })
}
