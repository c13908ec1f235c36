package status

import (
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Of is the status of every object in a run that has a status.
func Of(r *effective.Run) []Object {
	s := states{graph: r.Graph, run: r, failing: failingOf(r)}
	byID := map[loader.ID]plan.Status{}
	for _, n := range r.Graph.Nodes {
		if n.Owner != nil || n.Object == nil || hierarchy.LevelOf(n.Target.Group, n.Target.Kind) != n.Level {
			continue
		}
		switch n.Level {
		case hierarchy.LevelGatewayClass:
			byID[n.Target.ID] = plan.Status{Conditions: conditionsOf(n.Conditions)}
		case hierarchy.LevelGateway:
			byID[n.Target.ID] = s.gateway(n)
		case hierarchy.LevelListenerSet:
			byID[n.Target.ID] = s.listenerSet(n)
		case hierarchy.LevelRoute:
			byID[n.Target.ID] = plan.Status{Parents: s.parents(n)}
		default:
		}
	}
	p := newPolicyStates(r)
	pools := slices.Concat(setPools(p.gateways, byID), setBackends(p, byID))
	for _, one := range r.Attached.Policies {
		byID[one.ID()] = p.status(one)
	}
	var out []Object
	for _, id := range inOrder(r, pools) {
		if o := r.Graph.Object(id); o != nil && !o.Context {
			out = append(out, Object{Object: o, Status: byID[id]})
		}
	}
	return out
}

// inOrder are the objects that have a status: the hierarchy from the top down, then pools of
// endpoints and backends, then the policies.
func inOrder(r *effective.Run, pools []loader.ID) []loader.ID {
	var out []loader.ID
	for _, n := range r.Graph.Nodes {
		switch n.Level {
		case hierarchy.LevelGatewayClass, hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelRoute:
			// A route that delegates requests can also have a node at the level of a Gateway.
			if n.Owner == nil && hierarchy.LevelOf(n.Target.Group, n.Target.Kind) == n.Level {
				out = append(out, n.Target.ID)
			}
		default:
		}
	}
	out = append(out, pools...)
	for _, p := range r.Attached.Policies {
		out = append(out, p.ID())
	}
	return out
}

// states makes the status of the objects of the hierarchy.
type states struct {
	graph   *hierarchy.Graph
	run     *effective.Run
	failing failingPolicies
}

func (s states) gateway(n *hierarchy.Node) plan.Status {
	sets := 0
	for _, e := range n.Down {
		if s.graph.OnlyInOwnStatus(n) || s.graph.NoUsableAddress(n) || e.Child.Level != hierarchy.LevelListenerSet || e.Admitted != fact.True {
			continue
		}
		if e.Child.Attached() {
			sets++
		}
	}
	conditions := overwritten(conditionsOf(n.Conditions), s.failing.at(n, s.graph.Implementation(n).Routes.Replaced.Gateway))
	return plan.Status{Conditions: conditions, Listeners: s.listeners(n), AttachedListenerSets: &sets}
}

// listenerSet is the status of a ListenerSet. A ListenerSet that its Gateway does not allow has
// no listeners.
func (s states) listenerSet(n *hierarchy.Node) plan.Status {
	out := plan.Status{Conditions: conditionsOf(n.Conditions)}
	if accepted := n.Condition(hierarchy.Accepted); accepted == nil || accepted.Reason != "NotAllowed" {
		out.Listeners = s.listeners(n)
	}
	return out
}

func (s states) listeners(owner *hierarchy.Node) []plan.Listener {
	if gateway := hierarchy.GatewayOf(owner); s.graph.WithoutController(gateway) || s.graph.OnlyInOwnStatus(gateway) || s.graph.WithoutListenerStatus(gateway) {
		return nil
	}
	var out []plan.Listener
	for _, n := range owner.Sections {
		if n.Level != hierarchy.LevelListener || n.Value == nil || len(n.Conditions) == 0 {
			continue
		}
		l := plan.Listener{Name: n.Target.Section, AttachedRoutes: s.attached(n), Conditions: conditionsOf(n.Conditions), SupportedKinds: []plan.RouteKind{}}
		if l.AttachedRoutes > 0 || n.Value.Str("protocol") == "HTTPS" {
			l.Conditions = overwritten(l.Conditions, s.replacedListener(n))
		}
		for _, k := range n.Kinds {
			l.SupportedKinds = append(l.SupportedKinds, plan.RouteKind(k))
		}
		out = append(out, l)
	}
	return out
}

// attached counts the routes that attach to a listener, whatever the listener's own conditions
// are.
func (s states) attached(listener *hierarchy.Node) int {
	if s.graph.NoUsableAddress(hierarchy.GatewayOf(listener)) || s.graph.WithoutRouteStatus(hierarchy.GatewayOf(listener)) {
		return 0
	}
	routes := map[*hierarchy.Node]int{}
	references := 0
	for _, e := range listener.Down {
		if e.Admitted == fact.True && e.Child.Level == hierarchy.LevelRoute && !s.endsDropped(e.Child, listener) {
			routes[e.Child]++
			references++
		}
	}
	if s.graph.Implementation(hierarchy.GatewayOf(listener)).Listeners.CountsReferences {
		return references
	}
	mirrored := 0
	if s.graph.Implementation(hierarchy.GatewayOf(listener)).Listeners.CountsMirrors {
		for route := range routes {
			mirrored += s.graph.MirroredBackends(route)
		}
	}
	return len(routes) + mirrored + s.graph.OwnRoutes(listener)
}

// endsDropped reports whether no rule of a route is accepted, and its parent asks nothing more of it then.
func (s states) endsDropped(route, parent *hierarchy.Node) bool {
	if !slices.Contains(s.graph.Implementation(hierarchy.GatewayOf(parent)).Routes.DroppedFirst, route.Target.Kind) {
		return false
	}
	dropped := s.graph.DroppedRules(route)
	return dropped != nil && dropped.Type == hierarchy.Accepted
}

func (s states) parents(route *hierarchy.Node) []plan.Parent {
	var out []plan.Parent
	for _, p := range s.graph.Parents(route) {
		if p.Missing {
			continue
		}
		conditions := []plan.Condition{conditionOf(&p.Accepted)}
		dropped := s.graph.DroppedRules(route)
		detached := p.Accepted.Status == fact.False && (p.Accepted.Reason == hierarchy.NoMatchingParent || p.Accepted.Reason == hierarchy.NotAllowedByListeners) &&
			s.graph.Implementation(hierarchy.GatewayOf(p.Target)).Routes.DroppedTells // Envoy Gateway route.go, processHTTPRouteParentRefs
		if own := s.graph.Implementation(hierarchy.GatewayOf(p.Target)); p.Accepted.Status == fact.True && dropped == nil {
			conditions = overwritten(conditions, s.failing.route(route, p.Target, own.Routes.Replaced.Reason))
		}
		switch {
		case dropped == nil:
		case dropped.Type == hierarchy.Accepted && (p.Accepted.Status == fact.True || detached || s.endsDropped(route, p.Target)):
			conditions[0] = conditionOf(dropped)
		case dropped.Type == hierarchy.PartiallyInvalid && detached:
			conditions[0] = conditionOf(&hierarchy.Condition{Type: hierarchy.Accepted, Status: fact.True, Reason: hierarchy.Accepted})
		}
		if p.Accepted.Reason != hierarchy.InvalidRule { // references are not looked at then
			resolved := s.resolved(route, &p)
			conditions = append(conditions, conditionOf(&resolved))
		}
		if dropped != nil && dropped.Type == hierarchy.PartiallyInvalid {
			conditions = append(conditions, conditionOf(dropped))
		}
		out = append(out, plan.Parent{ParentRef: parentRef(&p), ControllerName: controller(p.Controller), Conditions: conditions})
	}
	return out
}

func parentRef(p *hierarchy.Parent) plan.Reference {
	id := p.Target.Target.ID
	out := plan.Reference{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name, SectionName: p.Ref.Str("sectionName")}
	if port := p.Ref.Get("port"); port != nil {
		out.Port, _ = strconv.Atoi(port.Text)
	}
	return out
}
