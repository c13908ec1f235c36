package network_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
)

// TestRefusedPorts holds what Cilium refuses in an item of toPorts (pkg/policy/api/rule_validation.go).
func TestRefusedPorts(t *testing.T) {
	ports := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{port: "80"}, `, n), ", ") }
	for name, c := range map[string]struct{ direction, item, want string }{
		"DNS on ingress":                   {"ingress", `{ports: [{port: "53"}], rules: {dns: [{matchName: a.b}]}}`, "DNS are not allowed on ingress"},
		"DNS on egress":                    {"egress", `{ports: [{port: "53"}], rules: {dns: [{matchName: a.b}]}}`, ""},
		"DNS without a port":               {"egress", `{rules: {dns: [{matchName: a.b}]}}`, "DNS need a port"},
		"DNS for a range":                  {"egress", `{ports: [{port: "53", endPort: 54}], rules: {dns: [{matchName: a.b}]}}`, "ranges of ports"},
		"DNS for a range of one":           {"egress", `{ports: [{port: "53", endPort: 53}], rules: {dns: [{matchName: a.b}]}}`, ""},
		"DNS for a named port":             {"egress", `{ports: [{port: dns, endPort: 54}], rules: {dns: [{matchName: a.b}]}}`, ""},
		"names with requests":              {"ingress", `{ports: [{port: "80", protocol: TCP}], serverNames: [a.b], rules: {http: [{method: GET}]}}`, "serverNames are not allowed"},
		"names with terminated TLS":        {"ingress", `{ports: [{port: "80", protocol: TCP}], serverNames: [a.b], terminatingTLS: {secret: {name: s}}, rules: {http: [{method: GET}]}}`, ""},
		"forty ports":                      {"ingress", `{ports: [` + ports(40) + `]}`, ""},
		"more than forty ports":            {"ingress", `{ports: [` + ports(41) + `]}`, "41 ports"},
		"a listener on ingress":            {"ingress", `{ports: [{port: "80"}], listener: {name: l, envoyConfig: {name: e}}}`, "listener is not allowed on ingress"},
		"a listener on egress":             {"egress", `{ports: [{port: "80"}], listener: {name: l, envoyConfig: {name: e}}}`, ""},
		"a listener with requests":         {"egress", `{ports: [{port: "80", protocol: TCP}], listener: {name: l, envoyConfig: {name: e}}, rules: {http: [{method: GET}]}}`, "listener is not allowed with rules"},
		"l7 without its protocol":          {"ingress", `{ports: [{port: "80", protocol: TCP}], rules: {l7: [{a: b}]}}`, "l7 needs l7proto"},
		"l7 with its protocol":             {"ingress", `{ports: [{port: "80", protocol: TCP}], rules: {l7proto: r, l7: [{a: b}]}}`, ""},
		"requests over UDP":                {"ingress", `{ports: [{port: "80", protocol: UDP}], rules: {http: [{method: GET}]}}`, "need the protocol TCP .not UDP"},
		"an empty list over UDP":           {"ingress", `{ports: [{port: "80", protocol: UDP}], rules: {http: []}}`, "need the protocol TCP .not UDP"},
		"no rules over UDP":                {"ingress", `{ports: [{port: "80", protocol: UDP}], rules: {}}`, ""},
		"requests at the port 0":           {"ingress", `{ports: [{port: "0", protocol: TCP}], rules: {http: [{method: GET}]}}`, "port other than 0"},
		"several protocols":                {"ingress", `{ports: [{port: "80", protocol: TCP}], rules: {http: [{method: GET}], kafka: [{topic: t}]}}`, "of several protocols"},
		"an expression":                    {"ingress", `{ports: [{port: "80", protocol: TCP}], rules: {http: [{method: "GET|POST", path: "/a/.*"}]}}`, ""},
		"a path that is not an expression": {"ingress", `{ports: [{port: "80", protocol: TCP}], rules: {http: [{path: "/a(.*"}]}}`, `path "/a\(.\*" of a rule for requests is not a regular expression`},
	} {
		t.Run(name, func(t *testing.T) {
			side := sideOf(t, `{apiVersion: cilium.io/v2, kind: CiliumNetworkPolicy, metadata: {name: p, namespace: ns}, spec: {endpointSelector: {}, `+
				c.direction+`: [{toPorts: [`+c.item+`]}]}}`)
			got := ""
			for _, p := range network.Invalid(side) {
				got = p.Invalid
			}
			if c.want == "" && got != "" || c.want != "" && !regexp.MustCompile(c.want).MatchString(got) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
