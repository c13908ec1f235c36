package network

import (
	"fmt"
	"slices"
	"strings"

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
	// Lifted are conditions without which a rule allows the same connections now, Imposed those that it has now.
	Lifted, Imposed []Condition
	// Undecided means that only rules differ of which manifests do not decide which connections they are about.
	Undecided bool
}

// Condition is what a rule asks of the requests on some connections: "HTTP GET /a", "from pods with app=web on 8080/TCP".
type Condition struct{ Only, Where string }

// filtering compares what policies admit only for some requests.
type filtering struct{ *comparing }

// filters compares the rules with filters and doubts of the policies that both revisions have.
func (c filtering) filters() {
	was, is := filtersOf(c.Before.Policies), filtersOf(c.After.Policies)
	ids := map[loader.ID]bool{}
	for _, side := range []map[loader.ID]filters{was, is} {
		for id := range side {
			ids[id] = true
		}
	}
	for id := range ids {
		b, a := was[id], is[id]
		if len(b.doubts) == 0 || len(a.doubts) == 0 {
			b.doubts, a.doubts = nil, nil // connections that are perhaps allowed on one side alone differ as such
		}
		before, after := b.texts(), a.texts()
		if c.was[id] == nil || c.is[id] == nil || slices.Equal(before, after) {
			continue
		}
		c.Filtered = append(c.Filtered, FilterChange{
			Edit: Edit{c.was[id], c.is[id]}, Before: before, After: after,
			Lifted: b.without(a), Imposed: a.without(b), Undecided: slices.Equal(b.filtered, a.filtered),
		})
	}
}

// filters are the rules of a policy in words: those with filters, those that are in doubt, and where the others allow
// every request.
type filters struct {
	filtered, doubts []string
	conditions       []Condition
	free             map[string]bool
}

func (f filters) texts() []string {
	out := slices.Concat(f.filtered, f.doubts)
	slices.Sort(out)
	return out
}

// without returns the conditions that the other side does not ask where it allows the same connections.
func (f filters) without(other filters) []Condition {
	var out []Condition
	for _, c := range f.conditions {
		if other.free[c.Where] && !f.free[c.Where] && !slices.Contains(other.conditions, c) {
			out = append(out, Condition{Unmarked(c.Only), c.Where})
		}
	}
	return out
}

// filtersOf describes the rules with filters and doubts by their policies.
func filtersOf(policies []*Policy) map[loader.ID]filters {
	out := map[loader.ID]filters{}
	for _, p := range policies {
		one := out[p.Object.ID]
		if one.free == nil {
			one.free = map[string]bool{}
		}
		for _, d := range directions {
			for i := range p.Rules[d] {
				r := &p.Rules[d][i]
				side := [...]string{"from", "to"}[d]
				where := fmt.Sprintf("%s %s on %s", side, r.PeersText(), r.PortsText())
				text := where
				switch {
				case r.Action == Allow && r.Doubt == "" && !r.filters():
					one.free[where] = true
					continue
				case r.Action == Deny && r.Only != "":
					text = "none " + r.Only + " " + text + undecided(r.At)
				case r.Action == Deny && r.Doubt != "":
					text = fmt.Sprintf("perhaps none %s (%s)", text, r.Doubt) + undecided(r.At)
				case r.Doubt != "":
					text += fmt.Sprintf(" (%s)", r.Doubt)
					text += undecided(r.At)
				case r.filters():
					text = r.Only + " " + text
					if r.Action == Allow {
						one.conditions = append(one.conditions, Condition{r.Only, where})
					}
				default:
					continue
				}
				if r.Doubt != "" {
					one.doubts = appendNew(one.doubts, text)
				} else {
					one.filtered = appendNew(one.filtered, text)
				}
			}
		}
		slices.Sort(one.filtered)
		out[p.Object.ID] = one
	}
	return out
}

// mark surrounds what only tells texts apart.
const mark = "\x1f"

// Unmarked returns a text of a rule without what only tells it apart from others.
func Unmarked(text string) string {
	var out strings.Builder
	for n, part := range strings.Split(text, mark) {
		if n%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// undecided returns a mark of a value, so that rules which differ only in what the text leaves out are still told apart.
// It is empty for no value. Readers get the text Unmarked.
func undecided(v *loader.Value) string {
	if v == nil {
		return ""
	}
	digest := loader.Digest(loader.ID{}, v)
	return fmt.Sprintf("%s%x%s", mark, digest[:3], mark)
}
