package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
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
	named   *namedGateways
}

func newPolicyStates(r *effective.Run) *policyStates {
	return &policyStates{
		graph: r.Graph, run: r,
		gateways:  &gateways{graph: r.Graph, policies: r.Attached.Policies},
		routes:    &routeAncestors{graph: r.Graph, upward: map[*hierarchy.Node][]upward{}},
		referrers: &referrers{graph: r.Graph, attached: r.Attached},
		inForce: &inForce{
			run:    r,
			shares: map[*catalogue.Kind]map[*policy.Policy]effective.MergeShare{},
		},
		layered: map[*catalogue.Kind]*layers{},
		named:   &namedGateways{graph: r.Graph},
	}
}

// status is empty if no controller writes conditions for the policy's kind.
func (s *policyStates) status(p *policy.Policy) plan.Status {
	if p.Kind.Silent() {
		return plan.Status{}
	}
	list := slices.Clone(s.ancestors(p))
	if len(list) > maxAncestors && s.graph.Dominant().Policies.SectionAncestors {
		slices.SortStableFunc(list, func(a, b plan.Ancestor) int { return cmp.Compare(urgency(a), urgency(b)) })
	}
	return plan.Status{Ancestors: list[:min(len(list), maxAncestors)]}
}

// urgency orders ancestors where there are too many: first those that are not accepted, then those that are overridden (Envoy
// Gateway internal/gatewayapi/status/policy.go, sortRankForPolicyAncestor).
func urgency(a plan.Ancestor) int {
	has := func(kind, status string) bool {
		return slices.ContainsFunc(a.Conditions, func(c plan.Condition) bool { return c.Type == kind && c.Status == status })
	}
	switch {
	case has(hierarchy.Accepted, "False"):
		return 0
	case has("Overridden", "True"):
		return 1
	}
	return 2
}

// Ancestors returns all ancestors of a run's policies, including those beyond the limit of a
// status.
func Ancestors(r *effective.Run) func(*policy.Policy) []plan.Ancestor {
	return newPolicyStates(r).ancestors
}

func (s *policyStates) ancestors(p *policy.Policy) []plan.Ancestor {
	a := ancestry{
		policyStates: s, policy: p, words: wording{run: s.run, inForce: s.inForce, policy: p},
		list: ancestorList{kind: p.Kind, ignoresPort: s.graph.Dominant().Policies.SectionAncestors, seen: map[plan.Reference]int{}},
	}
	var layers *layers
	if s.graph.Dominant().Policies.SectionAncestors {
		layers = s.layersOf(p.Kind)
	}
	byGateway := s.graph.Dominant().Policies.GatewayAncestors && !p.Kind.Controllers.Ignores(s.graph.Dominant().Controllers[0])
	_, asWritten := s.graph.Dominant().Policies.Targets[p.Kind.Name()]
	switch {
	case asWritten:
		a.asWritten()
	case byGateway && a.securesByGateway():
		a.securedByGateway()
	case byGateway:
		a.byGateway()
	default:
		a.byTarget(layers)
	}
	return a.list.sorted()
}
