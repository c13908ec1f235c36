package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var patchFindsNothing = &Rule{
	ID:       "patch-finds-nothing",
	Title:    "A patch of Envoy's configuration names a listener that Envoy does not get",
	Severity: plan.Error,
	Security: true,
	Why: "An EnvoyPatchPolicy names what it patches as Envoy Gateway calls it: NAMESPACE/GATEWAY/LISTENER, where LISTENER is the first " +
		"listener of its port in the Gateway. If this one is renamed, removed, or no longer the first, the patch is not applied. " +
		"Authentication or a firewall that it adds is then missing, and the policy stays accepted.",
	Fix:   "Name the listener that is the first of its port now.",
	Check: checkPatches,
}

// The types of Envoy's resources with names by listeners.
const (
	envoyListener = "type.googleapis.com/envoy.config.listener.v3.Listener"
	envoyRoutes   = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration"
)

func checkPatches(s *Environment, report Report) {
	for _, one := range s.Run.Attached.Policies {
		if one.ID().Group != "gateway.envoyproxy.io" || one.ID().Kind != "EnvoyPatchPolicy" {
			continue
		}
		for _, ref := range one.References {
			if ref.Accepted != fact.True || len(ref.Nodes) != 1 || ref.Nodes[0].Level != hierarchy.LevelGateway {
				continue
			}
			gateway := ref.Nodes[0]
			for _, patch := range one.Object.Spec().List("jsonPatches") {
				name, isOwn := strings.CutPrefix(patch.Str("name"), gateway.Target.Namespace+"/"+gateway.Target.Name+"/")
				if !isOwn || loader.Placeholder(name) || strings.Contains(name, "/") {
					continue
				}
				if patch.Str("type") == envoyListener { // the listener of HTTP/3 beside it (buildXdsQuicListener)
					name = strings.TrimSuffix(name, "-quic")
				}
				why := notSent(listenersOf(gateway), name, patch.Str("type"))
				if why == "" {
					continue
				}
				report(Hit{
					Target: one.ID().String(), Key: []string{patch.Str("type"), name}, At: one.Object.Position(patch.Get("name")), Object: one.Object,
					Title:  fmt.Sprintf("%s patches nothing: Envoy gets no %s %q", one.ID().Spoken(), resourceWord(patch.Str("type")), patch.Str("name")),
					Detail: why, Involves: []loader.ID{gateway.Target.ID},
				})
			}
		}
	}
}

func resourceWord(kind string) string {
	if kind == envoyRoutes {
		return "routes"
	}
	return "listener"
}

// listenersOf returns the listeners that a Gateway declares itself, in their order.
func listenersOf(gateway *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range gateway.Down {
		if e.Child.Level == hierarchy.LevelListener && e.Child.Target.ID == gateway.Target.ID {
			out = append(out, e.Child)
		}
	}
	slices.SortFunc(out, func(a, b *hierarchy.Node) int { return cmp.Compare(a.Index, b.Index) })
	return out
}

// notSent says why Envoy gets no resource with the name of a listener, or returns "" if it does, or may (Envoy Gateway
// internal/xds/translator/translator.go, processHTTPListenerXdsTranslation: the first listener of an address and port gives the listener of
// Envoy its name; listeners without TLS share the routes of the first of them).
func notSent(listeners []*hierarchy.Node, name, kind string) string {
	at := slices.IndexFunc(listeners, func(l *hierarchy.Node) bool { return l.Target.Section == name })
	switch {
	case kind != envoyListener && kind != envoyRoutes:
		return ""
	case at < 0:
		return fmt.Sprintf("the Gateway has no listener %q", name)
	}
	own := listeners[at]
	for i, other := range listeners {
		comes := translatedLate(other) < translatedLate(own) || translatedLate(other) == translatedLate(own) && i < at
		plain := other.Value.Str("protocol") == "HTTP" && own.Value.Str("protocol") == "HTTP"
		if comes && portOf(other) == portOf(own) && isStream(other) == isStream(own) && (plain || kind == envoyListener) && isSent(other) {
			return fmt.Sprintf("the first listener of port %s is %q", portOf(own), other.Target.Section)
		}
	}
	return ""
}

func portOf(listener *hierarchy.Node) string {
	if port := listener.Value.Get("port"); port != nil {
		return port.Text
	}
	return ""
}

// isStream reports whether a listener takes connections of TCP.
func isStream(listener *hierarchy.Node) bool { return listener.Value.Str("protocol") != "UDP" }

// translatedLate is 1 for a listener that is translated after those of HTTP.
func translatedLate(listener *hierarchy.Node) int {
	if strings.HasPrefix(listener.Value.Str("protocol"), "HTTP") {
		return 0
	}
	return 1
}

// isSent reports whether Envoy surely gets a listener: nothing about it is refused or not known.
func isSent(listener *hierarchy.Node) bool {
	for _, c := range listener.Conditions {
		if (c.Type == hierarchy.Accepted || c.Type == hierarchy.ResolvedRefs || c.Type == hierarchy.Programmed) && c.Status != fact.True {
			return false
		}
	}
	return true
}
