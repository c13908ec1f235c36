// Package settle computes how policy kinds apply their merged specs, where a merge strategy of the
// catalogue cannot express it. Each kind, or group of similar kinds, has its own file. A catalogue
// entry names its function at merge.settle.
package settle

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Spec converts a merged spec into what applies to a target, or nil for nothing. Each leaf of the
// result keeps the source of its value.
type Spec func(spec *merge.Tree, at Target) *merge.Tree

// Target is a target node. Root is the root namespace of the kind's system, if it has one.
type Target struct {
	*hierarchy.Node
	Root string
}

// Fold merges the specs of a context into what applies to a target, or nil for nothing. The steps
// are ordered from the least to the most specific. The strategy is the one that the kind's
// catalogue entry defines between levels.
type Fold func(s merge.Strategy, steps []Step, at *hierarchy.Node) *merge.Tree

// Step is the spec of one policy of a context, with the target that the policy has in this context.
type Step struct {
	hierarchy.Target
	Level hierarchy.Level
	// Override means that the policy overrides more specific ones.
	Override bool
	Spec     *merge.Tree
}

// Settling defines how a kind applies its specs: Says describes it in words that follow "it comes
// to", and either Spec or Fold computes it.
type Settling struct {
	Says string
	Spec Spec
	Fold Fold
	// Sorts means that Spec sorts what policies of one target set, whatever the target, so that their order may not matter.
	Sorts bool
	// Fields returns the fields of a spec that apply at a level. It is nil if all fields apply.
	Fields func(hierarchy.Level) []string
	// Differs returns equal texts for targets with equal results. It is nil if all results are
	// equal.
	Differs func(at *hierarchy.Node) string
}

var settlings = map[string]Settling{
	"agentgateway-policy": {
		Says: "frontend settings at listeners; traffic settings at rules, separately for each phase; backend settings at backends, where policies on routes win over policies on the backend",
		Fold: agentgatewayPolicy, Fields: agentgatewayFields,
		Differs: func(at *hierarchy.Node) string { return strings.Join(agentgatewayFields(at.Level), ",") },
	},
	"apisix-http-route-policy": {
		Says: "the conditions of all policies, with their priority; nothing if their priorities differ",
		Fold: apisixHTTPRoutePolicy,
	},
	"aws-target-group-configuration": {
		Says: "for each route the best item of routeConfigurations, over the default configuration",
		Spec: awsTargetGroupConfiguration, Differs: routeNames,
	},
	// Envoy Gateway internal/gatewayapi/backendtrafficpolicy.go, applyTrafficFeatureToRoute;
	// clienttrafficpolicy.go, translateClientTrafficPolicyForListener; securitypolicy.go,
	// translateSecurityPolicyForRoute.
	"envoy-gateway-backend-traffic": {
		Says: "at routes of TCP, TLS and UDP the settings that are not of HTTP; compressors without the settings of their type do nothing",
		Spec: compressing(taking([]string{
			"circuitBreaker", "connection", "dns", "healthCheck", "loadBalancer", "proxyProtocol", "tcpKeepalive", "telemetry.metrics", "timeout.tcp",
		}, []string{"dns", "loadBalancer"})),
		Differs: trafficKind,
	},
	"envoy-gateway-client-traffic": {
		Says:    "at listeners of TCP and TLS the settings that are not of HTTP, at those of UDP none",
		Spec:    taking([]string{"connection", "enableProxyProtocol", "proxyProtocol", "tcpKeepalive", "timeout.tcp", "tls"}, nil),
		Differs: trafficKind,
	},
	"envoy-gateway-security": {
		Says:    "only authorization at TCP and TLS routes",
		Spec:    taking([]string{"authorization"}, nil),
		Differs: trafficKind,
	},
	"istio-authorization-policy": {
		Says: "policies by action, in the order in which a proxy asks them: CUSTOM, AUDIT, DENY, ALLOW; at ztunnel without what is of HTTP",
		Spec: istioAuthorizationPolicy,
		Differs: func(at *hierarchy.Node) string {
			if at.Ambient {
				return "ztunnel"
			}
			return ""
		},
	},
	"istio-destination-rule": {
		Says: "only the rules for the most specific host, from the client's namespace, else from the host's, else from the root namespace; `from` lists the clients that get different rules",
		Spec: istioDestinationRule, Differs: (*hierarchy.Node).Namespace,
	},
	"istio-envoy-filter":           {Says: "policies by priority, the lowest first", Spec: istioEnvoyFilter},
	"istio-peer-authentication":    {Says: "ports that are UNSET have the mode of the workload", Spec: istioPeerAuthentication},
	"istio-request-authentication": {Says: "rules by issuer", Spec: istioRequestAuthentication, Sorts: true},
	"istio-telemetry":              {Says: "tracing by mode, access logs by mode and provider, metrics by provider, mode and metric", Spec: istioTelemetry, Differs: func(at *hierarchy.Node) string { return strings.Join(telemetryModes(at), ",") }},
	"istio-traffic-extension":      {Says: "policies by phase (AUTHN, AUTHZ, STATS, none), then by priority, the highest first", Spec: istioTrafficExtension, Differs: (*hierarchy.Node).Namespace},
	"kgateway-listener-policy":     {Says: "the unmerged settings of the listener's port, or the default settings if there are none", Spec: kgatewayListenerPolicy, Differs: listenerPort},
}

// Words returns all words that merge.settle accepts, sorted.
func Words() []string { return slices.Sorted(maps.Keys(settlings)) }

// By returns the settling for a word, or the zero value.
func By(word string) Settling { return settlings[word] }

// lay merges the part of each step that pick returns. The more specific step wins, unless the less
// specific one has Override.
func lay(s merge.Strategy, steps []Step, pick func(Step) *merge.Tree) *merge.Tree {
	var out *merge.Tree
	for _, step := range slices.Backward(steps) {
		if spec := pick(step); step.Override {
			out = s.Merge(spec, out)
		} else {
			out = s.Merge(out, spec)
		}
	}
	return out
}

// only returns a spec with only the given fields, or nil if the spec has none of them.
func only(spec *merge.Tree, fields ...string) *merge.Tree {
	return filtered(spec, func(key string) bool { return slices.Contains(fields, key) })
}

func without(spec *merge.Tree, fields ...string) *merge.Tree {
	return filtered(spec, func(key string) bool { return !slices.Contains(fields, key) })
}

func filtered(spec *merge.Tree, keep func(string) bool) *merge.Tree {
	if spec == nil {
		return nil
	}
	out := *spec
	out.Entries = slices.DeleteFunc(slices.Clone(spec.Entries), func(e merge.Entry) bool { return !keep(e.Key) })
	return orNil(&out)
}

// sorted returns a copy of a keyed list in another order. Items that compare equal keep their
// order.
func sorted(list *merge.Tree, compare func(a, b *merge.Tree) int) *merge.Tree {
	out := *list
	out.Entries = slices.Clone(list.Entries)
	slices.SortStableFunc(out.Entries, func(a, b merge.Entry) int { return compare(a.Tree, b.Tree) })
	return &out
}

// foreign returns 1 for a policy of another namespace than the target's, so that it sorts last,
// else 0.
func foreign(t *merge.Tree, at Target) int {
	if t.Source == nil || t.Source.Object.ID.Namespace == at.Namespace() {
		return 0
	}
	return 1
}

// orNil returns nil for a spec without entries, and otherwise the spec.
func orNil(t *merge.Tree) *merge.Tree {
	if t == nil || len(t.Entries) == 0 {
		return nil
	}
	return t
}

// text returns the scalar at a path, or "" if there is none.
func text(t *merge.Tree, path string) string {
	if t = t.At(path); t == nil || t.Value == nil {
		return ""
	}
	return t.Value.Text
}

// whole returns the complete value as its source defines it.
func whole(v *loader.Value, source *merge.Source) *merge.Tree {
	return merge.New(v, source, merge.Form{})
}
