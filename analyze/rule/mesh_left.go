package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var meshLeft = &Rule{
	ID:       "mesh-left",
	Title:    "Pods or Services leave the proxies that enforce policies of the mesh",
	Severity: plan.Error,
	Why: "Policies of Istio are enforced by a sidecar, by ztunnel or by a waypoint. Labels decide which pods have one: " +
		"istio.io/dataplane-mode, istio-injection and istio.io/rev of a Namespace, istio.io/dataplane-mode and sidecar.istio.io/inject of the " +
		"pods themselves, istio.io/waypoint-for of a waypoint, and what discoverySelectors select. Without it, " +
		"a policy is as it was and nothing enforces it. Sidecars stay until the pods are restarted. For a waypoint this is a warning, " +
		"because which policies rely on it is not computed.",
	Fix:      "Keep the label, or make sure that nothing relies on the policies.",
	Security: true,
	Opens:    true,
	Compare:  compareMesh,
}

func compareMesh(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	reportUnmeshed(p, report)
	reportUndiscovered(p, report)
	reportUnmeshedPods(p, report)
	reportWaypoints(p, report)
	reportMissingWaypoints(p, report)
	reportLeftWaypoints(p, report)
}

// reportUnmeshed reports the Namespaces whose pods have no proxy any longer, where policies need one.
func reportUnmeshed(p *Pair, report Report) {
	behind := sync.OnceValue(func() string { return behindWaypoints(p.Head) })
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context {
			continue
		}
		before := p.Base.Run.Graph.Object(o.ID)
		if before == nil || before.Digest == o.Digest {
			continue
		}
		was := inventory.MeshLabel(before.Labels())
		if was == "" || inventory.MeshLabel(o.Labels()) != "" {
			continue
		}
		if policies := meshPolicies(p.Head, o.ID.Name, nil); policies != "" {
			report(Hit{
				Target: o.ID.String(), Key: []string{was}, At: o.Position(cmp.Or(o.Root.Get("metadata", "labels"), o.Root.Get("metadata"))), Object: o,
				Title:  fmt.Sprintf("Namespace %s leaves the mesh: %s not enforced there", o.ID.Name, policies),
				Detail: "its pods were in the mesh by the label " + was,
			})
		} else if by := behind(); by != "" && strings.HasPrefix(was, inventory.DataplaneMode) {
			report(Hit{
				Target: o.ID.String(), Key: []string{was, "waypoints"}, Severity: plan.Warning, At: o.Position(cmp.Or(o.Root.Get("metadata", "labels"), o.Root.Get("metadata"))), Object: o,
				Title:  fmt.Sprintf("Namespace %s leaves the mesh: requests of its pods no longer pass waypoints", o.ID.Name),
				Detail: by + " is not applied to them; its pods were in the mesh by the label " + was,
			})
		}
	}
}

// behindWaypoints names a route or policy that waypoints apply to requests for a Service, or returns "". Only the ztunnel of the client
// leads requests there.
func behindWaypoints(s *Environment) string {
	for _, one := range s.Run.Attached.Policies {
		for _, ref := range one.References {
			if ref.Bound && ref.Accepted != fact.False {
				return loader.Spoken(one.ID().String())
			}
		}
	}
	for _, n := range s.Run.Graph.Nodes {
		if n.Waypoint == nil {
			continue
		}
		if route := firstRoute(n); route != nil {
			return route.Spoken()
		}
	}
	return ""
}

// firstRoute returns the first route below a Service, of which a port may be the parent, or nil.
func firstRoute(n *hierarchy.Node) *hierarchy.Node {
	for _, e := range n.Down {
		if e.Child.Level == hierarchy.LevelRoute {
			return e.Child
		}
		if route := firstRoute(e.Child); route != nil {
			return route
		}
	}
	return nil
}

// meshPolicies names the policies that proxies of the pods of a namespace enforce, or of those with some labels, with the verb.
func meshPolicies(s *Environment, namespace string, labels map[string]string) string {
	var names []string
	for _, one := range s.Run.Attached.Policies {
		id := one.ID()
		targets := one.Object.Spec().Get("targetRefs") != nil || one.Object.Spec().Get("targetRef") != nil
		selects := true
		if selector := one.Object.Spec().Get("selector"); selector != nil && labels != nil {
			selects, _ = loader.Selects(selector, labels)
		}
		if id.Group == "security.istio.io" && (id.Namespace == namespace || id.Namespace == catalogue.IstioRoot) && !targets && selects {
			names = append(names, id.Kind+" "+id.Namespace+"/"+id.Name)
		}
	}
	switch slices.Sort(names); len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is"
	}
	return spelling.AtMost(1, names) + " are"
}

// reportWaypoints reports waypoints that no longer take a type of traffic.
func reportWaypoints(p *Pair, report Report) {
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		before, n := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if before == nil || n == nil || before.Object == nil || n.Object == nil || n.Level != hierarchy.LevelGateway ||
			n.Object.Spec().Str("gatewayClassName") != "istio-waypoint" {
			return
		}
		is := waypointFor(p.Head, n.Object)
		lost := slices.DeleteFunc(waypointFor(p.Base, before.Object), func(what string) bool { return slices.Contains(is, what) })
		if len(lost) == 0 {
			return
		}
		report(Hit{
			Target: n.String(), Key: lost, Severity: plan.Warning, At: n.Object.Position(cmp.Or(n.Object.Root.Get("metadata", "labels"), n.Object.Root.Get("metadata"))), Object: n.Object,
			Title: say("%s no longer handles traffic to %s: their policies and routes are not enforced there", n, spelling.And(lost)),
		})
	})
}

// reportMissingWaypoints reports the Services and Namespaces that name a waypoint which base had and head does not have: they
// have none then (istio pilot/pkg/serviceregistry/ambient/waypoints.go, fetchWaypointForTarget). A name that neither has may
// be one of another repository.
func reportMissingWaypoints(p *Pair, report Report) {
	base, head := p.Base.Run.Graph, p.Head.Run.Graph
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Service" && o.ID.Kind != "Namespace" || o.Context {
			continue
		}
		before := base.Object(o.ID)
		if before == nil {
			continue
		}
		was, is := waypointOf(before), waypointOf(o)
		if was.Name == "" || is.Name == "" || base.Object(was) == nil || head.Object(is) != nil || p.Unreadable[effective.Head][base.Object(was).First().File] {
			continue
		}
		severity, guarded := plan.Warning, targeting(p.Head, cmp.Or(o.ID.Namespace, o.ID.Name))
		if was == is && guarded {
			severity = plan.Error
		}
		report(Hit{
			Target: o.ID.String(), Key: []string{"waypoint", is.String()}, Severity: severity, Object: o, OpensNothing: !guarded,
			At:    o.Position(cmp.Or(o.Root.Get("metadata", "labels", useWaypoint), o.Root.Get("metadata"))),
			Title: say("%s no longer has a waypoint, because %s does not exist: its policies are not enforced", o.ID, is),
		})
	}
}

// reportLeftWaypoints reports Services and Namespaces whose requests no longer pass through a waypoint that still
// exists and has policies or routes: they no longer name it, or requests from Gateways no longer pass through it
// (istio.io/ingress-use-waypoint, Istio, Resource Labels).
func reportLeftWaypoints(p *Pair, report Report) {
	base, head := p.Base.Run.Graph, p.Head.Run.Graph
	routes := sync.OnceValue(func() meshRoutes { return meshRoutesOf(p.Head) })
	for _, o := range p.Head.Run.Environment.Objects {
		before := base.Object(o.ID)
		if o.ID.Group != "" || o.ID.Kind != "Service" && o.ID.Kind != "Namespace" || o.Context || before == nil || before.Digest == o.Digest {
			continue
		}
		was, is := namedWaypoint(before, base.Object), namedWaypoint(o, head.Object)
		if was.Name == "" || head.Object(was) == nil {
			continue
		}
		by := policyAt(p.Base, was)
		at := o.Position(cmp.Or(o.Root.Get("metadata", "labels", useWaypoint), o.Root.Get("metadata", "labels"), o.Root.Get("metadata")))
		switch {
		case by != "" && is.Name == "":
			report(Hit{
				Target: o.ID.String(), Key: []string{"left", was.String()}, Severity: plan.Error, Object: o, At: at,
				Title: say("Requests to %s no longer pass %s, whose %s is not enforced for them", o.ID, was, by),
			})
		case by != "" && is != was && head.Object(is) != nil && policyAt(p.Head, is) == "":
			report(Hit{
				Target: o.ID.String(), Key: []string{"moved", was.String()}, Severity: plan.Error, Object: o, At: at,
				Title: say("Requests to %s pass %s instead of %s, whose %s is not enforced for them", o.ID, is, was, by),
			})
		case is.Name == "":
			routes().withoutWaypoint(o, was, at, report)
		case is == was && fromGateways(before) && !fromGateways(o) && (by != "" || targeting(p.Base, cmp.Or(o.ID.Namespace, o.ID.Name))):
			report(Hit{
				Target: o.ID.String(), Key: []string{"gateways", was.String()}, Severity: plan.Error, Object: o, At: at,
				Title: say("Requests from Gateways to %s no longer pass %s: its policies are not enforced for them", o.ID, was),
			})
		}
	}
}

// namedWaypoint returns the waypoint that an object names or, if it says nothing, its Namespace.
func namedWaypoint(o *loader.Object, find func(loader.ID) *loader.Object) loader.ID {
	if _, says := o.Labels()[useWaypoint]; !says && o.ID.Namespace != "" {
		if namespace := find(loader.ID{Kind: "Namespace", Name: o.ID.Namespace}); namespace != nil {
			return waypointOf(namespace)
		}
	}
	return waypointOf(o)
}

// fromGateways reports whether an object says that requests from Gateways pass its waypoint.
func fromGateways(o *loader.Object) bool {
	return o.Labels()["istio.io/ingress-use-waypoint"] == "true"
}

// policyAt names a policy of Istio that is attached to a Gateway, or returns "".
func policyAt(s *Environment, gateway loader.ID) string {
	for _, one := range s.Run.Attached.Policies {
		if one.ID().Group != "security.istio.io" {
			continue
		}
		for _, ref := range one.References {
			if slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool { return n.Target.ID == gateway }) {
				return loader.Spoken(one.ID().String())
			}
		}
	}
	return ""
}

// The labels that name the waypoint of a Service or of the Services of a Namespace.
const (
	useWaypoint          = hierarchy.UseWaypoint
	useWaypointNamespace = hierarchy.UseWaypoint + "-namespace"
)

// waypointOf returns the waypoint that an object names; its name is empty if it names none.
func waypointOf(o *loader.Object) loader.ID {
	labels := o.Labels()
	name := labels[useWaypoint]
	if name == "" || name == "none" {
		return loader.ID{}
	}
	return loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: cmp.Or(labels[useWaypointNamespace], o.ID.Namespace, o.ID.Name), Name: name}
}

// targeting reports whether a policy of Istio in a namespace names a target, which a waypoint enforces.
func targeting(s *Environment, namespace string) bool {
	return slices.ContainsFunc(s.Run.Attached.Policies, func(one *policy.Policy) bool {
		id, spec := one.ID(), one.Object.Spec()
		return id.Group == "security.istio.io" && id.Namespace == namespace && (spec.Get("targetRefs") != nil || spec.Get("targetRef") != nil)
	})
}

// waypointFor returns the types of traffic that a waypoint takes (istio pilot/pkg/serviceregistry/ambient/waypoints.go).
func waypointFor(s *Environment, gateway *loader.Object) []string {
	switch hierarchy.WaypointTraffic(s.Run.Graph.Inventory, gateway) {
	case "all":
		return []string{"Services", "workloads"}
	case "workload":
		return []string{"workloads"}
	case "none":
		return nil
	}
	return []string{"Services"}
}
