package catalogue

import "testing"

func TestBelowRules(t *testing.T) {
	kind := func(paths ...string) *Kind {
		k := &Kind{}
		for _, p := range paths {
			k.Protects = append(k.Protects, Protection{Path: p, Rules: EnvoyGatewayRules})
		}
		return k
	}
	for _, c := range []struct {
		name, pattern, path, rest string
		found                     bool
	}{
		{"the list", "authorization.rules", "/authorization/rules", "", true},
		{"inside of it", "authorization.rules", "/authorization/rules/0/action", "/0/action", true},
		{"a list of that name elsewhere", "authorization.rules", "/rateLimit/rules/0/limit", "", false},
		{"below another list", "authorization.rules", "/backends/0/authorization/rules/0/action", "", false},
		{"a longer name", "authorization.rules", "/authorization/rulesets/0", "", false},
		{"around it", "authorization.rules", "/authorization", "", false},
		{"of a policy", "DENY.*.rules", "/DENY/AuthorizationPolicy.security.istio.io/shop/admin/rules/0/from", "/0/from", true},
		{"of a policy of another action", "DENY.*.rules", "/ALLOW/AuthorizationPolicy.security.istio.io/shop/admin/rules/0/from", "", false},
		{"the policy", "DENY.*.rules", "/DENY/AuthorizationPolicy.security.istio.io/shop/admin", "", false},
	} {
		if rest, found := BelowRules(kind("other.rules", c.pattern), c.path); rest != c.rest || found != c.found {
			t.Errorf("%s: below rules, %q is %q, %v", c.name, c.path, rest, found)
		}
	}
	if _, found := BelowRules(nil, "/rules"); found {
		t.Error("no kind has rules")
	}
}
