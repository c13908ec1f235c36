package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var connectionFilterChanged = &Rule{
	ID:       "connection-filter-changed",
	Title:    "A network policy admits different requests on a connection",
	Severity: plan.Warning,
	Why: "The policy allows a connection, but only for some requests: by HTTP method and path, by the name that a DNS query asks " +
		"for, by a server name, or by a condition that manifests do not decide. These rules differ, and which requests are newly " +
		"admitted is not compared.",
	Fix:      "Read both versions of the rules. If requests are to be admitted that were not before, say so in the pull request.",
	Security: true,
	Compare:  compareFilters,
}

func compareFilters(p *Pair, report Report) {
	for _, f := range p.Connections().filtered {
		var was, is []string
		was, is = onlyIn(f.Before, f.After), onlyIn(f.After, f.Before)
		object := f.Edit.After
		if object == nil {
			object = f.Edit.Before
		}
		hit := Hit{
			Opens: !f.Narrows, Target: object.ID.String(), Key: []string{strings.Join(was, " "), strings.Join(is, " ")}, Object: object,
			Title:  filterTitle(&f, object, len(was), len(is)),
			Detail: fmt.Sprintf("now %s; before %s", filterWords(is, f.After), filterWords(was, f.Before)),
		}
		if len(was)+len(is) == 1 && len(f.Lifted)+len(f.Imposed) == 1 {
			hit.Detail = "" // the title says it all
		}
		if slices.Equal(unmarked(was), unmarked(is)) {
			hit.Detail = "they differ in what is not spelt out: " + filterWords(is, f.After)
		}
		if selects, _ := network.Selects(object.ID.Group, object.ID.Kind); !selects { // the labels of an end
			hit.Title = say("Network policies allow different requests to or from %s", object.ID)
		}
		hit.At, hit.InBase = p.causePlace(p.editCauses([]network.Edit{f.Edit}))
		report(hit)
	}
}

// filterTitle says what differs about the requests that a policy allows: was and is are how many rules about them go and come.
func filterTitle(f *network.FilterChange, object *loader.Object, was, is int) string {
	lifted, imposed := f.Lifted, f.Imposed
	switch {
	case f.Undecided && was+is > 0 && len(lifted)+len(imposed) == 0 && !f.Narrows:
		return say("%s changes in rules that manifests do not decide", object.ID)
	case len(lifted) > 0 && is == 0 && lifted[0].Only == mutual:
		return say("%s no longer asks for mutual authentication %s", object.ID, lifted[0].Where)
	case len(lifted) > 0 && is == 0:
		return say("%s allows every request %s, before only %s", object.ID, lifted[0].Where, lifted[0].Only)
	case len(imposed) > 0 && was == 0 && imposed[0].Only == mutual:
		return say("%s now asks for mutual authentication %s", object.ID, imposed[0].Where)
	case len(imposed) > 0 && was == 0 && len(imposed) == is:
		return say("%s now allows only %s %s, before every request", object.ID, imposed[0].Only, imposed[0].Where)
	case f.Narrows:
		return say("%s now allows only some requests", object.ID)
	}
	return say("%s allows different requests", object.ID)
}

// mutual is the condition of a rule with mutual authentication.
const mutual = "with mutual authentication"

// unmarked returns texts as readers get them.
func unmarked(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = network.Unmarked(text)
	}
	return out
}

// onlyIn returns the texts of one list that another does not have.
func onlyIn(list, other []string) []string {
	var out []string
	known := map[string]bool{}
	for _, text := range other {
		known[text] = true
	}
	for _, text := range list {
		if !known[text] {
			out = append(out, text)
		}
	}
	return out
}

// filterWords describes the rules about requests that one side alone has, of all that it has.
func filterWords(list, all []string) string {
	switch {
	case len(all) == 0:
		return "no rule about requests"
	case len(list) == 0:
		return "no rule in their place"
	}
	return spelling.AtMost(maxEnds, unmarked(list))
}
