package network

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// Action is what a rule does with a connection.
type Action uint8

// The actions. Pass leaves the connection to the next tier.
const (
	Allow Action = iota
	Deny
	Pass
)

// String returns the action in lower case.
func (a Action) String() string { return [...]string{"allow", "deny", "pass"}[a] }

// Direction is the direction of a connection as seen from the pods that a policy selects.
type Direction uint8

// The directions.
const (
	Ingress Direction = iota
	Egress
)

// directions are both of them.
var directions = []Direction{Ingress, Egress}

// String returns the direction in lower case.
func (d Direction) String() string { return [...]string{"ingress", "egress"}[d] }

// Tier is a stage of the decision. Tiers are asked in the order of their ranks, whose scale is that of
// the `order` of Calico's tiers (libcalico-go, api/pkg/apis/projectcalico/v3/tier.go).
type Tier struct {
	Rank float64
	Name string
}

// adminTier is the tier of AdminNetworkPolicies.
func adminTier() Tier { return Tier{1_000, "admin"} }

// policyTier is the tier of NetworkPolicies, which Cilium's policies and the default tier of Calico share.
func policyTier() Tier { return Tier{1_000_000, "NetworkPolicy"} }

// baselineTier is the tier of BaselineAdminNetworkPolicies.
func baselineTier() Tier { return Tier{10_000_000, "baseline"} }

// sortName decides between tiers of the same rank: the one of NetworkPolicies is Calico's default.
func (t Tier) sortName() string {
	if t == policyTier() {
		return "default"
	}
	return t.Name
}

// Policy is an object that allows or denies connections of the pods that it selects.
type Policy struct {
	Object *loader.Object
	Tier   Tier
	// Order decides which policies of a tier are asked first, then Tie. Which of those with the same is
	// asked first is not known.
	Order float64
	Tie   string
	// Subjects are the pods it selects: those of any of these.
	Subjects []Peer
	// Isolates means, for each direction, that what no rule of the tier decides is denied.
	Isolates [2]bool
	// Rules are in the order in which they are asked.
	Rules [2][]Rule
	// Invalid says why the policy has no effect; empty if it has.
	Invalid string
	// refers are the objects that the policy takes something from, such as sets of addresses.
	refers []loader.ID
}

// Rule decides about some connections of a policy.
type Rule struct {
	Action Action
	// Name is the one that the rule has, or its path in the spec: ingress[0]. It is empty for what no rule takes.
	Name string
	At   *loader.Value
	// Peers are the other ends; nil means any.
	Peers []Peer
	// Near narrows which of the pods that the policy selects the rule is for; nil means all.
	Near Peer
	// Ports are those of the destination; nil means all.
	Ports        []PortMatch
	servicePorts []PortMatch
	// Only says what else an allowed connection must do, such as a list of HTTP paths.
	Only string
	// every means that all connections do what Only says: a filter that lets every request through.
	every bool
	// Doubt says why it is not known which connections the rule decides about; empty if it is.
	Doubt string
}

// Priority is the text by which policies of one tier are ordered, "" for kinds without one.
func (p *Policy) Priority() string {
	for _, field := range []string{"priority", "order"} {
		if v := p.Object.Spec().Get(field); !v.IsNull() {
			return v.Text
		}
	}
	return ""
}

// Position is the first line of the policy.
func (p *Policy) Position() loader.Position { return p.Object.First() }

// PeersText says who the other ends of a rule are.
func (r *Rule) PeersText() string {
	if r.Peers == nil {
		return Anything
	}
	if len(r.Peers) == 0 {
		return "nothing"
	}
	out := make([]string, len(r.Peers))
	for i, p := range r.Peers {
		out[i] = cmp.Or(p.String(), Anything)
	}
	return strings.Join(out, ", ")
}

// filters reports whether the rule is about some requests alone.
func (r *Rule) filters() bool { return r.Only != "" && !r.every }

// PortsText says which ports a rule is about.
func (r *Rule) PortsText() string {
	if r.Ports == nil {
		return "every port"
	}
	out := make([]string, len(r.Ports))
	for i, p := range r.Ports {
		if out[i] = p.String(); p.Name != "" {
			out[i] = p.Name + "/" + p.Protocol.String()
		}
	}
	return strings.Join(out, ", ")
}

// comparePolicies orders policies as they are asked.
func comparePolicies(a, b *Policy) int {
	return cmp.Or(cmp.Compare(a.Tier.Rank, b.Tier.Rank), cmp.Compare(a.Tier.sortName(), b.Tier.sortName()), cmp.Compare(a.Order, b.Order), cmp.Compare(a.Tie, b.Tie), a.Object.ID.Compare(b.Object.ID))
}

// abreast reports whether it is not known which of two policies is asked first.
func abreast(a, b *Policy) bool { return a.Tier == b.Tier && a.Order == b.Order && a.Tie == b.Tie }

// source is what the readers of kinds read.
type source struct {
	objects map[loader.ID]*loader.Object
	sorted  []*loader.Object
	// services are the Services of the environment, endpoints the objects that give them addresses, accounts its
	// ServiceAccounts.
	services, endpoints, accounts []*loader.Object
	// namespaces knows the labels of namespaces.
	namespaces Namespaces
	// complete means that there are no other objects.
	complete bool
}

// cilium reports whether the environment has policies of Cilium. Blocks of addresses never apply to pods
// there.
func (s *source) cilium() bool {
	return slices.ContainsFunc(s.sorted, func(o *loader.Object) bool { return o.ID.Group == ciliumGroup })
}

// Kind is a kind of network policy, or of objects that these refer to.
type Kind struct {
	Group, Name string
	// ClusterScoped means that its objects have no namespace.
	ClusterScoped bool
	// Decides says how its policies decide, or what policies take from its objects, Source where that was read,
	// NotFollowed what is not computed.
	Decides, Source string
	NotFollowed     []string

	read func(*loader.Object, *source) []*Policy
}

// String returns KIND.GROUP.
func (k *Kind) String() string { return k.Name + "." + k.Group }

// byName indexes the kinds by group and kind.
var byName = sync.OnceValue(func() map[loader.ID]*Kind {
	out := map[loader.ID]*Kind{}
	for _, k := range slices.Concat(kubernetesKinds(), policyAPIKinds(), ciliumKinds(), calicoKinds()) {
		out[loader.ID{Group: k.Group, Kind: k.Name}] = &k
	}
	return out
})

// IsPolicy reports whether objects of the kind are network policies, and not something that these refer to.
func (k *Kind) IsPolicy() bool { return k.read != nil }

// Explained lists the kinds of network policies and those that they refer to.
func Explained() []*Kind {
	out := slices.Collect(maps.Values(byName()))
	slices.SortFunc(out, func(a, b *Kind) int { return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name)) })
	return out
}

// Selects reports whether a kind selects workloads to decide about their connections, or belongs to
// kinds that do. clusterScoped says whether its objects have no namespace.
func Selects(group, name string) (yes, clusterScoped bool) {
	k := byName()[loader.ID{Group: group, Kind: name}]
	return k != nil, k != nil && k.ClusterScoped
}

// IsPolicy reports whether an object is a network policy.
func IsPolicy(id loader.ID) bool {
	k := byName()[loader.ID{Group: id.Group, Kind: id.Kind}]
	return k != nil && k.read != nil
}

// policiesOf reads the policies among some objects, in the order in which they are asked.
func policiesOf(side Side) []*Policy {
	s := &source{objects: map[loader.ID]*loader.Object{}, sorted: side.Objects, services: side.Services, endpoints: side.Endpoints, accounts: side.Accounts, namespaces: side.Namespaces, complete: side.Complete}
	for _, o := range side.Objects {
		s.objects[o.ID] = o
	}
	var out []*Policy
	for _, o := range side.Objects {
		if IsPolicy(o.ID) {
			for _, p := range byName()[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}].read(o, s) {
				p.unfilled()
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, comparePolicies)
	return out
}

// unfilled notes which rules are not decided because a text of the policy is filled in when it is applied: one of their
// own, or one of what says which pods the policy selects.
func (p *Policy) unfilled() {
	spec := p.Object.Spec()
	if !unfilled(spec) {
		return
	}
	own := false
	for _, d := range directions {
		own = own || slices.ContainsFunc(p.Rules[d], func(r Rule) bool { return unfilled(r.At) })
	}
	for _, d := range directions {
		for i := range p.Rules[d] {
			r := &p.Rules[d][i]
			switch {
			case r.Doubt != "":
			case unfilled(r.At):
				r.Doubt = "a text of it is filled in when it is applied"
			case !own:
				r.Doubt = "which pods the policy selects is filled in when it is applied" + undecided(spec)
			}
		}
	}
}

// unfilled reports whether a value has a text with a placeholder.
func unfilled(v *loader.Value) bool {
	return v != nil && (v.Shape == loader.String && (v.Opaque || loader.Placeholder(v.Text)) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return unfilled(f.Value) }) || slices.ContainsFunc(v.Items, unfilled))
}

// Invalid returns the policies with an error.
func Invalid(s Side) []*Policy {
	return slices.DeleteFunc(policiesOf(s), func(p *Policy) bool { return p.Invalid == "" })
}
