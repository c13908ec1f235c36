package effective_test

import (
	"fmt"
	"strings"
	"testing"
)

// traffic writes a BackendTrafficPolicy of Envoy Gateway.
func traffic(name, target, body string) string {
	text := acme(name, target, body)
	return strings.NewReplacer("acme.io/v1,", "gateway.envoyproxy.io/v1alpha1,", "AcmePolicy", "BackendTrafficPolicy").Replace(text)
}

const btp = "BackendTrafficPolicy"

// mergeType is the more specific policy's: unset replaces whole.
func TestEnvoyGatewayLowerDictates(t *testing.T) {
	// The API server gives the child's retry its numRetries of 2, which beats the parent's.
	parent := "retry: {numRetries: 5, perRetry: {timeout: 1s}, retryOn: {httpStatusCodes: [500]}}, compressor: [{type: Gzip, gzip: {}}]"
	child := "retry: {retryOn: {httpStatusCodes: [503]}}, compressor: [{type: Brotli, brotli: {}}]"
	for mergeType, want := range map[string]string{
		"": `{"compressor":[{"brotli":{},"type":"Brotli"}],"retry":{"retryOn":{"httpStatusCodes":[503]}}}`,
		"JSONMerge": `{"compressor":[{"brotli":{},"type":"Brotli"}],` +
			`"retry":{"numRetries":2,"perRetry":{"timeout":"1s"},"retryOn":{"httpStatusCodes":[503]}}}`,
		"StrategicMerge": `{"compressor":[{"brotli":{},"type":"Brotli"},{"gzip":{},"type":"Gzip"}],` +
			`"retry":{"numRetries":2,"perRetry":{"timeout":"1s"},"retryOn":{"httpStatusCodes":[503]}}}`,
	} {
		body := child
		if mergeType != "" {
			body += ", mergeType: " + mergeType
		}
		s := stage(t, "", one, traffic("p", "Gateway g", parent), traffic("c", "HTTPRoute r", body))
		s.check(expect{name: "mergeType " + mergeType, got: s.spec(btp, "g > r#only"), want: want})
		// A parent's mergeType says nothing: policies on Gateways cannot choose.
		s = stage(t, "", one, traffic("p", "Gateway g", parent+", mergeType: StrategicMerge"), traffic("c", "HTTPRoute r", child))
		s.check(expect{name: "mergeType of the parent", got: s.spec(btp, "g > r#only"), want: `{"compressor":[{"brotli":{},"type":"Brotli"}],"retry":{"retryOn":{"httpStatusCodes":[503]}}}`})
	}
}

// One hop: a route's policy is merged with the closest policy above it alone,
// and a rule's never with its route's.
func TestEnvoyGatewayHops(t *testing.T) {
	gateway, listener := traffic("g", "Gateway g", "g: 1"), traffic("l", "Gateway g, sectionName: http", "l: 1")
	route, rule := traffic("r", "HTTPRoute r", "r: 1, mergeType: JSONMerge"), traffic("rule", "HTTPRoute r, sectionName: bar", "rule: 1, mergeType: JSONMerge")
	plainRule := traffic("rule", "HTTPRoute r, sectionName: bar", "rule: 1")
	for name, tt := range map[string]struct {
		policies   []string
		http, tlsd string
	}{
		"route over listener, or else Gateway": {[]string{gateway, listener, route}, `{"l":1,"r":1}`, `{"g":1,"r":1}`},
		"rule over listener, or else Gateway":  {[]string{gateway, listener, route, rule}, `{"l":1,"rule":1}`, `{"g":1,"rule":1}`},
		"rule over Gateway, not its route":     {[]string{gateway, route, rule}, `{"g":1,"rule":1}`, `{"g":1,"rule":1}`},
		"rule over nothing but its route":      {[]string{route, rule}, `{"rule":1}`, `{"rule":1}`},
		"rule without mergeType":               {[]string{gateway, listener, route, plainRule}, `{"rule":1}`, `{"rule":1}`},
		"listener over Gateway":                {[]string{gateway, listener}, `{"l":1}`, `{"g":1}`},
	} {
		s := stage(t, "", append(tt.policies, two)...)
		s.check(
			expect{name: name + ", http", got: s.spec(btp, "g#http > r#bar"), want: tt.http},
			expect{name: name + ", https", got: s.spec(btp, "g#https > r#bar"), want: tt.tlsd},
		)
	}
}

const listenerSet = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c,
  allowedListeners: {namespaces: {from: Same}}, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set}, spec: {parentRef: {name: g},
  listeners: [{name: one, port: 81, protocol: HTTP}, {name: two, port: 82, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r},
 spec: {parentRefs: [{kind: ListenerSet, name: set}], rules: [{name: only}]}}
`

// A ListenerSet's listener falls to its ListenerSet, then to the Gateway, never
// to a listener of the Gateway.
func TestEnvoyGatewayListenerSet(t *testing.T) {
	gateway := traffic("g", "Gateway g", "from: Gateway")
	http := traffic("http", "Gateway g, sectionName: http", "from: listener of the Gateway")
	set := traffic("set", "ListenerSet set", "from: ListenerSet")
	own := traffic("one", "ListenerSet set, sectionName: one", "from: its listener")
	for name, tt := range map[string]struct {
		policies []string
		one, two string
	}{
		"all":                    {[]string{gateway, http, set, own}, "its listener", "ListenerSet"},
		"ListenerSet and above":  {[]string{gateway, http, set}, "ListenerSet", "ListenerSet"},
		"Gateway and listener":   {[]string{gateway, http}, "Gateway", "Gateway"},
		"the Gateway's listener": {[]string{http}, "", ""},
	} {
		s := stage(t, "", append(tt.policies, listenerSet)...)
		for section, want := range map[string]string{"one": tt.one, "two": tt.two} {
			if want != "" {
				want = fmt.Sprintf(`{"from":%q}`, want)
			}
			s.check(expect{name: name + ", " + section, got: s.spec(btp, "g > set > set#"+section+" > r#only"), want: want})
		}
	}
}

// Keyed lists in a StrategicMerge: the route's items keep their order, an item
// of the parent goes before a shared one only where it does so in the parent.
func TestEnvoyGatewayKeyedListOrder(t *testing.T) {
	for _, tt := range []struct{ parent, child, want string }{
		{"[A, B, C]", "[B, M]", "[A B M C]"},
		{"[S, P]", "[S, R]", "[S R P]"},
		{"[P]", "[R]", "[R P]"},
		{"[A, B]", "[B, A]", "[B A]"},
		{"[A, B]", "[]", "[A B]"},
	} {
		items := func(list, from string) string {
			var out []string
			for _, key := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("[], ", r) }) {
				out = append(out, fmt.Sprintf("{type: %s, from: %s}", key, from))
			}
			return "compressor: [" + strings.Join(out, ", ") + "]"
		}
		s := stage(t, "", one, traffic("p", "Gateway g", items(tt.parent, "parent")),
			traffic("c", "HTTPRoute r", items(tt.child, "child")+", mergeType: StrategicMerge"))
		var got []string
		for _, e := range s.policy(btp, "g > r#only").Spec.At("compressor").Entries {
			got = append(got, e.Key)
			from := "parent"
			if strings.Contains(tt.child, e.Key) {
				from = "child"
			}
			s.check(expect{name: e.Key + " of " + tt.child, got: e.Tree.At("from").Value.Text, want: from})
		}
		s.check(expect{name: tt.parent + " + " + tt.child, got: fmt.Sprint(got), want: tt.want})
	}
}

// A compressor without the settings of its type compresses nothing, and the older field is not
// looked at beside it (backendtrafficpolicy.go, buildCompression).
func TestEnvoyGatewayCompressors(t *testing.T) {
	for spec, want := range map[string]string{
		"compressor: [{type: Zstd, zstd: {}}, {type: Gzip}], compression: [{type: Brotli}]": `{"compressor":[{"type":"Zstd","zstd":{}}]}`,
		"compressor: [{type: Gzip, brotli: {}}]":                                            `{}`,
		"compression: [{type: Gzip}]":                                                       `{"compression":[{"type":"Gzip"}]}`,
	} {
		s := stage(t, "", one, traffic("p", "Gateway g", spec))
		s.check(expect{name: spec, got: s.spec(btp, "g > r#only"), want: want})
	}
}

// Rate limit rules of both policies count, each of its own policy, but for the
// default bucket of local ones: of that there is one, the route's.
func TestEnvoyGatewayRulesAddUp(t *testing.T) {
	rules := func(n int) string {
		return fmt.Sprintf("rateLimit: {global: {rules: [{limit: {requests: %d, unit: Second}}]}}", n)
	}
	for mergeType, want := range map[string]string{
		"StrategicMerge": `[{"limit":{"requests":1,"unit":"Second"}},{"limit":{"requests":5,"unit":"Second"}}]`,
		"JSONMerge":      `[{"limit":{"requests":1,"unit":"Second"}}]`,
	} {
		s := stage(t, "", one, traffic("p", "Gateway g", rules(5)), traffic("c", "HTTPRoute r", rules(1)+", mergeType: "+mergeType))
		s.check(expect{name: mergeType, got: s.spec(btp, "g > r#only"), want: `{"rateLimit":{"global":{"rules":` + want + `}}}`})
	}
	local := func(rules ...string) string {
		return "rateLimit: {local: {rules: [" + strings.Join(rules, ", ") + "]}}"
	}
	const bucket, selected = "{limit: {requests: 5, unit: Second}}", "{clientSelectors: [{headers: [{name: a}]}], limit: {requests: 6, unit: Second}}"
	const jsonSelected = `{"clientSelectors":[{"headers":[{"name":"a"}]}],"limit":{"requests":6,"unit":"Second"}}`
	for mergeType, want := range map[string]string{
		"StrategicMerge": `[{"limit":{"requests":1,"unit":"Second"}},` + jsonSelected + `]`,
		"JSONMerge":      `[{"limit":{"requests":1,"unit":"Second"}},` + jsonSelected + `]`,
	} {
		s := stage(t, "", one, traffic("p", "Gateway g", local(bucket, selected)),
			traffic("c", "HTTPRoute r", local("{limit: {requests: 1, unit: Second}}")+", mergeType: "+mergeType))
		s.check(expect{name: "the bucket, " + mergeType, got: s.spec(btp, "g > r#only"), want: `{"rateLimit":{"local":{"rules":` + want + `}}}`})
	}
}

// routingType goes on to the Gateway's where a listener's policy does not set it;
// a route's that does not choose to be merged ends that (policyindex.go).
func TestEnvoyGatewayRoutingType(t *testing.T) {
	gateway, listener := traffic("g", "Gateway g", "routingType: Service, g: 1"), traffic("l", "Gateway g, sectionName: http", "l: 1")
	for name, tt := range map[string]struct {
		policies []string
		want     string
	}{
		"the listener's does not set it": {[]string{gateway, listener}, `{"l":1,"routingType":"Service"}`},
		"the listener's does":            {[]string{gateway, traffic("l", "Gateway g, sectionName: http", "routingType: Endpoint")}, `{"routingType":"Endpoint"}`},
		"a route's that is not merged":   {[]string{gateway, listener, traffic("r", "HTTPRoute r", "r: 1")}, `{"r":1}`},
		"a route's that is merged":       {[]string{gateway, listener, traffic("r", "HTTPRoute r", "r: 1, mergeType: JSONMerge")}, `{"l":1,"r":1,"routingType":"Service"}`},
		"a merged route's with its own":  {[]string{gateway, listener, traffic("r", "HTTPRoute r", "routingType: Endpoint, mergeType: JSONMerge")}, `{"l":1,"routingType":"Endpoint"}`},
		"not from the rule's own route":  {[]string{traffic("r", "HTTPRoute r", "routingType: Service"), traffic("rule", "HTTPRoute r, sectionName: bar", "x: 1, mergeType: JSONMerge")}, `{"x":1}`},
	} {
		s := stage(t, "", append(tt.policies, two)...)
		s.check(expect{name: name, got: s.spec(btp, "g#http > r#bar"), want: tt.want})
	}
}

// A policy that says nothing still takes the place of the one above it, unless it
// chooses to be merged.
func TestEnvoyGatewayEmptyPolicy(t *testing.T) {
	gateway := traffic("g", "Gateway g", "retry: {numRetries: 3}")
	bare := strings.Replace(traffic("c", "HTTPRoute r", "X"), ", X}", "}", 1)
	s := stage(t, "", one, gateway, bare)
	s.check(expect{name: "empty", got: s.spec(btp, "g > r#only"), want: "{}"}, expect{name: "the Gateway's", got: string(s.verdict(btp, "g").Enforcement), want: "overridden"})
	s = stage(t, "", one, gateway, traffic("c", "HTTPRoute r", "mergeType: JSONMerge"))
	s.check(expect{name: "empty and merged", got: s.spec(btp, "g > r#only"), want: `{"retry":{"numRetries":3}}`})
}

// Two policies on one target: the older wins, the other is rejected.
func TestEnvoyGatewayConflict(t *testing.T) {
	s := stage(t, "", one, dated(traffic("z", "HTTPRoute r", "from: old"), early), dated(traffic("a", "HTTPRoute r", "from: new"), late))
	v := s.verdict(btp, "a")
	s.check(
		expect{name: "r", got: s.spec(btp, "g > r#only"), want: `{"from":"old"}`},
		expect{name: "a", got: v.Accepted + " " + v.Reason, want: "false Conflicted"},
	)
}
