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
	sent := map[*hierarchy.Node]*envoyResources{}
	for _, one := range s.Run.Attached.Policies {
		if one.ID().Group != "gateway.envoyproxy.io" || one.ID().Kind != "EnvoyPatchPolicy" {
			continue
		}
		for _, ref := range one.References {
			if ref.Accepted != fact.True || len(ref.Nodes) != 1 || ref.Nodes[0].Level != hierarchy.LevelGateway {
				continue
			}
			gateway := ref.Nodes[0]
			if sent[gateway] == nil {
				sent[gateway] = resourcesOf(gateway)
			}
			for _, patch := range one.Object.Spec().List("jsonPatches") {
				name, isOwn := strings.CutPrefix(patch.Str("name"), gateway.Target.Namespace+"/"+gateway.Target.Name+"/")
				if !isOwn || loader.Placeholder(name) || strings.Contains(name, "/") {
					continue
				}
				why := sent[gateway].without(name, patch.Str("type"))
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

// envoyResources are what Envoy gets of the listeners that a Gateway declares itself (Envoy Gateway internal/xds/translator/translator.go,
// processHTTPListenerXdsTranslation: the first listener of an address and port gives the listener of Envoy its name; listeners
// without TLS share the routes of the first of them).
type envoyResources struct {
	listeners map[string]*hierarchy.Node
	// first are the listeners that name a listener of Envoy, by port, and plain those that name routes without TLS.
	first, plain map[string]*hierarchy.Node
}

func resourcesOf(gateway *hierarchy.Node) *envoyResources {
	out := &envoyResources{map[string]*hierarchy.Node{}, map[string]*hierarchy.Node{}, map[string]*hierarchy.Node{}}
	var own []*hierarchy.Node
	for _, e := range gateway.Down {
		if e.Child.Level == hierarchy.LevelListener && e.Child.Target.ID == gateway.Target.ID {
			own = append(own, e.Child)
		}
	}
	slices.SortFunc(own, func(a, b *hierarchy.Node) int { // those of HTTP are translated before others
		return cmp.Or(cmp.Compare(rankOf(a), rankOf(b)), cmp.Compare(a.Index, b.Index))
	})
	for _, listener := range own {
		out.listeners[listener.Target.Section] = listener
		if !isSent(listener) {
			continue
		}
		if port := portOf(listener); out.first[port] == nil {
			out.first[port] = listener
		}
		if port := portOf(listener); listener.Value.Str("protocol") == "HTTP" && out.plain[port] == nil {
			out.plain[port] = listener
		}
	}
	return out
}

// without says why Envoy gets no resource with the name of a listener, or returns "" if it does, or may.
func (r *envoyResources) without(name, kind string) string {
	var first map[string]*hierarchy.Node
	switch kind {
	case envoyListener:
		first, name = r.first, strings.TrimSuffix(name, "-quic") // the listener of HTTP/3 beside it (buildXdsQuicListener)
	case envoyRoutes:
		first = r.plain
	default:
		return ""
	}
	own := r.listeners[name]
	if own == nil {
		return fmt.Sprintf("the Gateway has no listener %q", name)
	}
	if other := first[portOf(own)]; other != nil && other != own && isSent(own) {
		port, _, _ := strings.Cut(portOf(own), "/")
		return fmt.Sprintf("the first listener of port %s is %q", port, other.Target.Section)
	}
	return ""
}

// portOf is the port of a listener, with its transport.
func portOf(listener *hierarchy.Node) string {
	transport := "TCP"
	if listener.Value.Str("protocol") == "UDP" {
		transport = "UDP"
	}
	if port := listener.Value.Get("port"); port != nil {
		return port.Text + "/" + transport
	}
	return transport
}

func rankOf(listener *hierarchy.Node) int {
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
