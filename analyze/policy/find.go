package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// levels are the graph levels at which a target of a kind, or its section, can be. A kind
// outside the hierarchy's table can be a backend.
func levels(group, kind, section string) []hierarchy.Level {
	object := hierarchy.LevelOf(group, kind)
	switch {
	case object == hierarchy.LevelBackend && section != "":
		return []hierarchy.Level{hierarchy.LevelFrontendPort, hierarchy.LevelPort}
	case object == hierarchy.LevelBackend:
		return []hierarchy.Level{hierarchy.LevelFrontend, hierarchy.LevelBackend}
	case object == hierarchy.LevelRoute && section != "":
		return []hierarchy.Level{hierarchy.LevelRule}
	case object == hierarchy.LevelOutside && section != "":
		return []hierarchy.Level{hierarchy.LevelPort}
	case object == hierarchy.LevelOutside:
		return []hierarchy.Level{hierarchy.LevelBackend}
	case section != "":
		return []hierarchy.Level{hierarchy.LevelListener}
	}
	return []hierarchy.Level{object}
}

// find looks the target up in the hierarchy. A missing target fails to attach (TargetNotFound)
// only if it is known not to exist. A missing section of an existing object fails, too.
func (r finder) find(out *Reference) {
	target := out.Target
	if isNamespace(target.ID) {
		// A Namespace needs no manifest: the objects in it imply that it exists.
		out.Part, out.Namespace = catalogue.OfNamespace, target.Name
		return
	}
	if r.policy.Kind.PerObject && hierarchy.LevelOf(target.Group, target.Kind) == hierarchy.LevelGatewayClass {
		if out.Nodes = r.ofClass(target.Name); len(out.Nodes) > 0 {
			return
		}
	}
	if rule := r.unnamedRule(target); rule != nil {
		out.Target, out.Nodes = rule.Target, []*hierarchy.Node{rule}
		return
	}
	for _, level := range levels(target.Group, target.Kind, target.Section) {
		n := r.graph.Node(target, level)
		if n != nil && r.reaches(n) && (target.Section == "" || n.Named || out.numbered || n.Object == nil) {
			out.Nodes = append(out.Nodes, n)
		}
	}
	if len(out.Nodes) > 0 && out.Nodes[0].Object != nil {
		return
	}
	object := r.graph.Object(target.ID)
	switch {
	case object != nil && target.Section != "" && !hasSection(object, target.Section) && !(out.numbered && hasPort(object, target.Section)):
		out.Nodes = nil
		out.refuse(TargetNotFound, fmt.Sprintf("%s has no section %q", target.ID.Spoken(), target.Section)+spelling.Among(target.Section, r.sections(target.ID)))
	case object != nil:
		out.Nodes = []*hierarchy.Node{r.outside(target)}
	case r.virtual(target.ID):
		out.Nodes = []*hierarchy.Node{r.outside(target)}
	default:
		r.missing(out)
	}
}

// atPort narrows a reference to a Gateway down to the listeners with the port that it names, those of ListenerSets among them, if
// the Gateway has one itself (agentgateway, plugins/reference_indexes.go, validateGatewayListener; store/binds.rs,
// listener_frontend_policies).
func (r finder) atPort(out *Reference, form catalogue.RefEntry) {
	port := out.Ref.Get(form.Port)
	if form.Port == "" || port.IsNull() || port.Opaque || loader.Placeholder(port.Text) || out.Target.Section != "" || len(out.Nodes) == 0 {
		return
	}
	gateway := out.Nodes[0]
	if gateway.Level != hierarchy.LevelGateway || gateway.Object == nil {
		return
	}
	own := false
	var there []*hierarchy.Node
	for _, l := range r.graph.Listeners(gateway) {
		if number := l.Value.Get("port"); number != nil && number.Text == port.Text {
			there = append(there, l)
			own = own || l.Owner == gateway
		}
	}
	if out.Nodes = there; !own {
		out.Nodes = nil
		out.refuse(TargetNotFound, fmt.Sprintf("%s has no listener with port %s", gateway.Spoken(), port.Text))
	}
}

// andNamesakes adds to the listener of a Gateway those of its name in the ListenerSets of the Gateway: a proxy that looks for the
// policies of a listener by the names of Gateway and listener finds them there, too (agentgateway, types/agent.rs,
// as_listener_target_ref).
func (r finder) andNamesakes(out *Reference, form catalogue.RefEntry) {
	if !form.Namesakes || out.Target.Section == "" || len(out.Nodes) == 0 {
		return
	}
	listener := out.Nodes[0]
	if gateway := listener.Owner; listener.Level == hierarchy.LevelListener && gateway.Level == hierarchy.LevelGateway {
		for _, l := range r.graph.Listeners(gateway) {
			if l.Owner != gateway && l.Target.Section == listener.Target.Section {
				out.Nodes = append(out.Nodes, l)
			}
		}
	}
}

// unnamedRule is the rule without a name that a section means by its position, or nil.
func (r finder) unnamedRule(target hierarchy.Target) *hierarchy.Node {
	route := r.graph.Node(hierarchy.Target{ID: target.ID}, hierarchy.LevelRoute)
	if r.target.UnnamedRules == "" || target.Section == "" || route == nil {
		return nil
	}
	if route.Object != nil && hasSection(route.Object, target.Section) {
		return nil
	}
	for _, rule := range route.Sections {
		if !rule.Named && target.Section == strings.ReplaceAll(r.target.UnnamedRules, "%d", strconv.Itoa(rule.Index+1)) {
			return rule
		}
	}
	return nil
}

func (r finder) missing(out *Reference) {
	id := out.Target.ID
	if r.graph.External(id) {
		return // the configuration declares that it exists
	}
	message := fmt.Sprintf("%s is not in the input", id.Spoken())
	out.DidYouMean = r.graph.Similar(id)
	if out.DidYouMean != "" {
		message += spelling.Meant(out.DidYouMean)
	}
	if r.graph.ExistsOutside(id) == fact.False {
		if hierarchy.LevelOf(id.Group, id.Kind) == hierarchy.LevelGatewayClass && implementation.ControllerOfClass(id.Name) != "" {
			return // its controller makes it, whether there are Gateways of it or not
		}
		out.Nodes = nil
		out.refuse(TargetNotFound, fmt.Sprintf("%s does not exist", id.Spoken())+spelling.Meant(r.graph.Kin(id)))
		return
	}
	if p := r.graph.Producer(id); p != "" {
		message += "; it may be rendered by " + p
	}
	out.Accepted, out.Reason, out.Message = fact.Unknown, NotInInput, message
}

// sections are the names of the sections of an object that policies can name.
func (r finder) sections(id loader.ID) []string {
	var out []string
	for _, level := range levels(id.Group, id.Kind, "") {
		if n := r.graph.Node(hierarchy.Target{ID: id}, level); n != nil {
			for _, section := range n.Sections {
				if section.Named {
					out = append(out, section.Target.Section)
				}
			}
		}
	}
	return out
}

// virtual reports whether a target has a meaning only for its controller (GEP-713, Targeting
// virtual types): its kind is neither well known nor anywhere in the input.
func (r finder) virtual(id loader.ID) bool {
	if hierarchy.LevelOf(id.Group, id.Kind) != hierarchy.LevelOutside || !r.policy.Kind.Assumed() && r.policy.Kind.Origin != catalogue.FromConfig {
		return false
	}
	return !r.graph.KnowsKind(id.Group, id.Kind)
}

// reaches reports whether the kind's own hierarchy has the level of the node.
func (r finder) reaches(n *hierarchy.Node) bool {
	return n.Level == hierarchy.LevelOutside || r.policy.Kind.Has(catalogue.Level{Level: n.Level})
}

// hasPort reports whether an object has a port with that number in its spec.
func hasPort(o *loader.Object, number string) bool {
	return slices.ContainsFunc(o.Spec().List("ports"), func(port *loader.Value) bool {
		v := port.Get("port")
		return v != nil && v.Text == number
	})
}

// hasSection reports whether an object has a section: a listener, a rule or a port, or in an
// AgentgatewayBackend a target of MCP or a provider, of which a single one is called backend (agentgateway,
// plugins/reference_indexes.go, validateBackendSection).
func hasSection(o *loader.Object, section string) bool {
	for _, list := range []string{"listeners", "rules", "ports", "mcp.targets", "ai.groups.*.providers"} {
		for _, values := range every(o.Spec(), strings.Split(list, ".")) {
			if slices.ContainsFunc(values.ItemList(), func(item *loader.Value) bool { return item.Str("name") == section }) {
				return true
			}
		}
	}
	return section == "backend" && !o.Spec().Get("ai", "provider").IsNull()
}
