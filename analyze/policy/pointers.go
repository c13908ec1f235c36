package policy

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// pointer is a reference in some object to a policy.
type pointer struct {
	at *hierarchy.Node
	// ref is the place of the reference, in an object.
	ref   *loader.Value
	owner *loader.Object
}

// pointers are the references to policies in an environment, by the policy.
type pointers struct {
	filters, parameters map[loader.ID][]pointer
	// mentions are the names in annotations, read when a kind first asks for one.
	mentions map[catalogue.RefEntry]map[string][]mention
}

// mention is a policy's name in an annotation of an object, with the namespace that is meant.
type mention struct {
	at        *hierarchy.Node
	namespace string
}

// findPointers reads the ExtensionRef filters of rules and listeners (Gateway API,
// HTTPRouteFilter.extensionRef and ListenerFilter.extensionRef) and the parametersRefs of GatewayClasses and
// Gateways (GatewayClass.spec.parametersRef, Gateway.spec.infrastructure).
func findPointers(g *hierarchy.Graph) pointers {
	out := pointers{
		filters: map[loader.ID][]pointer{}, parameters: map[loader.ID][]pointer{},
		mentions: map[catalogue.RefEntry]map[string][]mention{},
	}
	for _, n := range g.Nodes {
		switch {
		case n.Level == hierarchy.LevelRule:
			if !g.Decider(n.Owner).Matching.HasFilter(n.Owner.Target.Kind, "ExtensionRef") {
				continue // the controller does not read the filter
			}
			for _, filter := range n.Value.List("filters") {
				out.note(out.filters, n, n.Owner.Object, filter.Get("extensionRef"), n.Namespace())
			}
			for _, backend := range n.Value.List("backendRefs") { // it holds for what goes to that backend
				for _, filter := range backend.List("filters") {
					out.note(out.filters, n, n.Owner.Object, filter.Get("extensionRef"), n.Namespace())
				}
			}
		case n.Level == hierarchy.LevelListener:
			for _, filter := range n.Value.List("filters", "requests") {
				out.note(out.filters, n, n.Owner.Object, filter.Get("extensionRef"), n.Namespace())
			}
		case n.Object == nil || n.Target.Section != "":
		case n.Level == hierarchy.LevelGatewayClass:
			ref := n.Value.Get("parametersRef")
			out.note(out.parameters, n, n.Object, ref, ref.Str("namespace"))
		case n.Level == hierarchy.LevelGateway:
			out.note(out.parameters, n, n.Object, n.Value.Get("infrastructure", "parametersRef"), n.Namespace())
		}
	}
	return out
}

func (p pointers) note(to map[loader.ID][]pointer, at *hierarchy.Node, owner *loader.Object, ref *loader.Value, namespace string) {
	if ref == nil {
		return
	}
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	if last := len(to[id]) - 1; last >= 0 && to[id][last].at == at {
		return // two filters of a rule may name one object
	}
	to[id] = append(to[id], pointer{at, ref, owner})
}

// pointedAt makes a reference from each pointer to the policy whose target the kind allows.
func (r targets) pointedAt(pointers []pointer, part catalogue.Part) []*Reference {
	var out []*Reference
	for _, p := range pointers {
		if allowed, _ := r.policy.Kind.Allows(p.at.Target.Group, p.at.Target.Kind); !allowed {
			continue
		}
		out = append(out, &Reference{
			Policy: r.policy, Target: p.at.Target, Owner: p.owner, Ref: p.ref, Part: part, Nodes: []*hierarchy.Node{p.at},
			Accepted: fact.True, Reason: Accepted,
		})
	}
	return out
}

// annotated are references to the objects whose annotation names the policy, alone or in a list
// separated by commas.
func (r targets) annotated(form catalogue.RefEntry) []*Reference {
	var out []*Reference
	seen := map[hierarchy.Target]bool{}
	for _, m := range r.mentioned(form)[r.policy.Object.ID.Name] {
		target := m.at.Target
		if allowed, _ := r.policy.Kind.Allows(target.Group, target.Kind); !allowed || seen[target] || !r.means(m, form) {
			continue
		}
		seen[target] = true
		ref := &Reference{
			Policy: r.policy, Target: target, Owner: m.at.Object, Ref: annotation(m.at.Object, form), Accepted: fact.True, Reason: Accepted,
		}
		r.admit(ref)
		if ref.Accepted != fact.False {
			r.find(ref)
		}
		out = append(out, ref)
	}
	return out
}

// annotation is the value of an object's annotation that may name policies.
func annotation(o *loader.Object, form catalogue.RefEntry) *loader.Value {
	return o.Root.Get("metadata", "annotations", strings.TrimPrefix(form.Path, "annotation:"))
}

// mentioned are the objects whose annotation names policies, by the name.
func (r targets) mentioned(form catalogue.RefEntry) map[string][]mention {
	if known, ok := r.pointers.mentions[form]; ok {
		return known
	}
	out := map[string][]mention{}
	for _, n := range r.graph.Nodes {
		if n.Object == nil || n.Owner != nil {
			continue
		}
		value := annotation(n.Object, form)
		if value == nil || value.Shape != loader.String {
			continue
		}
		for name := range strings.SplitSeq(value.Text, ",") {
			m := mention{n, n.Namespace()}
			if before, after, across := strings.Cut(name, form.Across); form.Across != "" && across {
				m.namespace, name = strings.TrimSpace(before), after
			}
			name = strings.TrimSpace(name)
			out[name] = append(out[name], m)
		}
	}
	r.pointers.mentions[form] = out
	return out
}

// means reports whether a mention of the policy's name means the policy: it is of the namespace
// meant, or of none and no object of the kind before it is there.
func (r targets) means(m mention, form catalogue.RefEntry) bool {
	own := r.policy.Object.ID
	if own.Namespace != "" {
		return own.Namespace == m.namespace
	}
	return form.Behind == "" || r.graph.Object(loader.ID{Group: own.Group, Kind: form.Behind, Namespace: m.namespace, Name: own.Name}) == nil
}

// admit checks a reference from a target to a policy of another namespace.
func (r targets) admit(ref *Reference) {
	own, from := r.policy.Object.ID, ref.Target.ID
	switch r.graph.Permits(from, own) {
	case fact.False:
		ref.refuse(RefNotAllowed, fmt.Sprintf("no ReferenceGrant in namespace %s lets %s refer to %s", own.Namespace, from.Spoken(), own.Spoken()))
	case fact.Unknown:
		ref.Accepted, ref.Reason = fact.Unknown, NotInInput
		ref.Message = fmt.Sprintf("a ReferenceGrant in namespace %s is not in the input", own.Namespace)
	case fact.True:
	}
}
