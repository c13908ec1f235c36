package hierarchy

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/internal/celsyntax"
	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// fault is what is wrong with a value.
type fault struct {
	at  *loader.Value
	why string
}

// judgeProxy returns the Accepted condition of a Gateway or a GatewayClass whose parameters its controller refuses, although their
// schema allows them, or nil (Envoy Gateway internal/gatewayapi/translator.go, GetRelevantGateways and validateEnvoyProxy). Of a
// Gateway's own parameters, those of its class are not judged, even if both are merged.
func judgeProxy(n *Node, proxy *loader.Object) *Condition {
	if proxy == nil || proxy.ID.Group != "gateway.envoyproxy.io" || proxy.ID.Kind != "EnvoyProxy" {
		return nil
	}
	wrong := wrongEnvoyProxy(proxy.Spec())
	if wrong == nil {
		return nil
	}
	c := n.condition(Accepted, fact.False, invalidParameters, proxy.ID.Spoken()+" is not valid: "+wrong.why, wrong.at)
	c.Owner, c.Involves = proxy, []loader.ID{proxy.ID}
	return &c
}

// wrongEnvoyProxy says what makes an EnvoyProxy not valid, or is nil (api/v1alpha1/validation/envoyproxy_validate.go,
// validateEnvoyProxySpec; internal/xds/bootstrap/validate.go, Validate). Of a bootstrap only what is left out is seen.
func wrongEnvoyProxy(spec *loader.Value) *fault {
	provider := spec.Get("provider")
	if provider.Str("type") == "Host" && provider.Get("host").IsNull() {
		return &fault{provider, "a provider of type Host needs the field host"}
	}
	for _, block := range provider.List("kubernetes", "envoyService", "loadBalancerSourceRanges") {
		if _, err := netip.ParsePrefix(block.Text); err != nil && !unreadable(block) {
			return &fault{block, fmt.Sprintf("%q in loadBalancerSourceRanges is not a block of addresses", block.Text)}
		}
	}
	if at := spec.Get("telemetry", "metrics", "clusterStatName"); at != nil && !unreadable(at) {
		if why := wrongStatName(at.Text); why != "" {
			return &fault{at, "clusterStatName: " + why}
		}
	}
	if at := circular(spec.List("filterOrder")); at != nil {
		return &fault{at, "filterOrder has a cycle"}
	}
	return wrongBootstrap(spec.Get("bootstrap"))
}

// operator matches what Envoy fills into the name of a statistic.
var operator = regexp.MustCompile(`%[^%]*%`)

// wrongStatName says why a text cannot be the name of a cluster's statistics, or is empty (ValidateClusterStatName).
func wrongStatName(text string) string {
	found := operator.FindAllString(text, -1)
	if len(found) == 0 && strings.Contains(text, "%") {
		return "a percent sign begins no operator"
	}
	for _, one := range found {
		if !slices.Contains([]string{"%ROUTE_NAME%", "%ROUTE_NAMESPACE%", "%ROUTE_KIND%", "%ROUTE_RULE_NAME%", "%ROUTE_RULE_NUMBER%", "%BACKEND_REFS%"}, one) {
			return "there is no operator " + one
		}
	}
	return ""
}

// mostPositions limits the positions of filters that are judged: Envoy Gateway has some thirty filters.
const mostPositions = 200

// circular returns the first position of a filter that the ones before it do not allow, or nil (validateFilterOrder).
func circular(order []*loader.Value) *loader.Value {
	after := map[string][]string{}
	var reaches func(from, to string, seen map[string]bool) bool
	reaches = func(from, to string, seen map[string]bool) bool {
		if from == to {
			return true
		}
		seen[from] = true
		return slices.ContainsFunc(after[from], func(next string) bool { return !seen[next] && reaches(next, to, seen) })
	}
	for _, position := range order[:min(len(order), mostPositions)] {
		first, last := position.Str("name"), position.Str("before")
		if last == "" {
			first, last = position.Str("after"), first
		}
		if first == "" || last == "" || opaque(first) || opaque(last) {
			continue
		}
		if reaches(last, first, map[string]bool{}) {
			return position
		}
		after[first] = append(after[first], last)
	}
	return nil
}

// wrongBootstrap says why a text is not a bootstrap, or is nil: one that replaces Envoy Gateway's own must keep how Envoy gets its
// configuration.
func wrongBootstrap(bootstrap *loader.Value) *fault {
	at := bootstrap.Get("value")
	if at == nil || unreadable(at) || bootstrap.Str("type") == "JSONPatch" {
		return nil
	}
	var value map[string]any
	if err := yamltext.Unmarshal([]byte(at.Text), &value); err != nil {
		return &fault{at, "its bootstrap is not a map of YAML"}
	}
	if bootstrap.Str("type") == "Merge" {
		return nil
	}
	resources, _ := value["static_resources"].(map[string]any)
	clusters, _ := resources["clusters"].([]any)
	named := slices.ContainsFunc(clusters, func(cluster any) bool {
		c, _ := cluster.(map[string]any)
		return c["name"] == "xds_cluster"
	})
	switch {
	case value["dynamicResources"] != nil || value["staticResources"] != nil: // these names are allowed, too
		return nil
	case value["dynamic_resources"] == nil:
		return &fault{at, "its bootstrap has no dynamic_resources"}
	case !named:
		return &fault{at, "its bootstrap has no cluster xds_cluster"}
	}
	return nil
}

// wrongMatch returns an expression of a setting of logs that is not one, or nil (internal/gatewayapi/listener.go, processAccessLog).
func wrongMatch(setting *loader.Value) *fault {
	for _, match := range setting.List("matches") {
		if unreadable(match) {
			continue
		}
		if why := celsyntax.Wrong(match.Text); why != "" {
			return &fault{match, fmt.Sprintf("%q is not an expression of CEL: %s", match.Text, why)}
		}
	}
	return nil
}
