package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// encrypted reports whether a reference does not show what it names.
func encrypted(ref *loader.Value) bool {
	is := func(v *loader.Value) bool { return v != nil && v.Opaque && v.Text == loader.Encrypted }
	return is(ref) || is(ref.Get("kind")) || is(ref.Get("name"))
}

// anyTarget are the references to all that a policy may target in its namespace, each of which is unknown: its own reference
// is encrypted.
func (r targets) anyTarget(ref *loader.Value) []*Reference {
	const why = "what the policy targets is encrypted"
	var out []*Reference
	for _, n := range r.graph.Nodes {
		kind := n.Target.ID
		if allowed, _ := r.policy.Kind.Allows(kind.Group, kind.Kind); !allowed || n.Object == nil || n.Owner != nil || n.Namespace() != r.policy.Object.ID.Namespace {
			continue
		}
		out = append(out, &Reference{
			Policy: r.policy, Target: n.Target, Ref: ref, Nodes: []*hierarchy.Node{n}, Accepted: fact.Unknown, Reason: NotInInput, Message: why,
		})
	}
	if len(out) == 0 {
		own := loader.ID{Kind: "Namespace", Name: r.policy.Object.ID.Namespace}
		out = append(out, &Reference{Policy: r.policy, Target: hierarchy.Target{ID: own}, Ref: ref, Accepted: fact.Unknown, Reason: NotInInput, Message: why})
	}
	return slices.Clip(out)
}
