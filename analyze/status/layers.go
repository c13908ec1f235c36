package status

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// layers relates the policies of one kind whose controller writes on a less specific policy that
// it is Overridden or Merged (Envoy Gateway internal/gatewayapi, helpers.go and
// backendtrafficpolicy.go). A route counts as below a Gateway of that controller if it has a
// parentRef to it, even if the Gateway does not accept the route.
type layers struct {
	graph *hierarchy.Graph
	kind  *catalogue.Kind
	// targeted are the targets of all policies of the kind, with the one that has precedence.
	targeted map[hierarchy.Target]*policy.Policy
	// below are the targets of more specific policies, by the scope that contains them: a
	// Gateway, a ListenerSet or a listener. inside are the scopes within a scope.
	below  map[hierarchy.Target]targets
	inside map[hierarchy.Target]targets
	// merged are the routes whose policies merge with the policy at a scope.
	merged map[hierarchy.Target]targets
	// ruled are the routes with a policy on one of their rules.
	ruled map[hierarchy.Target]targets
}

type targets map[hierarchy.Target]bool

func put(m map[hierarchy.Target]targets, at, one hierarchy.Target) {
	if m[at] == nil {
		m[at] = targets{}
	}
	m[at][one] = true
}

// hasLayers reports whether a kind's controller writes Overridden conditions.
func hasLayers(k *catalogue.Kind) bool {
	c := condition(k.Status["overridden"])
	return c.Type == "Overridden" && c.Status == "True"
}

// layersOf are the layers of a kind, nil if its controller writes no conditions for them.
func (s *policyStates) layersOf(k *catalogue.Kind) *layers {
	l, ok := s.layered[k]
	if !ok {
		if hasLayers(k) {
			l = newLayers(s.run, k)
		}
		s.layered[k] = l
	}
	return l
}

func newLayers(r *effective.Run, k *catalogue.Kind) *layers {
	l := &layers{
		graph: r.Graph, kind: k, targeted: map[hierarchy.Target]*policy.Policy{}, below: map[hierarchy.Target]targets{},
		inside: map[hierarchy.Target]targets{}, merged: map[hierarchy.Target]targets{}, ruled: map[hierarchy.Target]targets{},
	}
	var refs []*policy.Reference
	for _, p := range r.Attached.Policies {
		if p.Kind == k {
			refs = append(refs, p.References...)
		}
	}
	for _, ref := range refs {
		if l.graph.Object(ref.Target.ID) != nil && ref.Reason != policy.TargetNotFound {
			if l.targeted[ref.Target] == nil || ref.IsAttached() && ref.LostTo == nil {
				l.targeted[ref.Target] = ref.Policy
			}
		}
	}
	for _, ref := range refs {
		l.place(ref)
	}
	for _, ref := range refs {
		for _, m := range l.merges(ref) {
			if m.refused == "" {
				put(l.merged, m.with, whole(ref.Target))
			}
		}
	}
	return l
}

func whole(t hierarchy.Target) hierarchy.Target { return hierarchy.Target{ID: t.ID} }

// place records the scopes that contain a target.
func (l *layers) place(ref *policy.Reference) {
	t := ref.Target
	switch hierarchy.LevelOf(t.Group, t.Kind) {
	case hierarchy.LevelRoute:
		if t.Section != "" && ref.Reason != policy.TargetNotFound {
			put(l.ruled, whole(t), t)
		}
		for _, p := range l.managed(t.ID) {
			at := scopeOf(&p)
			put(l.below, at, whole(t))
			l.contain(at)
		}
	case hierarchy.LevelListenerSet, hierarchy.LevelGateway:
		if !ref.IsAttached() || l.graph.Object(t.ID) == nil {
			return
		}
		if t.Section != "" {
			put(l.below, whole(t), t)
			l.contain(t)
		} else if gateway := l.gatewayOf(t); gateway != t && l.takes(t) {
			put(l.below, gateway, t)
		}
	default:
	}
}

// takes reports whether a policy on a ListenerSet counts as more specific than one on its Gateway. Kinds for listeners
// only count those that the Gateway takes and that share no port with others (Envoy Gateway,
// internal/gatewayapi/clienttrafficpolicy.go, ProcessClientTrafficPolicies).
func (l *layers) takes(set hierarchy.Target) bool {
	n := l.graph.Node(set, hierarchy.LevelListenerSet)
	if n == nil || l.kind.Target.SharedPorts == "" {
		return true
	}
	own := func(listener *hierarchy.Node) bool { return listener.Owner == n }
	return l.graph.Translated(n) && slices.ContainsFunc(l.graph.Listeners(hierarchy.GatewayOf(n)), func(listener *hierarchy.Node) bool {
		return own(listener) && !policy.SharesPort(l.graph, listener, own)
	})
}

// contain records the scopes around a scope.
func (l *layers) contain(at hierarchy.Target) {
	if at.Section != "" {
		put(l.inside, whole(at), at)
	}
	if gateway := l.gatewayOf(at); gateway != whole(at) {
		put(l.inside, gateway, whole(at))
	}
}

// gatewayOf is the Gateway to which a scope belongs.
func (l *layers) gatewayOf(t hierarchy.Target) hierarchy.Target {
	if set := l.graph.Node(whole(t), hierarchy.LevelListenerSet); set != nil {
		return hierarchy.GatewayOf(set).Target
	}
	return whole(t)
}

// managed are the parents of a route that are Gateways of the kind's controller, or ListenerSets
// of such a Gateway, whether they accept the route or not.
func (l *layers) managed(route loader.ID) []hierarchy.Parent {
	n := l.graph.Node(hierarchy.Target{ID: route}, hierarchy.LevelRoute)
	if n == nil {
		return nil
	}
	var out []hierarchy.Parent
	for _, p := range l.graph.Parents(n) {
		if !p.Missing && p.Target.Object != nil && l.graph.Implementation(hierarchy.GatewayOf(p.Target)).Policies.SectionAncestors {
			out = append(out, p)
		}
	}
	return out
}

// scopeOf is the scope that a parentRef names: an object or one of its listeners.
func scopeOf(p *hierarchy.Parent) hierarchy.Target {
	return hierarchy.Target{ID: p.Target.Target.ID, Section: p.Ref.Str("sectionName")}
}

// merge is the merge of a policy on a route with the policy at a scope, for requests through a
// listener. refused says why the controller does not use the result, or is empty.
type merge struct {
	with, listener hierarchy.Target
	refused        string
}

// merges are the merges of a policy on a route or rule: for each listener that requests can come
// through, the merge with the closest less specific policy.
func (l *layers) merges(ref *policy.Reference) []merge {
	if !l.asksToMerge(ref) {
		return nil
	}
	var out []merge
	for _, p := range l.managed(ref.Target.ID) {
		for _, listener := range p.Open {
			found := len(out)
			for _, scope := range []hierarchy.Target{listener.Target, whole(listener.Target), l.gatewayOf(listener.Target)} {
				if with := l.targeted[scope]; with != nil {
					out = append(out, merge{with: scope, listener: listener.Target, refused: refusal(ref, with, listener)})
					break
				}
			}
			if len(out) == found && brokenAt(ref.Policy, listener) {
				out = append(out, merge{listener: listener.Target, refused: ref.Policy.Broken.Message})
			}
		}
	}
	return out
}

// asksToMerge reports whether a policy chooses to be merged with a less specific one.
func (l *layers) asksToMerge(ref *policy.Reference) bool {
	choice := l.kind.Merge.Levels.Select
	return choice != nil && ref.IsAttached() && ref.Policy.Object.Spec().Str(choice.Field) != ""
}

// brokenAt reports whether the controller refuses a policy at a listener.
func brokenAt(p *policy.Policy, listener *hierarchy.Node) bool {
	return p.Broken != nil && (p.BrokenAt == nil || slices.Contains(p.BrokenAt, listener))
}

// refusal returns why the merge of two policies cannot be used, or "": a reference of the result
// is broken, or it has fields that exclude each other (Envoy Gateway,
// internal/gatewayapi/securitypolicy.go, processSecurityPolicyForRoute).
func refusal(ref *policy.Reference, with *policy.Policy, listener *hierarchy.Node) string {
	over := ref.Policy
	spec := over.Object.Spec()
	switch {
	case over.Unmergeable != nil:
		return over.UnmergeableWhy()
	case with.Forbids(ref.Target.Kind, "") != "":
		return with.Forbids(ref.Target.Kind, "")
	case brokenAt(over, listener):
		return over.Broken.Message
	}
	if why := policy.RefusedOver(over, with); why != "" {
		return why
	}
	for _, fault := range with.Faults {
		if !replaces(spec, with.Object.Spec(), fault.Ref) {
			return fault.Message
		}
	}
	for _, group := range over.Kind.Merge.Exclusive {
		set := slices.DeleteFunc(slices.Clone(group), func(path string) bool {
			return spec.At(path).IsNull() && with.Object.Spec().At(path).IsNull()
		})
		if len(set) > 1 {
			return "the merged policy has " + spelling.And(set) + "; only one of them is allowed"
		}
	}
	return ""
}

// replaces reports whether a spec sets the value of another one, or the list that contains it.
func replaces(spec, of, value *loader.Value) bool {
	if of == value {
		return !spec.IsNull()
	}
	if of.IsNull() || spec.IsNull() {
		return false
	}
	if of.Shape == loader.List {
		return true // lists are replaced as a whole
	}
	for _, f := range of.FieldList() {
		if contains(f.Value, value) {
			return replaces(spec.Get(f.Key), f.Value, value)
		}
	}
	return false
}

func contains(v, value *loader.Value) bool {
	if v == nil || v == value {
		return v == value
	}
	inside := func(v *loader.Value) bool { return contains(v, value) }
	return slices.ContainsFunc(v.ItemList(), inside) || slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return inside(f.Value) })
}

// overriding are the names of the targets below one that have more specific policies of the
// kind, without those whose policies merge with the one there.
func (l *layers) overriding(t hierarchy.Target) []string {
	out := targets{}
	if hierarchy.LevelOf(t.Group, t.Kind) == hierarchy.LevelRoute {
		if t.Section == "" {
			maps.Copy(out, l.ruled[t])
		}
		return out.names()
	}
	for _, children := range l.under(t) {
		for child := range children {
			if !l.merged[t][child] {
				out[child] = true
			}
		}
	}
	return out.names()
}

// maxNamed is the maximum number of targets that a message names.
const maxNamed = 16

// listed joins names for a message.
func listed(names []string) string {
	if rest := len(names) - maxNamed; rest > 0 {
		names = append(slices.Clone(names[:maxNamed]), fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(names, ", ")
}

func (t targets) names() []string {
	var out []string
	for one := range t {
		out = append(out, one.String())
	}
	slices.Sort(out)
	return out
}

// under are the more specific targets below a scope. A route that names a whole Gateway or
// ListenerSet is also below each of its listeners.
func (l *layers) under(t hierarchy.Target) []targets {
	out := []targets{l.below[t]}
	if t.Section != "" {
		routes := targets{}
		for child := range l.below[whole(t)] {
			if hierarchy.LevelOf(child.Group, child.Kind) == hierarchy.LevelRoute {
				routes[child] = true
			}
		}
		return append(out, routes)
	}
	for scope := range l.inside[t] {
		out = append(out, l.below[scope])
		for inner := range l.inside[scope] {
			out = append(out, l.below[inner])
		}
	}
	return out
}
