package rule

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/dns"
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
	serves := func(h *answer.Host, host, owner string, namespaces []string) {
		for _, w := range h.Ways {
			at := served{w.Route, host}
			if seen[at] || w.Route.Object.Context || slices.Contains(namespaces, w.Route.Namespace()) {
				continue
			}
			seen[at] = true
			report(Hit{
				Target: w.Route.String(), Key: []string{host}, At: hostPosition(w.Route, h.Name), Object: w.Route.Object,
				Title: say("%s serves %s, which belongs to %s", w.Route, servedText(h.Name, host), ownerText(owner, host, namespaces)),
			})
		}
	}
	for _, t := range answer.Distinct(s.ports()) {
		for _, h := range t.Hosts() {
			if owner, namespaces := ownersOf(s.Settings.Owners, h.Name); owner != "" {
				serves(h, h.Name, owner, namespaces)
			}
		}
		for _, owner := range slices.Sorted(maps.Keys(s.Settings.Owners)) {
			for _, h := range t.HostsFor(owner) {
				if h.Name != owner && !dns.Covers(owner, h.Name) { // it is wider
					serves(h, owner, owner, s.Settings.Owners[owner])
				}
			}
		}
	}
}

// servedText names an owned hostname, and the hostname of a route that covers it.
func servedText(of, owned string) string {
	switch of {
	case owned:
		return owned
	case "", "*":
		return "any host, and so " + owned
	}
	return of + ", and so " + owned
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
		case dns.Covers(name, host) && len(name) > len(owner):
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
