package rule

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
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
			Title:  say("%s allows different requests", object.ID),
			Detail: fmt.Sprintf("now %s; before %s", filterWords(is, f.After), filterWords(was, f.Before)),
		}
		if f.Narrows {
			hit.Title = say("%s now allows only some requests", object.ID)
		}
		if selects, _ := network.Selects(object.ID.Group, object.ID.Kind); !selects { // the labels of an end
			hit.Title = say("Network policies allow different requests to or from %s", object.ID)
		}
		hit.At, hit.InBase = p.causePlace(p.editCauses([]network.Edit{f.Edit}))
		report(hit)
	}
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
	return spelling.AtMost(maxEnds, list)
}
