package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// clusterDomain is that of Services, as far as a mesh is not set up otherwise.
const clusterDomain = ".svc.cluster.local"

// serviceEntries are objects that stand for hosts outside of the cluster.
var serviceEntries = loader.ID{Group: "networking.istio.io", Kind: "ServiceEntry"}

// byHost are the Services and ServiceEntries that a host means: a name without a dot is a
// Service of the policy's namespace, any other is a full name, and one that begins with a star
// stands for all that end like it (Istio pilot/pkg/model/config.go, ResolveShortnameToFQDN and
// MostSpecificHostMatch).
func (r reader) byHost(host *loader.Value) []*Reference {
	name, own := host.Text, r.policy.Object.ID.Namespace
	if host.Shape != loader.String || name == "" {
		out := &Reference{Policy: r.policy, Ref: host}
		out.refuse(Invalid, "the host is empty")
		return []*Reference{out}
	}
	if suffix, wildcard := strings.CutPrefix(name, "*"); wildcard {
		return r.named(host, func(known string) bool { return strings.HasSuffix(known, suffix) })
	}
	full := name
	if !strings.Contains(name, ".") {
		full = name + "." + own + clusterDomain
	}
	if out := r.named(host, func(known string) bool { return known == full }); len(out) > 0 {
		return out
	}
	out := &Reference{Policy: r.policy, Ref: host, Accepted: hierarchy.True, Reason: Accepted}
	if service, ok := strings.CutSuffix(full, clusterDomain); ok {
		if parts := strings.Split(service, "."); len(parts) == 2 {
			out.Target.ID = loader.ID{Kind: "Service", Namespace: parts[1], Name: parts[0]}
			r.find(out)
			return []*Reference{out}
		}
	}
	out.Target.ID = loader.ID{Group: serviceEntries.Group, Kind: serviceEntries.Kind, Namespace: own, Name: name}
	if parts := strings.Split(strings.TrimSuffix(name, ".svc"), "."); len(parts) == 2 && r.graph.Object(loader.ID{Kind: "Service", Namespace: parts[1], Name: parts[0]}) != nil {
		out.refuse(TargetNotFound, fmt.Sprintf("%q is no name of a Service: names with a dot are taken as they stand; did you mean %q?", name, parts[0]+"."+parts[1]+clusterDomain))
		return []*Reference{out}
	}
	out.Accepted, out.Reason = hierarchy.Unknown, NotInInput
	out.Message = fmt.Sprintf("no ServiceEntry in the input has the host %q", name)
	return []*Reference{out}
}

// named are the references to what has a host.
func (r reader) named(host *loader.Value, means func(string) bool) []*Reference {
	var out []*Reference
	add := func(o *loader.Object) {
		ref := &Reference{Policy: r.policy, Ref: host, Target: hierarchy.Target{ID: o.ID}, Accepted: hierarchy.True, Reason: Accepted}
		r.find(ref)
		out = append(out, ref)
	}
	for _, o := range r.graph.AllOf("", "Service") {
		if means(o.ID.Name + "." + o.ID.Namespace + clusterDomain) {
			add(o)
		}
	}
	for _, o := range r.graph.AllOf(serviceEntries.Group, serviceEntries.Kind) {
		if slices.ContainsFunc(o.Spec().List("hosts"), func(h *loader.Value) bool { return means(h.Text) }) {
			add(o)
		}
	}
	return out
}
