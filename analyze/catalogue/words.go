package catalogue

import (
	"slices"
	"strings"
)

// The closed sets of words in an entry of the catalogue.
type (
	// Direction says whether the more or the less specific value of a field wins.
	Direction string
	// Hops says which policies above a target meet the one on it.
	Hops string
	// Tie says which of several policies at one target comes first.
	Tie string
	// Scope says which namespaces the targets of a policy may be in.
	Scope string
	// Reach says which Namespaces a policy in the root namespace reaches.
	Reach string
	// Loosening is the change of a protecting field that takes protection away.
	Loosening string
	// RuleForm is the form of a list of authorisation rules, of which it can be proven that an edit matches more or fewer
	// requests.
	RuleForm string
)

// The directions. FromBody takes the direction from the body that a policy uses, FromMode from a field of the policy.
const (
	Defaults  Direction = "defaults"
	Overrides Direction = "overrides"
	FromBody  Direction = "from-body"
	FromMode  Direction = "from-mode"
)

// Hops. With ClosestHop one policy merges, the closest above the target. With NoHops levels do
// not meet. With ObjectHops nothing passes from one object to another, but the policies of the
// root, the Namespace and the object itself do meet.
const (
	AllHops    Hops = "all"
	ClosestHop Hops = "closest"
	NoHops     Hops = "nil"
	ObjectHops Hops = "object"
)

// Ties. With NewestTarget the older policy acts as the less specific one, Ordered policies
// follow the order of the kind, and of an Undefined tie no source says who wins.
const (
	Oldest       Tie = "oldest"
	NewestTarget Tie = "newest-target"
	Ordered      Tie = "ordered"
	Undefined    Tie = "undefined"
)

// Scopes. A reference to another namespace needs a ReferenceGrant in SameOrGranted (selectors
// only) and InField, none in AnyScope.
const (
	SameScope     Scope = "same"
	SameOrGranted Scope = "same+grant"
	InField       Scope = "field"
	AnyScope      Scope = "free"
	ClusterScope  Scope = "cluster"
)

// Reaches of a policy in the root namespace.
const (
	ReachAll  Reach = "all"
	ReachOwn  Reach = "own"
	ReachNone Reach = "none"
)

// Loosenings. Removed is a value that goes while the field around it stays, Gone one that goes
// in any way, Admits a list that admits more. Wider is a hostname or path that matches more; no
// policy has such a field, routes and listeners do.
const (
	Removed Loosening = "removed"
	Gone    Loosening = "gone"
	Added   Loosening = "added"
	Higher  Loosening = "higher"
	Lower   Loosening = "lower"
	Changed Loosening = "changed"
	Admits  Loosening = "admits"
	Wider   Loosening = "wider"
)

// Forms of rules: those of an AuthorizationPolicy of Istio that allows or denies, and those of Envoy Gateway's SecurityPolicy.
const (
	IstioAllow        RuleForm = "istio-allow"
	IstioDeny         RuleForm = "istio-deny"
	EnvoyGatewayRules RuleForm = "envoy-gateway"
)

// texts are words of a closed set as plain texts, the empty one first where it is allowed.
func texts[W ~string](empty bool, words ...W) []string {
	out := make([]string, 0, len(words)+1)
	if empty {
		out = append(out, "")
	}
	for _, w := range words {
		out = append(out, string(w))
	}
	return slices.Clip(out)
}

// The ranks of limits, and of what has no rank of its own.
const (
	WeightOfLimits = 4
	WeightOfOthers = 5
)

// Weight is the rank of a kind of protection in reports: who gets in comes first, then TLS, then what can be reached, then limits, then
// anything else.
func Weight(what string) int {
	for i, heavy := range [WeightOfOthers]string{"authentication", "authorisation", "tls", "exposure", WeightOfLimits: "limits"} {
		if what == heavy {
			return i
		}
	}
	return WeightOfOthers
}

// WeightAt is the rank of what a setting of a kind protects, by its dotted path; the kind may be nil.
func WeightAt(k *Kind, path string) int {
	least := Weight("")
	if k == nil {
		return least
	}
	for _, p := range k.Protects {
		if p.Path == path || strings.HasPrefix(p.Path, path+".") || strings.HasPrefix(path, p.Path+".") {
			least = min(least, Weight(p.What))
		}
	}
	return least
}
