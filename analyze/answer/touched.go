package answer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// wayJoint is a rule at a listener, in both revisions.
type wayJoint struct{ listener, rule *effective.Joint }

// touched finds the routes that differ, by another object or other ways to it, and the backends that lead elsewhere.
func (c *comparison) touched() {
	c.changed, c.touching, c.elsewhere = map[*effective.Joint]bool{}, map[*effective.Joint]bool{}, map[*hierarchy.Node]bool{}
	for _, n := range c.join.Runs[effective.Head].Graph.Nodes {
		if n.Level == hierarchy.LevelBackend && differs(c.join, n, whole) {
			for _, either := range c.join.Of(effective.Head, n).Nodes {
				c.elsewhere[either] = true
			}
		}
	}
	for _, at := range c.join.Routes() {
		b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if b == nil || a == nil || b.Object == nil || a.Object == nil || !sameRequests(b, a) || !c.sameEdges(b, a) || !c.sameRules(b, a) {
			c.changed[at] = true
		}
	}
}

// draws reports whether other objects than the route may decide whether its controller leaves out a rule.
func draws(rule *hierarchy.Node) bool {
	refs := rule.Value.List("backendRefs")
	return len(refs) > 1 || len(refs) == 1 && refs[0].Str("group") != "" || slices.ContainsFunc(rule.Value.List("filters"), hierarchy.Refers)
}

// sameRules reports whether the controller leaves out the same rules of two equal forms of a route.
func (c *comparison) sameRules(b, a *hierarchy.Node) bool {
	return slices.EqualFunc(b.Sections, a.Sections, func(was, is *hierarchy.Node) bool {
		return !draws(is) || c.join.Runs[effective.Base].Graph.LeftOut(was) == c.join.Runs[effective.Head].Graph.LeftOut(is)
	})
}

// sameRequests reports whether a route asks for the same requests on both sides, whatever its labels
// and other metadata are. Its name counts, because it decides between equal matches.
func sameRequests(b, a *hierarchy.Node) bool {
	return b.Object.Digest == a.Object.Digest || b.Object.ID == a.Object.ID && loader.Equal(b.Object.Spec(), a.Object.Spec())
}

// sameEdges reports whether a route is attached to the same listeners with the same hostnames.
func (c *comparison) sameEdges(b, a *hierarchy.Node) bool {
	open := func(n *hierarchy.Node) (out []*hierarchy.Edge) {
		for _, e := range n.Up {
			if e.Open() {
				out = append(out, e)
			}
		}
		return out
	}
	return slices.EqualFunc(open(b), open(a), func(x, y *hierarchy.Edge) bool {
		return c.join.Of(effective.Base, x.Parent) == c.join.Of(effective.Head, y.Parent) &&
			slices.Equal(x.HostsAt(), y.HostsAt()) && portText(x.Parent) == portText(y.Parent)
	})
}

func portText(n *hierarchy.Node) string {
	if port := n.Value.Get("port"); port != nil {
		return port.Text
	}
	return n.Target.Section
}

// touches reports whether a route or one of its rules differs.
func (c *comparison) touches(side effective.Side, route *hierarchy.Node) bool {
	joint := c.join.Of(side, route)
	touches, known := c.touching[joint]
	if !known {
		touches = c.changed[joint] || slices.ContainsFunc(route.Sections, func(rule *hierarchy.Node) bool {
			at := c.join.Of(side, rule)
			b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
			return b != nil && a != nil && c.reworks(b, a)
		})
		c.touching[joint] = touches
	}
	return touches
}

// remade reports whether a listener, or a Service of a mesh, admits requests in another way after the change:
// with another protocol, or with other policies there or above.
func (c *comparison) remade(side effective.Side, listener *hierarchy.Node) bool {
	at := c.join.Of(side, listener)
	b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if b == nil || a == nil {
		return false // what only one revision has is looked at by its hostname
	}
	for _, n := range []*hierarchy.Node{b, a} {
		for ; n != nil; n = n.Owner {
			if c.policies(n) || n.Waypoint != nil && c.policies(n.Waypoint) {
				return true
			}
		}
	}
	if x, y := hierarchy.GatewayOf(b), hierarchy.GatewayOf(a); x.Object != nil && y.Object != nil && !loader.Equal(x.Object.Spec().Get("tls"), y.Object.Spec().Get("tls")) {
		return true
	}
	return !loader.Equal(b.Value.Get("filters"), a.Value.Get("filters")) || b.Value.Str("protocol") != a.Value.Str("protocol") || b.Value.Str("tls", "mode") != a.Value.Str("tls", "mode") ||
		c.policies(hierarchy.GatewayOf(b)) || c.policies(hierarchy.GatewayOf(a))
}

// rework reports whether a rule does something else with its requests after the change, or the listener
// where they arrive.
func (c *comparison) rework(b, a *Way) bool {
	at := wayJoint{c.join.Of(effective.Head, a.Listener), c.join.Of(effective.Head, a.Rule)}
	differs, known := c.reworked[at]
	if !known {
		differs = c.reworks(b.Rule, a.Rule) || c.remade(effective.Head, a.Listener)
		c.reworked[at] = differs
	}
	return differs
}

// OtherBackends returns the backends of two ways that both have, and that lead elsewhere after the change: a Service
// with other pods or other ports of theirs, a backend of an implementation's own kind with other addresses.
func OtherBackends(j *effective.Join, before, after *Way) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range after.Rule.Down {
		backend := e.Child
		if backend.Owner != nil {
			backend = backend.Owner
		}
		if e.Child.Level >= hierarchy.LevelBackend && !slices.Contains(out, backend) && differs(j, backend, places) &&
			slices.ContainsFunc(before.Rule.Down, func(e *hierarchy.Edge) bool {
				return j.Of(effective.Base, e.Child) == j.Of(effective.Head, backend) || e.Child.Owner != nil && j.Of(effective.Base, e.Child.Owner) == j.Of(effective.Head, backend)
			}) {
			out = append(out, backend)
		}
	}
	return out
}

// differs reports whether a backend of head, or of base, leads elsewhere after the change. Of a backend of an
// implementation's own kind it compares some of the spec.
func differs(j *effective.Join, n *hierarchy.Node, some func(spec *loader.Value) *loader.Value) bool {
	at := j.Of(effective.Head, n)
	if at == nil {
		at = j.Of(effective.Base, n)
	}
	if at == nil {
		return false
	}
	b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if b == nil || a == nil || b.Object == nil || a.Object == nil || b.Object.Digest == a.Object.Digest {
		return false
	}
	if n.Target.Group != "" || n.Target.Kind != "Service" {
		return !loader.Equal(some(b.Object.Spec()), some(a.Object.Spec()))
	}
	was, is := b.Object.Spec(), a.Object.Spec()
	return !loader.Equal(was.Get("selector"), is.Get("selector")) || !loader.Equal(was.Get("externalName"), is.Get("externalName")) ||
		(was.Str("type") == externalName) != (is.Str("type") == externalName) ||
		!maps.Equal(portsTo(j, effective.Base, b), portsTo(j, effective.Head, a))
}

func whole(spec *loader.Value) *loader.Value { return spec }

// places returns the spec of a backend without how connections to it are made (Envoy Gateway api/v1alpha1/backend_types.go,
// BackendSpec.TLS; agentgateway api/v1alpha1/agentgateway, AgentgatewayBackendSpec.policies).
func places(spec *loader.Value) *loader.Value {
	if spec == nil || spec.Shape != loader.Map {
		return spec
	}
	out := *spec
	out.Fields = slices.DeleteFunc(slices.Clone(spec.Fields), func(f loader.Field) bool { return f.Key == "tls" || f.Key == "policies" })
	return &out
}

// externalName is the type of a Service that is another name of a host. Of the other types the way of a request from a Gateway
// is the same: from the ports of the Service to those of its pods.
const externalName = "ExternalName"

// named reports whether the names of ports tell of their protocols (Istio, Explicit protocol selection).
func named(j *effective.Join, side effective.Side) bool {
	return j.Runs[side].Graph.Dominant().OfIstio()
}

// referredPorts are the ports of a backend that references name, none if one names no port.
func referredPorts(n *hierarchy.Node) []string {
	var out []string
	for _, at := range append([]*hierarchy.Node{n}, n.Sections...) {
		for _, e := range at.Up {
			port := e.Ref.Get("port")
			if port == nil {
				return nil
			}
			out = append(out, port.Text)
		}
	}
	return out
}

// portsTo says for each port of a Service that is referred to which port of its pods it leads to, and how.
func portsTo(j *effective.Join, side effective.Side, service *hierarchy.Node) map[string]string {
	out, only, byName := map[string]string{}, referredPorts(service), named(j, side)
	for _, port := range service.Object.Spec().List("ports") {
		number := port.Get("port")
		if number == nil || len(only) > 0 && !slices.Contains(only, number.Text) {
			continue
		}
		target := cmp.Or(port.Get("targetPort"), number)
		leads := []string{cmp.Or(port.Str("protocol"), "TCP"), numbered(j.Runs[side].Environment, service.Object, target), port.Str("appProtocol")}
		if byName {
			leads = append(leads, port.Str("name"))
		}
		out[number.Text+" "+leads[0]] = strings.Join(leads, " ")
	}
	return out
}

// numbered returns the number of a port that a Service names if all workloads that it may select are known to declare the same.
func numbered(env *loader.Environment, service *loader.Object, target *loader.Value) string {
	if target.Shape != loader.String {
		return target.Text
	}
	number := ""
	for _, w := range env.Workloads {
		if network.SelectedBy(service, w) == fact.False {
			continue
		}
		_, ports, _ := network.PodsOf(w)
		of := network.PortNumber(ports, target.Text)
		if of == "" || number != "" && of != number {
			return target.Text
		}
		number = of
	}
	return cmp.Or(number, target.Text)
}

// reworks reports whether a rule does something else: with other filters, backends, limits or policies, which may
// also be those of its backends.
func (c *comparison) reworks(b, a *hierarchy.Node) bool {
	for _, n := range []*hierarchy.Node{b, a} {
		for _, e := range n.Down {
			if e.Child.Level >= hierarchy.LevelBackend && (c.policies(e.Child) || e.Child.Owner != nil && c.policies(e.Child.Owner) ||
				c.elsewhere[e.Child] || e.Child.Owner != nil && c.elsewhere[e.Child.Owner]) {
				return true
			}
		}
	}
	redirects := hierarchy.RedirectCode(c.join.Runs[effective.Base].Graph, b) != hierarchy.RedirectCode(c.join.Runs[effective.Head].Graph, a)
	return redirects || c.policies(a) || c.policies(b) || c.policies(a.Owner) || c.policies(b.Owner) || !sameWork(b, a) || !c.sameFilters(b, a)
}

// referring reports whether a filter of a rule or of its backends refers to an object.
func referring(rule *hierarchy.Node) bool {
	return slices.ContainsFunc(rule.Value.List("filters"), hierarchy.Refers) || slices.ContainsFunc(rule.Value.List("backendRefs"), func(ref *loader.Value) bool {
		return slices.ContainsFunc(ref.List("filters"), hierarchy.Refers)
	})
}

// sameFilters reports whether the same filters of two versions of a rule are known to be unusable.
func (c *comparison) sameFilters(b, a *hierarchy.Node) bool {
	if !referring(a) && (b.Object.Digest == a.Object.Digest || !referring(b)) {
		return true
	}
	unusableOf := func(side effective.Side, rule *hierarchy.Node) (out []string) {
		if fault := c.join.Runs[side].Graph.FilterFault(rule); fault != nil {
			out = append(out, fault.Message)
		}
		for _, f := range rule.Value.List("filters") {
			out = append(out, unusable(c.join.Runs[side].Graph, rule.Owner, &implementation.Matching{}, f))
		}
		for _, ref := range rule.Value.List("backendRefs") {
			for _, f := range ref.List("filters") {
				out = append(out, unusable(c.join.Runs[side].Graph, rule.Owner, &implementation.Matching{}, f))
			}
		}
		return out
	}
	return slices.Equal(unusableOf(effective.Base, b), unusableOf(effective.Head, a))
}

// sameWork reports whether two versions of a rule do the same with a request.
func sameWork(b, a *hierarchy.Node) bool {
	if b.Object.Digest != a.Object.Digest {
		for _, field := range []string{"filters", "backendRefs", "timeouts", "retry", "sessionPersistence"} {
			if !loader.Equal(b.Value.Get(field), a.Value.Get(field)) {
				return false
			}
		}
	}
	usable := func(n *hierarchy.Node) (out []string) {
		for _, e := range n.Down {
			if e.Child.Level >= hierarchy.LevelBackend && e.Admitted != fact.False {
				out = append(out, e.Child.String())
			}
		}
		return out
	}
	return slices.Equal(usable(b), usable(a))
}
