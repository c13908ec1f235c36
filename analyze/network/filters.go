package network

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// FilterChange is a policy whose rules differ in what is not compared as connections: the requests that
// they allow on a connection, or conditions that manifests do not decide.
type FilterChange struct {
	Edit Edit
	// Before and After describe these rules, in words.
	Before, After []string
	// Narrows means that every request got through before.
	Narrows bool
}

// filtering compares what policies admit only for some requests.
type filtering struct{ *comparing }

// filters compares the rules with filters and doubts of the policies that both revisions have.
func (c filtering) filters() {
	was, is := filtersOf(c.Before.Policies), filtersOf(c.After.Policies)
	ids := map[loader.ID]bool{}
	for _, side := range []map[loader.ID][]string{was, is} {
		for id := range side {
			ids[id] = true
		}
	}
	for id := range ids {
		if c.was[id] != nil && c.is[id] != nil && !slices.Equal(was[id], is[id]) {
			c.Filtered = append(c.Filtered, FilterChange{Edit: Edit{c.was[id], c.is[id]}, Before: was[id], After: is[id]})
		}
	}
}

// filtersOf describes the rules with filters and doubts by their policies.
func filtersOf(policies []*Policy) map[loader.ID][]string {
	out := map[loader.ID][]string{}
	for _, p := range policies {
		for _, d := range directions {
			for i := range p.Rules[d] {
				r := &p.Rules[d][i]
				side := [...]string{"from", "to"}[d]
				text := fmt.Sprintf("%s %s on %s", side, r.PeersText(), r.PortsText())
				switch {
				case r.Action == Deny && r.Only != "":
					text = "none " + r.Only + " " + text + undecided(r.At)
				case r.Action == Deny && r.Doubt != "":
					text = fmt.Sprintf("perhaps none %s (%s)", text, r.Doubt) + undecided(r.At)
				case r.Doubt != "":
					text += fmt.Sprintf(" (%s)", r.Doubt)
					text += undecided(r.At)
				case r.filters():
					text = r.Only + " " + text
				default:
					continue
				}
				if !slices.Contains(out[p.Object.ID], text) {
					out[p.Object.ID] = append(out[p.Object.ID], text)
				}
			}
		}
		slices.Sort(out[p.Object.ID])
	}
	return out
}

// undecided returns a short hash of a value, so that rules which differ only in what the text leaves out are still
// told apart. It is empty for no value.
func undecided(v *loader.Value) string {
	if v == nil {
		return ""
	}
	digest := loader.Digest(loader.ID{}, v)
	return fmt.Sprintf(" %x", digest[:3])
}
