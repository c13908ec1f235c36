// Package settle holds what policy kinds make of their merged specs and no word
// of the catalogue says: one file for each kind, or for kinds that are alike,
// named after it. An entry names its function at merge.settle.
package settle

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Spec turns a merged spec into what a target gets of it, nil for nothing. Each
// leaf of the result has the source of the value that it stands for.
type Spec func(spec *merge.Tree, at Target) *merge.Tree

// Target is a target, with the root namespace of the kind's system, if it has one.
type Target struct {
	*hierarchy.Node
	Root string
}

// Fold merges the specs of a context itself, given from the least to the most
// specific, into what a target gets of them, nil for nothing. The strategy is the
// one that the kind's entry names between levels.
type Fold func(s merge.Strategy, steps []Step, at *hierarchy.Node) *merge.Tree

// Step is the spec of one policy of a context, with the target that it has there.
type Step struct {
	hierarchy.Target
	Level hierarchy.Level
	// Override says that the policy asks to win over more specific ones.
	Override bool
	Spec     *merge.Tree
}

// Settling is what a kind makes of its specs, in words, which follow "it comes
// to", and as one of the two functions.
type Settling struct {
	Says string
	Spec Spec
	Fold Fold
	// Fields are those of a spec that count at targets of a level, nil if all do.
	Fields func(hierarchy.Level) []string
	// Differs tells targets apart that may get something else, nil if all get the same.
	Differs func(at *hierarchy.Node) string
}

var settlings = map[string]Settling{
	"agentgateway-policy": {
		Says: "frontend at the listener, traffic at the rule, by phase, backend at the backend, where the route ranks above it",
		Fold: agentgatewayPolicy, Fields: agentgatewayFields,
		Differs: func(at *hierarchy.Node) string { return strings.Join(agentgatewayFields(at.Level), ",") },
	},
	"aws-target-group-configuration": {
		Says: "for each route the best item of routeConfigurations, over the default configuration",
		Spec: awsTargetGroupConfiguration, Differs: routeNames,
	},
	// Envoy Gateway internal/gatewayapi/backendtrafficpolicy.go, applyTrafficFeatureToRoute;
	// clienttrafficpolicy.go, translateClientTrafficPolicyForListener; securitypolicy.go,
	// translateSecurityPolicyForRoute.
	"envoy-gateway-backend-traffic": {
		Says: "at routes of TCP, TLS and UDP the settings that are not of HTTP",
		Spec: taking([]string{
			"circuitBreaker", "connection", "dns", "healthCheck", "loadBalancer", "proxyProtocol", "tcpKeepalive", "telemetry.metrics", "timeout.tcp",
		}, []string{"dns", "loadBalancer"}),
		Differs: trafficKind,
	},
	"envoy-gateway-client-traffic": {
		Says:    "at listeners of TCP and TLS the settings that are not of HTTP, at those of UDP none",
		Spec:    taking([]string{"connection", "enableProxyProtocol", "proxyProtocol", "tcpKeepalive", "timeout.tcp", "tls"}, nil),
		Differs: trafficKind,
	},
	"envoy-gateway-security": {
		Says:    "at routes of TCP and TLS the authorization alone",
		Spec:    taking([]string{"authorization"}, nil),
		Differs: trafficKind,
	},
	"istio-authorization-policy": {Says: "policies by action, in the order in which a proxy asks them: CUSTOM, AUDIT, DENY, ALLOW", Spec: istioAuthorizationPolicy},
	"istio-destination-rule": {
		Says: "the rules of the client's namespace, else of the host's, else of the root namespace, the most specific host alone; below `from` those of clients with rules of their own",
		Spec: istioDestinationRule, Differs: (*hierarchy.Node).Namespace,
	},
	"istio-envoy-filter":           {Says: "policies by priority, the lowest first", Spec: istioEnvoyFilter},
	"istio-peer-authentication":    {Says: "ports that are UNSET have the mode of the workload", Spec: istioPeerAuthentication},
	"istio-request-authentication": {Says: "rules by issuer", Spec: istioRequestAuthentication},
	"istio-telemetry":              {Says: "tracing by mode, access logs by mode and provider, metrics by provider, mode and metric", Spec: istioTelemetry, Differs: func(at *hierarchy.Node) string { return strings.Join(telemetryModes(at), ",") }},
	"istio-traffic-extension":      {Says: "policies by phase (AUTHN, AUTHZ, STATS, none), then by priority, the highest first", Spec: istioTrafficExtension, Differs: (*hierarchy.Node).Namespace},
	"kgateway-listener-policy":     {Says: "the settings of the listener's port, whole, else the default ones", Spec: kgatewayListenerPolicy, Differs: listenerPort},
}

// Words is the closed set of words, sorted.
func Words() []string { return slices.Sorted(maps.Keys(settlings)) }

// By is the settling of a word, the zero one for none.
func By(word string) Settling { return settlings[word] }

// lay merges what is picked of steps: the more specific wins, unless the less
// specific asks to.
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

// only is a spec with some fields alone, without the one without them; nil if
// there are none.
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

// sorted gives a keyed list in another order; items that compare alike keep
// theirs.
func sorted(list *merge.Tree, compare func(a, b *merge.Tree) int) *merge.Tree {
	out := *list
	out.Entries = slices.Clone(list.Entries)
	slices.SortStableFunc(out.Entries, func(a, b merge.Entry) int { return compare(a.Tree, b.Tree) })
	return &out
}

// foreign ranks the policies of other namespaces than the target's behind its
// own.
func foreign(t *merge.Tree, at Target) int {
	if t.Source == nil || t.Source.Object.ID.Namespace == at.Namespace() {
		return 0
	}
	return 1
}

// orNil is a spec from which something was taken, nil if nothing is left.
func orNil(t *merge.Tree) *merge.Tree {
	if t == nil || len(t.Entries) == 0 {
		return nil
	}
	return t
}

// text is the scalar at a path, "" if there is none.
func text(t *merge.Tree, path string) string {
	if t = t.At(path); t == nil || t.Value == nil {
		return ""
	}
	return t.Value.Text
}

// whole is a value as its source wrote it, with all that is in it.
func whole(v *loader.Value, source *merge.Source) *merge.Tree {
	return merge.New(v, source, merge.Form{})
}
