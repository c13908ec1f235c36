package effective_test

import (
	"strings"
	"testing"
)

// limits writes a RateLimitPolicy of Kuadrant.
func limits(name, target, body string) string {
	text := acme(name, target, body)
	return strings.NewReplacer("acme.io/v1,", "kuadrant.io/v1,", "AcmePolicy", "RateLimitPolicy").Replace(text)
}

const rlp = "RateLimitPolicy"

func limit(name, n string) string { return "limits: {" + name + ": {rates: [{limit: " + n + "}]}}" }

func limitJSON(name, n string) string { return `"` + name + `":{"rates":[{"limit":` + n + `}]}` }

// Policies of one target are folded like levels, the older as the less specific
// one; neither is rejected.
func TestKuadrantSameTarget(t *testing.T) {
	for _, tt := range []struct{ name, older, newer, want string }{
		{"atomic defaults: the newer wins", limit("old", "1"), limit("new", "2"), `{"limits":{` + limitJSON("new", "2") + `}}`},
		{"atomic overrides: the older wins", "overrides: {" + limit("old", "1") + "}", limit("new", "2"), `{"limits":{` + limitJSON("old", "1") + `}}`},
		{
			"merged defaults", "defaults: {strategy: merge, " + limit("old", "1") + "}", limit("new", "2"),
			`{"limits":{` + limitJSON("new", "2") + `,` + limitJSON("old", "1") + `}}`,
		},
		{"merged defaults, one name", "defaults: {strategy: merge, " + limit("x", "1") + "}", limit("x", "2"), `{"limits":{` + limitJSON("x", "2") + `}}`},
		{"merged overrides, one name", "overrides: {strategy: merge, " + limit("x", "1") + "}", limit("x", "2"), `{"limits":{` + limitJSON("x", "1") + `}}`},
		{"a newer override dictates nothing", limit("old", "1"), "overrides: {" + limit("new", "2") + "}", `{"limits":{` + limitJSON("new", "2") + `}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := stage(t, "", one,
				dated(limits("z", "HTTPRoute r", tt.older), early), dated(limits("a", "HTTPRoute r", tt.newer), late))
			s.check(expect{name: tt.name, got: s.spec(rlp, "g > r#only"), want: tt.want})
			for _, name := range []string{"a", "z"} {
				if v := s.verdict(rlp, name); v.Accepted != "true" {
					t.Errorf("%s: %+v, want accepted", name, v)
				}
			}
		})
	}
}

// merge works per named limit, never inside one, and an empty policy does not
// block inheritance.
func TestKuadrantUnits(t *testing.T) {
	s := stage(t, "", one,
		limits("g", "Gateway g", "overrides: {strategy: merge, limits: {x: {rates: [{limit: 1}]}}}"),
		limits("r", "HTTPRoute r", "limits: {x: {rates: [{limit: 2}], when: [{predicate: a}]}, other: {rates: [{limit: 3}]}}"))
	s.check(expect{name: "whole units", got: s.spec(rlp, "g > r#only"), want: `{"limits":{` + limitJSON("other", "3") + `,` + limitJSON("x", "1") + `}}`})
	s = stage(t, "", one, limits("g", "Gateway g", limit("x", "1")), limits("r", "HTTPRoute r", "defaults: {limits: {}}"))
	s.check(expect{name: "empty", got: s.spec(rlp, "g > r#only"), want: `{"limits":{` + limitJSON("x", "1") + `}}`})
}
