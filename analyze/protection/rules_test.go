package protection_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Rules are compared by what they match, in any order: more of what allows and less of what denies lets more in. What is not
// proven stays an edit. Istio: AuthorizationPolicy, Rule; Envoy Gateway: api/v1alpha1/authorization_types.go.
func TestRules(t *testing.T) {
	const (
		a     = "{from: [{source: {principals: [cluster.local/ns/a/sa/a]}}]}"
		ns    = "{from: [{source: {principals: ['cluster.local/ns/a/*']}}]}"
		get   = "{to: [{operation: {methods: [GET]}}]}"
		admin = "{to: [{operation: {methods: [GET], paths: [/admin/users]}}]}"
		not   = "{to: [{operation: {notPaths: [/admin*]}}]}"
		less  = "{to: [{operation: {notPaths: [/admin/*]}}]}"
		when  = "{to: [{operation: {methods: [GET]}}], when: [{key: 'request.auth.claims[iss]', values: [x]}]}"
		free  = "{}"
	)
	istio := func(rules string) string { return "{p: {rules: [" + rules + "]}}" }
	office := func(action, cidr string) string {
		return "{action: " + action + ", principal: {clientCIDRs: [" + cidr + "]}}"
	}
	eg := func(byDefault, rules string) string {
		return "{authorization: {defaultAction: " + byDefault + ", rules: [" + rules + "]}}"
	}
	for _, tt := range []struct {
		name          string
		form          catalogue.RuleForm
		before, after string
		want          string
	}{
		{"another order", catalogue.IstioAllow, istio(a + ", " + get), istio(get + ", " + a), ""},
		{"one more", catalogue.IstioAllow, istio(a), istio(a + ", " + get), "let in"},
		{"one less", catalogue.IstioAllow, istio(a + ", " + get), istio(get), "tightened"},
		{"a pattern around it", catalogue.IstioAllow, istio(a), istio(ns), "let in"},
		{"inside a pattern", catalogue.IstioAllow, istio(ns), istio(a), "tightened"},
		{"another condition", catalogue.IstioAllow, istio(get), istio(admin), "tightened"},
		{"a condition less", catalogue.IstioAllow, istio(when), istio(get), "let in"},
		{"an exception that is smaller", catalogue.IstioAllow, istio(not), istio(less), "let in"},
		{"an exception that is larger", catalogue.IstioAllow, istio(less), istio(not), "tightened"},
		{"everybody", catalogue.IstioAllow, istio(a), istio(a + ", " + free), "lowered"},
		{"every identity", catalogue.IstioAllow, istio(a), istio("{from: [{source: {principals: ['*']}}]}"), "lowered"},
		{"nobody, and then everybody", catalogue.IstioAllow, "{p: {}}", istio("{}"), "lowered"},
		{"none is left", catalogue.IstioAllow, istio(a), istio(""), "tightened"},
		{"another one", catalogue.IstioAllow, istio(a), istio(get), "edited"},
		{"a variable", catalogue.IstioAllow, istio(a), istio("{from: [{source: {principals: ['${who}']}}]}"), "edited"},
		{"a rule that denies less", catalogue.IstioDeny, istio(a + ", " + get), istio(get), "let in"},
		{"a rule that denies more", catalogue.IstioDeny, istio(a), istio(ns), "tightened"},
		{"nothing is denied", catalogue.IstioDeny, istio(a), istio(""), "lost"},
		{"everything is denied", catalogue.IstioDeny, istio(a), istio(free), "tightened"},

		{"a larger range", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.1.0.0/16")), eg("Deny", office("Allow", "10.0.0.0/8")), "let in"},
		{"every address", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.1.0.0/16")), eg("Deny", office("Allow", "0.0.0.0/0")), "lowered"},
		{"a range in halves", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.0.0.0/8")), eg("Deny", office("Allow", "10.0.0.0/9, 10.128.0.0/9")), ""},
		{"a range of three parts", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.192.0.0/10, 10.0.0.0/9, 10.128.0.0/10")), eg("Deny", office("Allow", "10.0.0.0/8")), ""},
		{"parts with a gap", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.0.0.0/9, 10.128.0.0/10")), eg("Deny", office("Allow", "10.0.0.0/8")), "let in"},
		{"all addresses in halves", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.0.0.0/8")), eg("Deny", office("Allow", "0.0.0.0/1, 128.0.0.0/1")), "lowered"},
		{"a smaller range", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.0.0.0/8")), eg("Deny", office("Allow", "10.1.2.3")), "tightened"},
		{"a smaller range that is denied", catalogue.EnvoyGatewayRules, eg("Allow", office("Deny", "10.0.0.0/8")), eg("Allow", office("Deny", "10.1.0.0/16")), "let in"},
		{"another range", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.0.0.0/8")), eg("Deny", office("Allow", "172.16.0.0/12")), "edited"},
		{"both actions", catalogue.EnvoyGatewayRules, eg("Deny", office("Deny", "10.1.0.0/16")+", "+office("Allow", "10.0.0.0/8")), eg("Deny", office("Allow", "10.0.0.0/8")+", "+office("Deny", "10.1.0.0/16")), "edited"},
		{"the same in another order", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.1.0.0/16")+", "+office("Allow", "192.0.2.0/24")), eg("Deny", office("Allow", "192.0.2.0/24")+", "+office("Allow", "10.1.0.0/16")), ""},
		{"a name", catalogue.EnvoyGatewayRules, eg("Deny", office("Allow", "10.1.0.0/16")), eg("Deny", "{name: x, action: Allow, principal: {clientCIDRs: [10.1.0.0/16]}}"), ""},
		{"a method more", catalogue.EnvoyGatewayRules, eg("Deny", "{action: Allow, operation: {methods: [GET]}}"), eg("Deny", "{action: Allow, operation: {methods: [GET, POST]}}"), "let in"},
		{"claims", catalogue.EnvoyGatewayRules, eg("Deny", "{action: Allow, principal: {jwt: {provider: a}}}"), eg("Deny", "{action: Allow, principal: {jwt: {provider: b}}}"), "edited"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "*.rules"
			if tt.form == catalogue.EnvoyGatewayRules {
				path = "authorization.rules"
			}
			row := catalogue.Protection{Path: path, What: protection.Authorisation, Loosens: catalogue.Changed, Rules: tt.form}
			tree := func(text string) *merge.Tree {
				file := manifest.Decode([]byte("{apiVersion: v1, kind: K, metadata: {name: it}, spec: "+text+"}"), manifest.Options{})
				if len(file.Problems) > 0 {
					t.Fatalf("%s: %s", text, file.Problems[0].Message)
				}
				return merge.New(file.Documents[0].Root.Get("spec"), nil, merge.Form{})
			}
			got, _, _ := strings.Cut(said(protection.JudgedBy(row, tree(tt.before), tree(tt.after))), " /")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
