package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Parent is the result for one parentRef of a route: one entry of status.parents.
type Parent struct {
	// Ref is the reference as written. For a route that uses all default Gateways it is
	// useDefaultGateways, and Target is one of these Gateways.
	Ref    *loader.Value
	Target *Node
	// Controller is the controllerName of the controller that decides, "" if unknown.
	Controller string
	Accepted   Condition
	// Resolved is the ResolvedRefs condition of the route, as evaluated by this parent's
	// controller.
	Resolved Condition
	// Missing means that no controller writes a status for this parent, usually because the parent
	// is known not to exist.
	Missing bool
	// onlyInvalidListeners means that the route attaches only to listeners that are not valid. Because of this its other parents do
	// not accept it either.
	onlyInvalidListeners bool
	// Listeners are the listeners that admit the route. Open are the listeners that allow its kind
	// and namespace, whatever the hostnames.
	Listeners, Open []*Node
}

// Parents returns the parents of a route in the order of its references.
func (g *Graph) Parents(route *Node) []Parent {
	if known, ok := g.parents[route]; ok {
		return known
	}
	g.parents[route] = nil // ends the recursion where routes pass requests on to each other
	out := g.judgeParents(route)
	g.parents[route] = out
	return out
}

func (g *Graph) judgeParents(route *Node) []Parent {
	var out []Parent
	refs := map[refKey]Condition{}
	for i := 0; i < len(route.Up); {
		first := i
		target := parentOf(route.Up[i])
		for i++; i < len(route.Up) && route.Up[i].Ref == route.Up[first].Ref && parentOf(route.Up[i]) == target; i++ {
		}
		if LevelOf(target.Target.Group, target.Target.Kind) == LevelRoute {
			if e := route.Up[first]; e.Owner == route.Object || (e.Open() || e.Reason == unsupportedValue) && g.infers(target, route, out) {
				out = append(out, g.judgeDelegate(target, e))
			}
			continue
		}
		own, controller, mesh := g.Implementation(GatewayOf(target)), g.Controller(GatewayOf(target)), target.Level == LevelFrontend
		if mesh {
			own, controller = g.mesh()
		}
		p := judgeParent(target, route.Up[first:i], own)
		p.Controller = cmp.Or(own.Routes.Controller, controller)
		if message := wrongRules(route, own); message != "" && p.Accepted.Status == fact.False {
			// It is checked last, whatever the listeners allow (Envoy Gateway, internal/gatewayapi/route.go,
			// processTCPRouteParentRefs).
			p.Accepted.Reason, p.Accepted.Message = InvalidRule, message
		}
		p.Missing = p.Missing || target.Level != LevelFrontend && g.unreported(GatewayOf(target)) && !g.reportsSection(&p)
		p.Missing = p.Missing || slices.Contains(own.Routes.Unreported, route.Target.Kind) || mesh && own.MeshController == "" && g.Dominant().Routes.NoMesh
		p.Missing = p.Missing || mesh && g.hasForeignWaypoint(target, own)
		key := refKey{own, mesh}
		if _, judged := refs[key]; !judged {
			of := referring{references: g.references, route: route, own: own, mesh: mesh}
			refs[key] = of.judgeReferences()
		}
		p.Resolved = refs[key]
		if message := unbound(route, own); message != "" && p.Accepted.Reason == notBound {
			p.Accepted, p.Resolved = good(Accepted, Accepted), route.condition(ResolvedRefs, fact.False, unsupportedValue, message, route.Value.Get("rules"))
		}
		out = append(out, p)
	}
	spreadRejection(out)
	for i := range out {
		noteIgnored(route, &out[i], g.Implementation(GatewayOf(out[i].Target)))
	}
	for i := range out {
		if g.Implementation(GatewayOf(out[i].Target)).Routes.SharesVerdict {
			shareVerdict(&out[i], out)
		}
	}
	return out
}

// noteIgnored adds to a parent that accepts a route that it ignores a field of a rule.
func noteIgnored(route *Node, p *Parent, own *implementation.Implementation) {
	if p.Accepted.Status != fact.True || own.Routes.IgnoredReason == "" {
		return
	}
	for _, rule := range route.Value.List("rules") {
		for _, ignored := range own.Routes.Ignored[route.Target.Kind] {
			if v := rule.At(ignored.Path); v != nil && (ignored.Value == "" || v.Text == ignored.Value) {
				p.Accepted = route.condition(Accepted, fact.True, own.Routes.IgnoredReason, ignored.Path+" of a rule is not supported and ignored", v)
				return
			}
		}
	}
}

// spreadRejection copies the verdict of a parent without a valid listener to the parents of the same controller that accept the
// route, because the condition is one of the route (NGINX Gateway Fabric,
// internal/controller/state/graph/route_common.go, bindL7RouteToListeners).
func spreadRejection(parents []Parent) {
	i := slices.IndexFunc(parents, func(p Parent) bool { return p.onlyInvalidListeners })
	if i < 0 {
		return
	}
	for j := range parents {
		if p := &parents[j]; p.Controller == parents[i].Controller && p.Accepted.Status == fact.True {
			p.Accepted = parents[i].Accepted
		}
	}
}

// shareVerdict gives a parent the verdict of another reference to it that is accepted, and if there is none, the rejection of the
// last one in the order of their texts (agentgateway, translator/route_collections.go, ProcessParentReferences;
// translator/conversion.go, ParentRefString).
func shareVerdict(p *Parent, all []Parent) {
	last := *p
	for _, other := range all {
		if other.Target != p.Target {
			continue
		}
		if other.Accepted.Status > p.Accepted.Status {
			p.Accepted, p.Missing = other.Accepted, other.Missing
		}
		if textOfParentRef(other.Ref) > textOfParentRef(last.Ref) {
			last = other
		}
	}
	if p.Accepted.Status == fact.False {
		p.Accepted, p.Missing = last.Accepted, last.Missing
	}
}

// textOfParentRef is by what agentgateway sorts the references to one parent.
func textOfParentRef(ref *loader.Value) string {
	return ref.Str("sectionName") + "/" + cmp.Or(textOf(ref.Get("port")), "0") + "." + ref.Str("namespace")
}

// unreported reports whether no controller writes a status for routes to a Gateway.
func (g *Graph) unreported(gateway *Node) bool {
	return g.WithoutController(gateway) || g.OnlyInOwnStatus(gateway) || g.NoUsableAddress(gateway) || g.WithoutRouteStatus(gateway)
}

// reportsSection reports whether a reference is in the status although nothing of its Gateway is translated: it names a
// section or a port, which is looked for before the Gateway is found to be invalid (NGINX Gateway Fabric,
// internal/controller/state/graph/route_common.go, buildSectionNameRefs and validateParentRef).
func (g *Graph) reportsSection(p *Parent) bool {
	return g.WhyNoListeners(GatewayOf(p.Target)) != nil && (!p.Ref.Get("sectionName").IsNull() || !p.Ref.Get("port").IsNull())
}

// WithoutRouteStatus reports whether Gateways of this class take no routes in any status.
func (g *Graph) WithoutRouteStatus(gateway *Node) bool {
	return slices.Contains(g.Implementation(gateway).Routes.Unrouted, g.Controller(gateway))
}

// infers reports whether the status of a route without parentRefs has an entry for a route that passes requests on to it and is
// itself taken by a Gateway (kgateway, pkg/reports/status.go, BuildRouteStatus).
func (g *Graph) infers(parent, route *Node, known []Parent) bool {
	return g.Dominant().Routes.InfersParents && len(route.Value.List("parentRefs")) == 0 &&
		!slices.ContainsFunc(known, func(p Parent) bool { return p.Target == parent }) &&
		slices.ContainsFunc(g.Parents(parent), func(p Parent) bool { return !p.Missing && p.Accepted.Status == fact.True })
}

// judgeDelegate returns the result for a parentRef to a route that delegates requests to this
// route.
func (g *Graph) judgeDelegate(target *Node, e *Edge) Parent {
	p := judgeParent(target, []*Edge{e}, g.Dominant())
	p.Missing, p.Listeners = false, nil
	p.Resolved = good(ResolvedRefs, ResolvedRefs)
	p.Controller = g.dominantController()
	if p.Accepted.Status == fact.True && g.Dominant().Routes.TakenDelegates && g.refused(target) {
		p.Accepted = Condition{
			Type: Accepted, Status: fact.False, Reason: NoMatchingParent, Owner: e.Owner, Ref: e.Ref,
			Message: "no Gateway takes " + target.Spoken() + ", so it passes no requests on",
		}
	}
	if own := g.Dominant(); own.Routes.InfersParents {
		of := referring{references: g.references, route: e.Child, own: own}
		p.Resolved = of.judgeReferences()
	}
	if e.Owner != e.Child.Object {
		p.Ref = nil // the route names no parent
	}
	return p
}

// refused reports whether a route names Gateways of the dominant implementation, and none of them takes it.
func (g *Graph) refused(route *Node) bool {
	named := false
	for _, p := range g.Parents(route) {
		if p.Missing || LevelOf(p.Target.Target.Group, p.Target.Target.Kind) == LevelRoute || g.Implementation(GatewayOf(p.Target)) != g.Dominant() {
			continue
		}
		if p.Accepted.Status != fact.False {
			return false
		}
		named = true
	}
	return named
}

type refKey struct {
	own  *implementation.Implementation
	mesh bool
}

// parentOf returns the object from which an edge into a route originates.
func parentOf(e *Edge) *Node {
	if e.Parent.Owner != nil {
		return e.Parent.Owner
	}
	return e.Parent
}

// judgeParent combines the results of a parent's listeners. One listener that admits the route is
// enough. Of several rejections, the one that is checked last is reported.
func judgeParent(target *Node, edges []*Edge, own *implementation.Implementation) Parent {
	p := Parent{Ref: edges[0].Ref, Target: target}
	var best, unknown *Edge
	for _, e := range edges {
		if e.Parent.Level == LevelListener && (e.Admitted != fact.False || e.Reason == noMatchingHostname) {
			p.Open = append(p.Open, e.Parent)
		}
		switch e.Admitted {
		case fact.True:
			p.Listeners = append(p.Listeners, e.Parent)
		case fact.Unknown:
			unknown = e
		case fact.False:
			if best == nil || !own.Routes.FirstTells && rank(e.Reason, own) > rank(best.Reason, own) {
				best = e
			}
		}
	}
	switch {
	case len(p.Listeners) > 0:
		p.Accepted = good(Accepted, Accepted)
		if own.Routes.InvalidListener != "" && !slices.ContainsFunc(p.Listeners, func(l *Node) bool { return l.flaw(own) == nil }) {
			p.Accepted = Condition{
				Type: Accepted, Status: fact.False, Reason: own.Routes.InvalidListener, Owner: edges[0].Owner, Ref: edges[0].Ref,
				Message: p.Listeners[0].Spoken() + " is not valid: " + p.Listeners[0].flaw(own).Message,
			}
			p.onlyInvalidListeners = true
		}
	case unknown != nil:
		p.Accepted = Condition{Type: Accepted, Status: fact.Unknown, Reason: NotInInput, Message: unknown.Message, Owner: unknown.Owner, Ref: unknown.Ref}
	default:
		p.Accepted = Condition{Type: Accepted, Status: fact.False, Reason: best.Reason, Message: best.Message, Owner: best.Owner, Ref: best.Ref}
		switch {
		case best.Reason == parentNotAllowed && own.Routes.Silent, best.Reason == parentNotFound:
			p.Missing = true
		case best.Reason == parentNotAllowed:
			p.Accepted.Reason = NoMatchingParent
		}
	}
	return p
}

// rank returns the position of a rejection in the order in which the controller checks.
func rank(reason string, own *implementation.Implementation) int {
	order := []string{parentNotFound, parentNotAllowed, NoMatchingParent, NotAllowedByListeners, noMatchingHostname}
	if own.Routes.HostnameFirst {
		order = []string{parentNotFound, parentNotAllowed, NoMatchingParent, noMatchingHostname, NotAllowedByListeners}
	}
	return slices.Index(order, reason)
}
