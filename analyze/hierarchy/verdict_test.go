package hierarchy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
)

// rule is what should come of some manifests: the verdict on each of a few
// nodes, as verdict writes it.
type rule struct {
	name      string
	options   inventory.Options
	manifests []string
	want      map[string]string
}

func (r rule) check(t *testing.T) {
	t.Run(r.name, func(t *testing.T) {
		g := claimed(t, r.options, r.manifests...)
		for node, want := range r.want {
			if got := verdict(t, g, node); got != want {
				t.Errorf("%s:\n got %s\nwant %s", node, got, want)
			}
		}
	})
}

// claimed builds the hierarchy of manifests with the class c, unless they have
// it, of a controller that nobody knows unless the options say more.
func claimed(t testing.TB, o inventory.Options, manifests ...string) *hierarchy.Graph {
	t.Helper()
	if !slices.ContainsFunc(manifests, func(m string) bool { return strings.Contains(m, "kind: GatewayClass,") }) {
		manifests = append(slices.Clone(manifests), class("controllerName: acme.io/controller"))
	}
	return graph(t, o, manifests...)
}

// class writes the GatewayClass c.
func class(spec string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {" + spec + "}}"
}

// Verdicts that come again and again.
const (
	accepted     = "Accepted"
	well         = "Accepted, NoConflicts, ResolvedRefs"
	lostHost     = "Accepted=false/HostnameConflict, Conflicted=true/HostnameConflict, Programmed=false/HostnameConflict, ResolvedRefs"
	lostProtocol = "Accepted=false/ProtocolConflict, Conflicted=true/ProtocolConflict, Programmed=false/ProtocolConflict, ResolvedRefs"
	unusable     = "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs"
	noTLS        = "Accepted, NoConflicts, Programmed=unknown/NotInInput, ResolvedRefs"
	badReference = "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/"
	noneValid    = "Accepted=false/ListenersNotValid"
	someValid    = "Accepted=true/ListenersNotValid"
	setRejected  = "Accepted=false/%[1]s, Programmed=false/%[1]s"
)

// verdict writes the conditions of a node, or of each parent of a route. Any
// that is not as it should be says why, and points at a line.
func verdict(t testing.TB, g *hierarchy.Graph, name string) string {
	t.Helper()
	n := nodeOf(t, g, name)
	if n.Level != hierarchy.LevelRoute {
		return conditionsOf(t, n.Conditions)
	}
	var out []string
	for _, p := range g.Parents(n) {
		if p.Missing {
			out = append(out, p.Target.String()+": missing")
			continue
		}
		var takes []string
		for _, l := range p.Listeners {
			takes = append(takes, l.Target.Section)
		}
		out = append(out, fmt.Sprintf("%s %v: %s", p.Target, takes, conditionsOf(t, []hierarchy.Condition{p.Accepted, p.Resolved})))
	}
	return strings.Join(out, "; ")
}

func conditionsOf(t testing.TB, conditions []hierarchy.Condition) string {
	t.Helper()
	var out []string
	for _, c := range conditions {
		if (c.Bad() || c.Status == fact.Unknown) && (c.Message == "" || c.Position().Line == 0) {
			t.Errorf("%s %s %s says nothing (%q) or has no place (%v)", c.Type, c.Status, c.Reason, c.Message, c.Position())
		}
		word := fmt.Sprintf("%s=%s/%s", c.Type, c.Status, c.Reason)
		switch {
		case c.Status == fact.True && c.Reason == c.Type:
			word = c.Type
		case c.Type == hierarchy.ConflictedIs && c.Status == fact.False:
			word = c.Reason
		}
		if c.AgeSensitive {
			word += "(by age)"
		}
		// Under the type's own name, so that every verdict has one order.
		out = append(out, c.Type+" "+word)
	}
	slices.Sort(out)
	for i := range out {
		_, out[i], _ = strings.Cut(out[i], " ")
	}
	return strings.Join(out, ", ")
}

// nodeOf finds a node; a route that is a parent of routes stands at two levels,
// and is judged at its own.
func nodeOf(t testing.TB, g *hierarchy.Graph, name string) *hierarchy.Node {
	t.Helper()
	var found *hierarchy.Node
	for _, n := range g.Nodes {
		if n.String() == name && (found == nil || n.Level == hierarchy.LevelRoute) {
			found = n
		}
	}
	if found == nil {
		t.Fatalf("no node %s", name)
	}
	return found
}

// conditionOf is one condition of a node that must have it.
func conditionOf(t testing.TB, g *hierarchy.Graph, name, kind string) hierarchy.Condition {
	t.Helper()
	c := nodeOf(t, g, name).Condition(kind)
	if c == nil {
		t.Fatalf("%s has no condition %s", name, kind)
	}
	return *c
}

// closed is an input that holds everything there is.
func closed() inventory.Options { return inventory.Options{Complete: true} }

// under is a closed input in which a controller owns the class c.
func under(controller string) inventory.Options {
	return inventory.Options{Complete: true, Controllers: map[string]string{"c": controller}}
}

// gatewayOf writes the Gateway g with a spec in flow style.
func gatewayOf(spec string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, " + spec + "}}"
}

// open writes the Gateway g with listeners, which takes every ListenerSet.
func open(listeners string) string {
	return gatewayOf("allowedListeners: {namespaces: {from: All}}, listeners: [" + listeners + "]")
}

// listenerSet writes a ListenerSet of the Gateway ns/g.
func listenerSet(namespace, name, listeners string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {namespace: " + namespace + ", name: " + name +
		"}, spec: {parentRef: {namespace: ns, name: g}, listeners: [" + listeners + "]}}"
}

// plain writes an object of which nothing but its existence counts.
func plain(version, kind, namespace, name string) string {
	return "{apiVersion: " + version + ", kind: " + kind + ", metadata: {namespace: " + namespace + ", name: " + name + "}}"
}

// created gives a manifest its creationTimestamp, a day of one month.
func created(day int, manifest string) string {
	return strings.Replace(manifest, "metadata: {", fmt.Sprintf("metadata: {creationTimestamp: '2026-03-%02dT00:00:00Z', ", day), 1)
}

// listener writes a listener; more is what follows its protocol.
func listener(name string, port int, protocol, more string) string {
	if more != "" {
		more = ", " + more
	}
	return fmt.Sprintf("{name: %s, port: %d, protocol: %s%s}", name, port, protocol, more)
}
