package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// clusterDomain is the domain of Services unless the mesh is configured differently.
const clusterDomain = ".svc.cluster.local"

// Objects of this kind represent hosts outside the cluster.
const (
	entryGroup = "networking.istio.io"
	entryKind  = "ServiceEntry"
)

// byHost returns references to the Services and ServiceEntries that a host means. A name without
// a dot is a Service in the policy's namespace, a name that begins with * means all hosts with
// that suffix, and any other is a full name (Istio pilot/pkg/model/config.go,
// ResolveShortnameToFQDN and MostSpecificHostMatch).
func (r targets) byHost(host *loader.Value) []*Reference {
	name, own := host.Text, r.policy.Object.ID.Namespace
	if host.Shape != loader.String || name == "" {
		out := &Reference{Policy: r.policy, Ref: host}
		out.refuse(Invalid, "the host is empty")
		return []*Reference{out}
	}
	if suffix, wildcard := strings.CutPrefix(name, "*"); wildcard {
		return r.ending(host, suffix)
	}
	full := name
	if !strings.Contains(name, ".") {
		full = name + "." + own + clusterDomain
	}
	out := &Reference{Policy: r.policy, Ref: host, Accepted: fact.True, Reason: Accepted}
	id, ofService := serviceOf(full)
	if !ofService || r.graph.Object(id) == nil {
		if entries := r.entries(host, func(known string) bool { return known == full }); len(entries) > 0 {
			return entries
		}
	}
	if ofService {
		out.Target.ID = id
		r.find(out)
		return []*Reference{out}
	}
	out.Target.ID = loader.ID{Group: entryGroup, Kind: entryKind, Namespace: own, Name: name}
	if parts := strings.Split(strings.TrimSuffix(name, ".svc"), "."); len(parts) == 2 && r.graph.Object(loader.ID{Kind: "Service", Namespace: parts[1], Name: parts[0]}) != nil {
		out.refuse(TargetNotFound, fmt.Sprintf("%q is not the name of a Service: a name with a dot is used as it is written; did you mean %q?", name, parts[0]+"."+parts[1]+clusterDomain))
		return []*Reference{out}
	}
	out.Accepted, out.Reason = fact.Unknown, NotInInput
	out.Message = fmt.Sprintf("no ServiceEntry in the input has the host %q", name)
	return []*Reference{out}
}

// serviceOf is the Service to which a full host name belongs.
func serviceOf(full string) (loader.ID, bool) {
	name, ok := strings.CutSuffix(full, clusterDomain)
	parts := strings.Split(name, ".")
	if !ok || len(parts) != 2 {
		return loader.ID{}, false
	}
	return loader.ID{Kind: "Service", Namespace: parts[1], Name: parts[0]}, true
}

// ending are the references to Services and ServiceEntries with a host that ends in suffix.
func (r targets) ending(host *loader.Value, suffix string) []*Reference {
	var out []*Reference
	for _, o := range r.graph.AllOf("", "Service") {
		if strings.HasSuffix(o.ID.Name+"."+o.ID.Namespace+clusterDomain, suffix) {
			out = append(out, r.toObject(host, o))
		}
	}
	return append(out, r.entries(host, func(known string) bool { return strings.HasSuffix(known, suffix) })...)
}

func (r targets) toObject(host *loader.Value, o *loader.Object) *Reference {
	ref := &Reference{Policy: r.policy, Ref: host, Target: hierarchy.Target{ID: o.ID}, Accepted: fact.True, Reason: Accepted}
	r.find(ref)
	return ref
}

// entries are the references to the ServiceEntries with a host for which means is true.
func (r targets) entries(host *loader.Value, means func(string) bool) []*Reference {
	var out []*Reference
	for _, o := range r.graph.AllOf(entryGroup, entryKind) {
		if slices.ContainsFunc(o.Spec().List("hosts"), func(h *loader.Value) bool { return means(h.Text) }) {
			out = append(out, r.toObject(host, o))
		}
	}
	return out
}
