package status

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// layers is what the policies of one kind are to each other where the kind's
// controller says of the less specific one that it is Overridden or Merged
// (Envoy Gateway internal/gatewayapi, helpers.go and backendtrafficpolicy.go).
// A parentRef to a Gateway of that controller is enough: the route need not be
// accepted there.
type layers struct {
	states
	kind *policy.Kind
	// targeted are the targets that some policy of the kind has.
	targeted map[hierarchy.Target]bool
	// below are the targets of more specific policies by the scope they are under,
	// a Gateway, a ListenerSet or a listener; inside are the scopes in a scope.
	below  map[hierarchy.Target]targets
	inside map[hierarchy.Target]targets
	// merged are the routes whose policies merge with the one at a scope.
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

// hasLayers says whether a kind's controller writes Overridden conditions.
func hasLayers(k *policy.Kind) bool {
	return strings.HasPrefix(k.Status["overridden"], "Overridden=True")
}

// layersOf are the layers of a kind, nil where its controller has no word for
// them.
func (s states) layersOf(k *policy.Kind) *layers {
	if l, ok := s.layered[k]; ok {
		return l
	}
	if !hasLayers(k) {
		s.layered[k] = nil
		return nil
	}
	l := &layers{
		states: s, kind: k, targeted: map[hierarchy.Target]bool{}, below: map[hierarchy.Target]targets{},
		inside: map[hierarchy.Target]targets{}, merged: map[hierarchy.Target]targets{}, ruled: map[hierarchy.Target]targets{},
	}
	s.layered[k] = l
	var refs []*policy.Reference
	for _, p := range s.policiesOf {
		if p.Kind == k {
			refs = append(refs, p.References...)
		}
	}
	for _, ref := range refs {
		if l.graph.Object(ref.Target.ID) != nil && ref.Reason != policy.TargetNotFound {
			l.targeted[ref.Target] = true
		}
	}
	for _, ref := range refs {
		l.place(ref)
	}
	for _, ref := range refs {
		for _, m := range l.merges(ref) {
			put(l.merged, m.with, whole(ref.Target))
		}
	}
	return l
}

func whole(t hierarchy.Target) hierarchy.Target { return hierarchy.Target{ID: t.ID} }

// place notes under which scopes a target is.
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
		if !ref.Hangs() || l.graph.Object(t.ID) == nil {
			return
		}
		if t.Section != "" {
			put(l.below, whole(t), t)
			l.contain(t)
		} else if gateway := l.gatewayOf(t); gateway != t {
			put(l.below, gateway, t)
		}
	default:
	}
}

// contain notes the scopes around a scope.
func (l *layers) contain(at hierarchy.Target) {
	if at.Section != "" {
		put(l.inside, whole(at), at)
	}
	if gateway := l.gatewayOf(at); gateway != whole(at) {
		put(l.inside, gateway, whole(at))
	}
}

// gatewayOf is the Gateway that a scope is of.
func (l *layers) gatewayOf(t hierarchy.Target) hierarchy.Target {
	if set := l.graph.Node(whole(t), hierarchy.LevelListenerSet); set != nil {
		return hierarchy.GatewayOf(set).Target
	}
	return whole(t)
}

// managed are the parents of a route that are Gateways of the kind's controller,
// or ListenerSets which one of those takes, whether they accept the route or not.
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

// scopeOf is what a parentRef means: an object or one of its listeners.
func scopeOf(p *hierarchy.Parent) hierarchy.Target {
	return hierarchy.Target{ID: p.Target.Target.ID, Section: p.Ref.Str("sectionName")}
}

// merge is a policy on a route that merges with the one at a scope, behind a
// listener.
type merge struct{ with, listener hierarchy.Target }

// merges are the merges of a policy on a route or rule: with the closest policy
// above each listener that it may come through.
func (l *layers) merges(ref *policy.Reference) []merge {
	choice := l.kind.Merge.Levels.Select
	if choice == nil || !ref.Hangs() || ref.Policy.Object.Spec().Str(choice.Field) == "" {
		return nil
	}
	var out []merge
	for _, p := range l.managed(ref.Target.ID) {
		for _, listener := range p.Open {
			for _, scope := range []hierarchy.Target{listener.Target, whole(listener.Target), l.gatewayOf(listener.Target)} {
				if l.targeted[scope] {
					out = append(out, merge{with: scope, listener: listener.Target})
					break
				}
			}
		}
	}
	return out
}

// overriding are the targets below one, by name, where more specific policies of
// the kind stand, other than those that merge with the one there.
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

// maxNamed is how many targets a message names.
const maxNamed = 16

// listed are names in a message.
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

// under are the more specific targets below a scope. A route that names a whole
// Gateway or ListenerSet stands below each of its listeners, too.
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
