package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var hostNotOwned = &Rule{
	ID:       "host-not-owned",
	Title:    "A route serves a hostname that belongs to another namespace",
	Severity: plan.Error,
	Why: "The configuration's `owners` say which namespaces may serve a hostname, and this route is in another one. It answers " +
		"requests that users send to the owner, with the owner's cookies and credentials.",
	Fix:      "Remove the hostname from the route, or add its namespace to `owners`.",
	Security: true,
	Check:    checkOwners,
}

func checkOwners(s *Environment, report Report) {
	if len(s.Settings.Owners) == 0 {
		return
	}
	type served struct {
		route *hierarchy.Node
		host  string
	}
	seen := map[served]bool{}
	for _, t := range answer.Distinct(s.ports()) {
		for _, h := range t.Hosts() {
			owner, namespaces := ownersOf(s.Settings.Owners, h.Name)
			if owner == "" {
				continue
			}
			for _, w := range h.Ways {
				at := served{w.Route, h.Name}
				if seen[at] || w.Route.Object.Context || slices.Contains(namespaces, w.Route.Namespace()) {
					continue
				}
				seen[at] = true
				report(Hit{
					Target: w.Route.String(), Key: []string{h.Name}, At: hostPosition(w.Route, h.Name), Object: w.Route.Object,
					Title: say("%s serves %s, which belongs to %s", w.Route, h.Name, ownerText(owner, h.Name, namespaces)),
				})
			}
		}
	}
}

func ownerText(owner, host string, namespaces []string) string {
	text := "namespace " + strings.Join(namespaces, ", ")
	if owner != host {
		text += " (" + owner + ")"
	}
	return text
}

// ownersOf returns the most specific entry for a hostname: its own, or else that of the next wildcard that
// covers it.
func ownersOf(owners map[string][]string, host string) (owner string, namespaces []string) {
	for name, list := range owners {
		switch {
		case name == host:
			return name, list
		case hierarchy.Covers(name, host) && len(name) > len(owner):
			owner, namespaces = name, list
		}
	}
	return owner, namespaces
}

// hostPosition returns the line of a hostname in a route, or that of the route if it has it from its
// listener.
func hostPosition(route *hierarchy.Node, host string) loader.Position {
	for _, v := range route.Value.List("hostnames") {
		if strings.EqualFold(v.Text, host) {
			return route.Object.Position(v)
		}
	}
	return route.Position()
}
