package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var backendUnreachableByPolicy = &Rule{
	ID:       "backend-unreachable-by-policy",
	Title:    "Network policies keep a Gateway from reaching the pods of a backend",
	Severity: plan.Warning,
	Why: "A route sends requests to a Service whose pods a network policy isolates, and no rule allows the pods of the Gateway " +
		"there, or a policy denies these connections. Requests time out. Only what is certain is reported: for any labels that the " +
		"pods of the Gateway may have in addition, and in each namespace in which their controller may run them.",
	Fix:   "Allow the pods of the Gateway in a policy that selects the backend, by the namespace or the labels of these pods.",
	Check: checkReachable,
}

func checkReachable(s *Environment, report Report) {
	reach, exceeded := BlockedBackendsOf(s.Run)
	s.Exceeded = s.Exceeded || exceeded
	if reach == nil {
		return
	}
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			for _, gateway := range gatewaysOf(rule.Owner) {
				for _, d := range reach.Denials(gateway, e) {
					report(Hit{
						Target: rule.Owner.String(), Key: []string{rule.String(), gateway.String(), e.Via.String(), d.Workload}, At: rule.Object.Position(e.Ref), Object: rule.Object,
						Title:   say("Network policies keep %s from reaching the backend %s of %s", gateway, e.Via, rule),
						Detail:  say("%s denies %s connections to %s on %s", loader.Spoken(d.By), senders(reach.proxies[gateway], gateway), d.Workload, d.Port),
						Subject: rule.Spoken(), Statement: say("%s denies %s", loader.Spoken(d.By), gateway),
						Related: []plan.Related{{Message: loader.Spoken(d.By) + " denies the connection", Side: plan.InHead, File: d.At.File, Line: d.At.Line, Column: d.At.Column}},
					})
				}
			}
		}
	})
}

// senders names what sends the requests of a Gateway.
func senders(proxies []network.Proxy, gateway *hierarchy.Node) string {
	if entity := proxies[0].Entity; entity != "" {
		return say("the entity %s, which sends for %s,", entity, gateway)
	}
	return say("the pods of %s", gateway)
}

// gatewaysOf returns the Gateways of the listeners that admit a route.
func gatewaysOf(route *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range route.Up {
		if gateway := hierarchy.GatewayOf(e.Parent); e.Open() && gateway.Level == hierarchy.LevelGateway && !slices.Contains(out, gateway) {
			out = append(out, gateway)
		}
	}
	return out
}
