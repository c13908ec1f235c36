package schema

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// vocabulary are the words that a field of a kind takes, by the CRD of the kind. They are for input without that CRD: a word that is
// almost one of them is a mistake, any other may be one of a newer release.
type vocabulary struct {
	group string
	kinds []string
	// paths are those of the field; * is each item of a list or each field of a map.
	paths []string
	words []string
	// pattern is for a field that takes any text of a form; says is what it demands.
	pattern *regexp.Regexp
	says    string
	// of names the API.
	of string
}

// The names of the APIs.
const (
	istio  = "the API of Istio"
	cilium = "the API of Cilium"
	calico = "the API of Calico"
	netpol = "the Network Policy API"
)

var (
	ciliumPolicies = []string{"CiliumNetworkPolicy", "CiliumClusterwideNetworkPolicy"}
	calicoPolicies = []string{"NetworkPolicy", "GlobalNetworkPolicy", "StagedNetworkPolicy", "StagedGlobalNetworkPolicy"}
)

var vocabularies = []vocabulary{
	// istio manifests/charts/base/files/crd-all.gen.yaml
	{group: "security.istio.io", kinds: []string{"AuthorizationPolicy"}, paths: []string{"spec.action"}, words: []string{"ALLOW", "DENY", "AUDIT", "CUSTOM"}, of: istio},
	{group: "security.istio.io", kinds: []string{"PeerAuthentication"}, paths: []string{"spec.mtls.mode", "spec.portLevelMtls.*.mode"}, words: []string{"UNSET", "DISABLE", "PERMISSIVE", "STRICT"}, of: istio},
	{
		group: "networking.istio.io", kinds: []string{"DestinationRule"},
		paths: []string{"spec.trafficPolicy.tls.mode", "spec.trafficPolicy.portLevelSettings.*.tls.mode", "spec.subsets.*.trafficPolicy.tls.mode"},
		words: []string{"DISABLE", "SIMPLE", "MUTUAL", "ISTIO_MUTUAL"}, of: istio,
	},
	// cilium pkg/policy/api/entity.go
	{
		group: "cilium.io", kinds: ciliumPolicies,
		paths: inRules("fromEntities.*", "ingress", "ingressDeny"),
		words: entities, of: cilium,
	},
	{
		group: "cilium.io", kinds: ciliumPolicies,
		paths: inRules("toEntities.*", "egress", "egressDeny"),
		words: entities, of: cilium,
	},
	// cilium pkg/policy/api/fqdn.go, FQDNSelector
	{
		group: "cilium.io", kinds: ciliumPolicies, paths: inRules("toFQDNs.*.matchName", "egress"),
		pattern: regexp.MustCompile(`^([-a-zA-Z0-9_]+[.]?)+$`), says: "must be a domain name; matchPattern takes stars", of: cilium,
	},
	// calico api/pkg/apis/projectcalico/v3
	{
		group: "projectcalico.org", kinds: calicoPolicies, paths: []string{"spec.ingress.*.action", "spec.egress.*.action"},
		words: []string{"Allow", "Deny", "Log", "Pass"}, of: calico,
	},
	{group: "projectcalico.org", kinds: calicoPolicies, paths: []string{"spec.types.*"}, words: []string{"Ingress", "Egress"}, of: calico},
	// network-policy-api apis/v1alpha1 and v1alpha2
	{
		group: "policy.networking.k8s.io", kinds: []string{"AdminNetworkPolicy", "BaselineAdminNetworkPolicy"}, paths: []string{"spec.ingress.*.action", "spec.egress.*.action"},
		words: []string{"Allow", "Deny", "Pass"}, of: netpol,
	},
	{
		group: "policy.networking.k8s.io", kinds: []string{"ClusterNetworkPolicy"}, paths: []string{"spec.ingress.*.action", "spec.egress.*.action"},
		words: []string{"Accept", "Deny", "Pass"}, of: netpol,
	},
	{group: "policy.networking.k8s.io", kinds: []string{"ClusterNetworkPolicy"}, paths: []string{"spec.tier"}, words: []string{"Admin", "Baseline"}, of: netpol},
	// envoyproxy/gateway api/v1alpha1/authorization_types.go
	{
		group: "gateway.envoyproxy.io", kinds: []string{"SecurityPolicy"}, paths: []string{"spec.authorization.defaultAction", "spec.authorization.rules.*.action"},
		words: []string{"Allow", "Deny"}, of: "the API of Envoy Gateway 1.9",
	},
	// agentgateway controller/api/v1alpha1/agentgateway
	{
		group: "agentgateway.dev", kinds: []string{"AgentgatewayPolicy"}, paths: []string{"spec.traffic.jwtAuthentication.mode"},
		words: []string{"Strict", "Optional", "Permissive"}, of: "the API of agentgateway",
	},
	// linkerd2 policy-controller/k8s/api/src/policy/server.rs
	{
		group: "policy.linkerd.io", kinds: []string{"Server"}, paths: []string{"spec.proxyProtocol"},
		words: []string{"unknown", "HTTP/1", "HTTP/2", "gRPC", "opaque", "TLS"}, of: "the API of Linkerd",
	},
}

var entities = []string{
	"all", "world", "world-ipv4", "world-ipv6", "cluster", "host", "init", "ingress", "unmanaged", "remote-node", "health", "none", "kube-apiserver",
}

// inRules are the paths of a field in lists of rules of Cilium, where one policy may have several specs.
func inRules(field string, lists ...string) []string {
	var out []string
	for _, list := range lists {
		out = append(out, "spec."+list+".*."+field, "specs.*."+list+".*."+field)
	}
	return out
}

// misspelt returns the values of an object that are almost a word of its kind's API, and the name of that API.
func misspelt(group, kind string, root *loader.Value) (wrong []Violation, by string) {
	for i := range vocabularies {
		v := &vocabularies[i]
		if v.group != group || !slices.Contains(v.kinds, kind) {
			continue
		}
		for _, path := range v.paths {
			eachAt(root, strings.Split(path, "."), "", func(at *loader.Value, path string) {
				if message := v.wrong(at); message != "" && len(wrong) < maxViolations {
					wrong, by = append(wrong, Violation{At: at, Path: path, Message: message}), v.of
				}
			})
		}
	}
	if v := vocabularyFor(group, kind); v != nil && len(wrong) == 0 {
		return v.wrong(root), apiOf(group)
	}
	return wrong, by
}

// wrong says what is wrong with a value, or is empty.
func (v *vocabulary) wrong(at *loader.Value) string {
	switch {
	case at.Shape != loader.String || at.Opaque || at.Text == "" || strings.ContainsAny(at.Text, "${}") || slices.Contains(v.words, at.Text):
		return ""
	case v.pattern != nil && !v.pattern.MatchString(at.Text):
		return v.says
	case v.pattern != nil:
		return ""
	case len(v.words) == 0:
		return v.says // a text, which is neither a number nor a boolean
	}
	for _, word := range v.words {
		if almost(strings.ToLower(at.Text), strings.ToLower(word)) {
			return "must be one of " + strings.Join(v.words, ", ")
		}
	}
	return ""
}

// almost reports whether a word is another one in other letters, with up to two of them wrong, in another form, such as Denied for Deny,
// or without its end.
func almost(word, other string) bool {
	switch {
	case word == other:
		return true
	case len(other) <= 3 || strings.ContainsAny(other, "0123456789"):
		return false
	case len(word) > 3 && strings.HasPrefix(other, word):
		return true
	}
	return alikeInLength(word, other, 2) && (spelling.Distance(word, other) <= 2 || strings.HasPrefix(word, other[:len(other)-1]))
}

// alikeInLength reports whether the lengths of two texts differ by no more than that. It keeps long texts from being compared.
func alikeInLength(a, b string, most int) bool {
	return max(len(a), len(b))-min(len(a), len(b)) <= most
}

// eachAt visits the values at a path, with their own paths.
func eachAt(v *loader.Value, path []string, own string, visit func(*loader.Value, string)) {
	switch {
	case v == nil:
	case len(path) == 0:
		visit(v, own)
	case path[0] == "*":
		for _, f := range v.FieldList() {
			eachAt(f.Value, path[1:], own+"."+f.Key, visit)
		}
		for i, item := range v.ItemList() {
			eachAt(item, path[1:], own+"["+strconv.Itoa(i)+"]", visit)
		}
	default:
		eachAt(v.Get(path[0]), path[1:], strings.TrimPrefix(own+"."+path[0], "."), visit)
	}
}
