package apptemplate

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// Unread is a key of values that a chart does not read.
type Unread struct {
	Key   string
	Value *loader.Value
	// Meant is a similar key that the chart reads and that may be intended, or "".
	Meant string
}

// networkPolicies is the key of the values from which app-template makes network policies (render/_networkpolicies.tpl).
const networkPolicies = "networkpolicies"

// UnreadKeys are the maps and lists at the top of values that are about traffic by
// their names, and that no release of app-template reads: its schema lets most releases pass
// them without a word. Network policies are read by the chart, and not here.
func UnreadKeys(values chart.Values) []Unread {
	var out []Unread
	for _, f := range values.Root.FieldList() {
		if f.Value.Shape != loader.Map && f.Value.Shape != loader.List || !loader.IsTrafficKey(f.Key) ||
			slices.Contains([]string{"route", "ingress", "listenerSet", "listenerSets", networkPolicies, "global"}, f.Key) {
			continue
		}
		u := Unread{Key: f.Key, Value: f.Value}
		for _, known := range []string{"ingress", "route"} {
			if strings.Contains(strings.ToLower(f.Key), known) {
				u.Meant = known
			}
		}
		out = append(out, u)
	}
	return out
}
