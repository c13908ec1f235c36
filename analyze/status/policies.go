package status

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// maxAncestors is the maximum number of ancestors in a status (Gateway API,
// PolicyStatus.ancestors).
const maxAncestors = 16

// policyStates makes the status of policies: conditions for each ancestor.
type policyStates struct {
	graph     *hierarchy.Graph
	run       *effective.Run
	gateways  *gateways
	routes    *routeAncestors
	referrers *referrers
	inForce   *inForce
	// layered caches the layers of kinds.
	layered map[*catalogue.Kind]*layers
}

func newPolicyStates(r *effective.Run) *policyStates {
	return &policyStates{
		graph: r.Graph, run: r,
		gateways:  &gateways{graph: r.Graph, policies: r.Attached.Policies},
		routes:    &routeAncestors{graph: r.Graph, upward: map[*hierarchy.Node][]upward{}},
		referrers: &referrers{graph: r.Graph, policies: r.Attached.Policies},
		inForce: &inForce{
			run: r, tallies: map[*catalogue.Kind]map[*policy.Policy]*effective.Tally{},
			shares: map[*catalogue.Kind]map[*policy.Policy]effective.MergeShare{},
		},
		layered: map[*catalogue.Kind]*layers{},
	}
}

// status is empty if no controller writes conditions for the policy's kind.
func (s *policyStates) status(p *policy.Policy) plan.Status {
	if p.Kind.Silent() {
		return plan.Status{}
	}
	list := s.ancestors(p)
	return plan.Status{Ancestors: slices.Clone(list[:min(len(list), maxAncestors)])}
}

// Ancestors returns all ancestors of a run's policies, including those beyond the limit of a
// status.
func Ancestors(r *effective.Run) func(*policy.Policy) []plan.Ancestor {
	return newPolicyStates(r).ancestors
}

func (s *policyStates) ancestors(p *policy.Policy) []plan.Ancestor {
	a := ancestry{policyStates: s, policy: p, seen: map[plan.Reference]int{}}
	var layers *layers
	if s.graph.Dominant().Policies.SectionAncestors {
		layers = s.layersOf(p.Kind)
	}
	byGateway := s.graph.Dominant().Policies.GatewayAncestors && !p.Kind.Controllers.Ignores(s.graph.Dominant().Controllers[0])
	switch {
	case byGateway && a.securesByGateway():
		a.securedByGateway()
	case byGateway:
		a.byGateway()
	default:
		a.byTarget(layers)
	}
	slices.SortStableFunc(a.list, func(x, y plan.Ancestor) int { return compareReferences(x.AncestorRef, y.AncestorRef) })
	return a.list
}

// byTarget adds the ancestors of each declared target.
func (a *ancestry) byTarget(layers *layers) {
	for _, ref := range a.policy.References {
		if hidden(a.graph, ref.Target) {
			continue
		}
		if layers != nil {
			a.layered(ref, layers)
		} else {
			a.reference(ref)
		}
	}
}

// hidden reports whether a target is, or belongs to, a Gateway that appears in no status.
func hidden(graph *hierarchy.Graph, t hierarchy.Target) bool {
	level := hierarchy.LevelOf(t.Group, t.Kind)
	if level != hierarchy.LevelGateway && level != hierarchy.LevelListenerSet {
		return false
	}
	n := graph.Node(whole(t), level)
	return n != nil && graph.Hidden(hierarchy.GatewayOf(n))
}

func compareReferences(a, b plan.Reference) int {
	return cmp.Or(
		cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.SectionName, b.SectionName), cmp.Compare(a.Port, b.Port),
	)
}

// ancestry collects the ancestors of one policy.
type ancestry struct {
	*policyStates
	policy *policy.Policy
	list   []plan.Ancestor
	seen   map[plan.Reference]int
	// spread is the verdict on an earlier target that also holds for later ones.
	spread *plan.Condition
	// touched counts all additions of ancestors, including repeated ones.
	touched int
}

// reference adds the ancestors of one declared target.
func (a *ancestry) reference(ref *policy.Reference) {
	conditions := a.conditions(ref)
	own := a.graph.Dominant()
	if own.Policies.ErrorsSpread && a.policy.Kind.Class() == catalogue.Direct {
		if conditions[0].Bad {
			a.spread = &conditions[0]
		} else if a.spread != nil {
			conditions[0] = *a.spread
		}
	}
	if a.policy.Kind.Ancestors != "" {
		a.declared(ref, conditions)
		return
	}
	if own.Policies.TargetAncestor && hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) == hierarchy.LevelBackend {
		a.add(targetReference(ref.Target), own.Policies.AncestorController, conditions)
	}
	if ref.Reason == own.Policies.IgnoredReason && ref.Reason != "" {
		return
	}
	found := a.touched
	for _, n := range ref.Nodes {
		a.above(n, conditions)
	}
	if route := a.graph.Node(whole(ref.Target), hierarchy.LevelRoute); len(ref.Nodes) == 0 && route != nil && route.Object != nil && !a.silent() {
		// The rule does not exist, but its route still has Gateways.
		a.above(route, conditions)
	}
	a.byReferrers(ref, conditions)
	switch {
	case a.touched > found:
	case a.silent() && ref.Accepted != fact.Unknown:
	case ref.Accepted != fact.True, !a.graph.HasGateways():
		// Nothing is above the target, so the target itself is the ancestor.
		a.add(targetReference(ref.Target), "", conditions)
	}
}

// declared adds a declared target as its own ancestor, for kinds whose controller writes that.
func (a *ancestry) declared(ref *policy.Reference, conditions []plan.Condition) {
	controller, routed := "", false
	for _, n := range ref.Nodes {
		for _, up := range a.routes.of(n) {
			controller, routed = up.ControllerName, true
		}
	}
	if exists := len(ref.Nodes) > 0 && ref.Nodes[0].Object != nil; exists && (routed || a.policy.Kind.Ancestors == "target") {
		a.add(targetReference(ref.Target), controller, conditions)
	}
}

func (a *ancestry) conditions(ref *policy.Reference) []plan.Condition {
	out := []plan.Condition{a.accepted(ref)}
	if a.policy.Kind.Status["attached"] != "" {
		out = append(out, a.attached(ref))
	}
	if ref.Accepted == fact.False {
		out = append(out, a.along(ref, out)...)
	}
	if ref.Accepted == fact.True {
		if c, ok := a.inForce.condition(a.policy); ok {
			// Conditions are a map by type: the controller writes this one last, so it replaces
			// the other.
			out = slices.DeleteFunc(out, func(had plan.Condition) bool { return had.Type == c.Type })
			out = append(out, c)
		}
	}
	if ref.Accepted == fact.True && slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool { return len(a.run.YieldsTo(a.policy, n)) > 0 }) {
		if c := a.said("yields"); c.Type != "" {
			out = append(out, c)
		}
	}
	if a.policy.Resolved.Type != "" {
		out = append(out, conditionOf(&a.policy.Resolved))
	}
	return out
}

// verdictWord is the key in an entry's status for the reason of a reference.
func verdictWord(reason string) string {
	return map[string]string{
		policy.Accepted: "accepted", policy.Conflicted: "loser", policy.TargetNotFound: "target", policy.Invalid: "invalid",
		policy.RefNotAllowed: "grant",
	}[reason]
}

// accepted is the verdict on a declared target. It uses the type and reason that the kind's
// controller writes, if the entry has them.
func (a *ancestry) accepted(ref *policy.Reference) plan.Condition {
	c := plan.Condition{
		Type: hierarchy.Accepted, Status: word(ref.Accepted), Reason: ref.Reason, Message: ref.Message,
		At: ref.Position(), Bad: ref.Accepted == fact.False,
	}
	if ref.Accepted == fact.Unknown {
		return c
	}
	if ref.Holds && a.policy.Broken != nil {
		c.At = a.policy.Broken.Position()
	}
	if said := a.said(verdictWord(ref.Reason)); said.Status == c.Status {
		c.Type, c.Reason = said.Type, said.Reason
	}
	return c
}

// along is the condition that a kind's controller writes together with its verdict, if the entry
// has one and its type is not present yet: "VERDICT; with TYPE=STATUS/REASON".
func (a *ancestry) along(ref *policy.Reference, there []plan.Condition) []plan.Condition {
	_, text, found := strings.Cut(a.policy.Kind.Status[verdictWord(ref.Reason)], "; with ")
	c := condition(text)
	if !found || c.Reason == "" || strings.ContainsAny(text, " ,") || slices.ContainsFunc(there, func(had plan.Condition) bool { return had.Type == c.Type }) {
		return nil
	}
	return []plan.Condition{c}
}

// attached is an additional condition of a kind. It is False with reason Pending if the policy
// is attached to nothing.
func (a *ancestry) attached(ref *policy.Reference) plan.Condition {
	c := a.said("attached")
	switch ref.Accepted {
	case fact.Unknown:
		c.Status, c.Reason, c.Message = "Unknown", ref.Reason, ref.Message
	case fact.False:
		c.Status, c.Reason, c.Message, c.Bad = "False", "Pending", ref.Message, true
	case fact.True:
	}
	return c
}

// above adds the Gateways above a target: the target itself or its parents.
func (a *ancestry) above(n *hierarchy.Node, conditions []plan.Condition) {
	own := a.graph.Dominant().Policies
	if own.DeclaredAncestors && (n.Level == hierarchy.LevelRoute || n.Level == hierarchy.LevelRule) {
		if up := a.routes.of(n); len(up) > 0 {
			a.add(targetReference(whole(n.Target)), up[0].ControllerName, conditions)
		}
		return
	}
	switch n.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		target := n.Target
		if own.ParentRefAncestors {
			target = whole(target)
		}
		a.add(targetReference(target), a.graph.Controller(hierarchy.GatewayOf(n)), conditions)
	case hierarchy.LevelRoute, hierarchy.LevelRule, hierarchy.LevelBackend, hierarchy.LevelPort:
		list := a.routes.of(n)
		secures := own.SectionAncestors && a.policy.Kind.Class() == catalogue.Direct
		if secures && (n.Level == hierarchy.LevelBackend || n.Level == hierarchy.LevelPort) {
			list = a.secured(n)
		}
		for _, up := range list {
			ref := up.AncestorRef
			if up.verbatim && secures {
				ref.Namespace = up.written
			}
			if own.BareGateways && a.policy.Kind.Class() == catalogue.Direct && ref.Kind == "Gateway" {
				ref.Namespace = ""
			}
			a.add(ref, up.ControllerName, conditions)
		}
	default:
		if !a.silent() {
			a.add(targetReference(n.Target), "", conditions)
		}
	}
}

// silent reports whether a policy without an ancestor has no status.
func (a *ancestry) silent() bool {
	own := a.graph.Dominant().Policies
	return own.AlwaysSilent || a.policy.Kind.Class() == catalogue.Direct && own.Silent
}

func (a *ancestry) add(ref plan.Reference, controllerName string, conditions []plan.Condition) {
	if a.policy.Kind.Controllers.Ignores(controllerName) {
		return // that controller does not handle the kind
	}
	a.touched++
	key := a.keyOf(ref)
	if i, ok := a.seen[key]; ok {
		// Conditions are a map by type. If one target is rejected, the ancestor has its conditions.
		if conditions[0].Bad {
			a.list[i].Conditions = missing(conditions, a.list[i].Conditions)
		} else {
			a.list[i].Conditions = missing(a.list[i].Conditions, conditions)
		}
		return
	}
	a.seen[key] = len(a.list)
	a.list = append(a.list, plan.Ancestor{AncestorRef: ref, ControllerName: controller(controllerName), Conditions: conditions})
}

// missing returns conditions with those of the others whose type is missing.
func missing(conditions, others []plan.Condition) []plan.Condition {
	out := slices.Clone(conditions)
	for _, c := range others {
		if !slices.ContainsFunc(out, func(had plan.Condition) bool { return had.Type == c.Type }) {
			out = append(out, c)
		}
	}
	return out
}

// keyOf is what identifies an ancestor. Envoy Gateway does not compare ports: the first of several
// parentRefs counts (internal/gatewayapi/status/policy.go, ancestorRefsEqual).
func (a *ancestry) keyOf(ref plan.Reference) plan.Reference {
	if a.graph.Dominant().Policies.SectionAncestors {
		ref.Port = 0
	}
	return ref
}

func targetReference(t hierarchy.Target) plan.Reference {
	return plan.Reference{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, SectionName: t.Section}
}

// layered adds the ancestors of a declared target of a kind with layers. A Gateway, ListenerSet
// or listener is its own ancestor; a route has its parentRefs. A target that is known not to
// exist has none.
func (a *ancestry) layered(ref *policy.Reference, l *layers) {
	conditions := a.conditions(ref)
	if ref.Holds && a.policy.Broken != nil && l.asksToMerge(ref) {
		// It is judged at each listener, by the result of the merge there.
		alone := *ref
		alone.Accepted, alone.Reason, alone.Message, alone.Holds = fact.True, policy.Accepted, "", false
		conditions = a.conditions(&alone)
	}
	if names := l.overriding(ref.Target); ref.Hangs() && len(names) > 0 {
		c := a.said("overridden")
		c.Message = "more specific policies override it at " + listed(names)
		conditions = append(conditions, c)
	}
	if names := l.merged[ref.Target].names(); ref.Hangs() && len(names) > 0 {
		c := a.said("merged")
		c.Message = "the policies of " + listed(names) + " are merged with it"
		conditions = append(conditions, c)
	}
	switch hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) {
	case hierarchy.LevelRoute:
		for _, p := range l.managed(ref.Target.ID) {
			at := parentRef(&p)
			at.Port = 0
			a.add(at, p.Controller, conditions)
		}
		for _, m := range l.merges(ref) {
			c := a.said("merged")
			c.Message = "it is merged with the policy of " + m.with.String()
			if m.refused != "" {
				c = a.said("invalid")
				c.Message, c.Bad, c.At = m.refused, true, ref.Position()
			}
			a.note(targetReference(m.listener), c)
		}
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet:
		gateway := a.graph.Node(l.gatewayOf(ref.Target), hierarchy.LevelGateway)
		if gateway != nil && gateway.Object != nil && a.graph.Object(ref.Target.ID) != nil && a.graph.Implementation(gateway).Policies.SectionAncestors {
			a.add(targetReference(ref.Target), a.graph.Controller(gateway), conditions)
		}
	default:
	}
	if ref.Accepted == fact.Unknown {
		a.add(targetReference(ref.Target), "", conditions)
	}
}

// said is a condition with the type, status and reason in the kind's entry, TYPE=STATUS/REASON.
func (a *ancestry) said(what string) plan.Condition { return condition(a.policy.Kind.Status[what]) }

// note adds a condition to an ancestor. It adds the ancestor if it is not in the list yet. Only a
// condition that reports a problem replaces one of its type.
func (a *ancestry) note(ref plan.Reference, c plan.Condition) {
	i, ok := a.seen[a.keyOf(ref)]
	if !ok {
		a.add(ref, "", []plan.Condition{c})
		return
	}
	had := slices.Clone(a.list[i].Conditions)
	at := slices.IndexFunc(had, func(had plan.Condition) bool { return had.Type == c.Type })
	switch {
	case at < 0:
		a.list[i].Conditions = append(had, c)
	case c.Bad:
		had[at] = c
		a.list[i].Conditions = had
	}
}
