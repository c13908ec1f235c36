package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// spans reports whether the policy reaches beyond its namespace: it is in the root
// namespace of a kind that has one.
func (r reader) spans() bool {
	return r.target.Root != "" && r.policy.Object.ID.Namespace == r.target.Root
}

// within reports whether a policy can select targets in a namespace by labels or GatewayClass.
func (r reader) within(namespace string) bool {
	if own := r.policy.Object.ID.Namespace; namespace == own || !r.spans() {
		return namespace == own
	}
	return r.target.RootReach == "" || r.target.RootReach == catalogue.ReachAll
}

// ofClass are the Gateways of a GatewayClass that a policy can select. For kinds where nothing
// passes from one object to another, a reference to the class means these.
func (r finder) ofClass(class string) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, n := range r.graph.Nodes {
		if n.Level == hierarchy.LevelGateway && n.Object != nil && n.Value.Str("gatewayClassName") == class && r.within(n.Namespace()) {
			out = append(out, n)
		}
	}
	return out
}

func (r reader) classAllowed(id loader.ID) bool {
	return hierarchy.LevelOf(id.Group, id.Kind) != hierarchy.LevelGatewayClass || len(r.target.Classes) == 0 || slices.Contains(r.target.Classes, id.Name)
}

// byMerging rejects a reference to a Gateway whose class merges its Gateways, or to a class that does not (Envoy Gateway
// internal/gatewayapi/envoypatchpolicy.go, ProcessEnvoyPatchPolicies).
func byMerging(r targets, out *Reference) {
	for _, n := range out.Nodes {
		class := n
		if n.Level == hierarchy.LevelGateway {
			class = r.graph.ClassOf(n)
		}
		if class == nil || class.Level != hierarchy.LevelGatewayClass {
			continue
		}
		switch merged := r.graph.MergesGateways(class); {
		case merged == fact.True && n != class:
			out.refuse(Invalid, class.Spoken()+" merges its Gateways, so it alone can be the target")
		case merged == fact.False && n == class:
			out.Nodes = nil
			out.refuse(TargetNotFound, class.Spoken()+" does not merge its Gateways, so only a Gateway can be the target")
			return
		}
	}
}

// everything is the reference of a policy that names no target: to its
// Namespace, or, from the root namespace, to all of them.
func (r reader) everything() *Reference {
	own := r.policy.Object
	ref := &Reference{
		Policy: r.policy, Target: hierarchy.Target{ID: loader.ID{Kind: "Namespace", Name: own.ID.Namespace}}, Ref: own.Root,
		Part: catalogue.OfNamespace, Namespace: own.ID.Namespace, Accepted: fact.True, Reason: Accepted,
	}
	if r.spans() {
		ref.Part, ref.Namespace = catalogue.OfRoot, ""
	}
	return ref
}

// byWorkload are the references to targets whose pods have all given labels.
func (r targets) byWorkload(labels *loader.Value) []*Reference {
	return r.ofPods(&loader.Value{Shape: loader.Map, Mark: labels.Mark, Fields: []loader.Field{{Key: "matchLabels", Value: labels}}}, labels,
		func(*hierarchy.Node) bool { return true })
}

// ofPods are the references to targets whose pods match a selector, in the policy's namespace
// or, from the root namespace, in any. place is where the selector is written. Pods are not
// read: those of a Gateway have the labels that its controller sets, those of a Service have at
// least the labels of its selector.
func (r targets) ofPods(selector, place *loader.Value, among func(*hierarchy.Node) bool) []*Reference {
	var out []*Reference
	own := r.policy.Object.ID.Namespace
	if r.spans() && r.target.RootReach == catalogue.ReachNone {
		ref := &Reference{Policy: r.policy, Target: hierarchy.Target{ID: loader.ID{Kind: "Namespace", Name: own}}, Ref: place}
		ref.refuse(Invalid, fmt.Sprintf("a policy in the root namespace %s cannot select workloads by labels; put %s in the namespace of the workload", own, r.policy.Kind.Name()))
		return []*Reference{ref}
	}
	for _, n := range r.graph.Nodes {
		allowed := r.policy.Kind.Has(catalogue.Level{Level: n.Level})
		if !allowed || !among(n) || n.Object == nil || n.Owner != nil || !r.within(n.Namespace()) || !r.policy.Kind.Controllers.Governs(r.graph, n) {
			continue
		}
		pods := r.graph.PodLabels(n)
		matched := pods.Matches(selector)
		if matched == fact.False || matched == fact.Unknown && !related(pods, selector) {
			continue
		}
		ref := &Reference{
			Policy: r.policy, Target: n.Target, Ref: place, Nodes: []*hierarchy.Node{n}, Accepted: matched, Reason: Accepted,
		}
		if matched == fact.Unknown {
			ref.Reason, ref.Message = NotInInput, "the pods of "+n.Spoken()+" may have the labels that the policy selects; pod manifests are not analysed"
		}
		out = append(out, ref)
	}
	if len(out) == 0 {
		if ref := namedByLabel(r, selector, place); ref != nil {
			return append(out, ref)
		}
		out = append(out, &Reference{
			Policy: r.policy, Target: hierarchy.Target{ID: loader.ID{Kind: "Namespace", Name: own}}, Ref: place,
			Accepted: fact.Unknown, Reason: NotInInput, Message: "no Gateway or Service in the input is known to have the pods that the policy selects",
		})
	}
	return out
}

// namedByLabel is the reference to a Gateway that is not in the input and whose pods a selector asks for by the label that has its
// name, or nil (Gateway API GEP-1762).
func namedByLabel(r targets, selector, place *loader.Value) *Reference {
	name := selector.Str("matchLabels", hierarchy.GatewayNameLabel)
	if name == "" || r.spans() || !r.policy.Kind.Has(catalogue.Level{Level: hierarchy.LevelGateway}) {
		return nil
	}
	id := loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: r.policy.Object.ID.Namespace, Name: name}
	if r.graph.Object(id) != nil {
		return nil // its pods have other labels
	}
	ref := &Reference{Policy: r.policy, Target: hierarchy.Target{ID: id}, Ref: place, Accepted: fact.True, Reason: Accepted}
	r.find(ref)
	return ref
}

// byPods reads a pod selector as a reference to Services with such pods, for kinds with the
// level Backend. For inherited kinds, an empty selector means the whole Namespace.
func (r targets) byPods(selector *loader.Value) []*Reference {
	if !slices.Contains(r.policy.Kind.Levels, "Backend") {
		return nil
	}
	labels := selector.Get("matchLabels")
	everything := len(labels.FieldList()) == 0 && len(selector.List("matchExpressions")) == 0
	if everything && r.policy.Kind.Class() != catalogue.Direct {
		return []*Reference{r.everything()}
	}
	place := labels
	if place == nil {
		place = selector
	}
	return r.ofPods(selector, place, func(n *hierarchy.Node) bool { return n.Level != hierarchy.LevelGateway })
}

// related reports whether the pods are known to have one of the selected labels. A Service whose
// selector has no label in common with the policy's is left out.
func related(pods inventory.Labels, selector *loader.Value) bool {
	return slices.ContainsFunc(selector.Get("matchLabels").FieldList(), func(f loader.Field) bool {
		value, ok := pods.Values[f.Key]
		return ok && value == f.Value.Text
	})
}

// Elsewhere reports whether a reference leads only to Gateways of other controllers.
func (r *Reference) Elsewhere(g *hierarchy.Graph) bool {
	seen := map[*hierarchy.Node]bool{}
	var ours func(n *hierarchy.Node) bool
	ours = func(n *hierarchy.Node) bool {
		if n = cmp.Or(n.Owner, n); seen[n] {
			return false
		}
		seen[n] = true
		if n.Level == hierarchy.LevelGateway || len(n.Up) == 0 {
			return !r.Policy.Kind.Controllers.Foreign(g, n)
		}
		return slices.ContainsFunc(n.Up, func(e *hierarchy.Edge) bool { return ours(e.Parent) })
	}
	return len(r.Policy.Kind.Controllers) > 0 && len(r.Nodes) > 0 && !slices.ContainsFunc(r.Nodes, ours)
}
