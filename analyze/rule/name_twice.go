package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var nameTwice = &Rule{
	ID:       "name-twice",
	Title:    "Two sections of an object have the same name",
	Severity: Error,
	Why: "Listener names are unique in a Gateway and a ListenerSet, rule names in a route (GEP-995), port " +
		"names in a Service. The API server refuses the object, or a policy and a parentRef that name the " +
		"section mean either.",
	Fix:   "Give each its own name.",
	Check: checkNameTwice,
}

func checkNameTwice(s *Snapshot, report Report) {
	for _, o := range s.Run.Environment.Objects {
		if o.Context || hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelApart {
			continue
		}
		for _, field := range []string{"listeners", "rules", "ports"} {
			seen := map[string]bool{}
			for _, item := range o.Spec().List(field) {
				name := item.Get("name")
				if name.IsEmpty() {
					continue
				}
				if seen[name.Text] {
					report(Hit{
						Target: o.ID.String(), Key: []string{field, name.Text}, At: o.Position(name), Object: o,
						Message: fmt.Sprintf("%s has two %s of the name %q", o.ID, field, name.Text),
					})
				}
				seen[name.Text] = true
			}
		}
	}
}
