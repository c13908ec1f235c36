package effective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// one is a Gateway with one route that has one rule and one backend.
const one = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {ports: [{port: 80}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r},
 spec: {parentRefs: [{name: g}], rules: [{name: only, backendRefs: [{name: b, port: 80}]}]}}
`

const olderKind = `
- {profile: gep-older, group: acme.io, kind: AcmePolicy, effective: ["Route:rule"]}
`

// acme writes a policy of the older dialect; body is what it says besides its
// target.
func acme(name, target, body string) string {
	kind, object, _ := strings.Cut(target, " ")
	group := "gateway.networking.k8s.io"
	if kind == "Service" || kind == "Namespace" {
		group = ""
	}
	return fmt.Sprintf("{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: %s}, spec: {targetRef: {group: %q, kind: %s, name: %s}, %s}}",
		name, group, kind, object, body)
}

// "Merging into existing spec fields", the table of types.
func TestMergingTypeTable(t *testing.T) {
	const kind = `
- {profile: gep-older, group: acme.io, kind: AcmePolicy, levels: [Gateway], effective: ["Route:rule"], merge: {units: [key]},
   into: [{path: key, object: acme.key}]}
`
	for name, tt := range map[string]struct{ object, override, want string }{
		"string":            {`"foo"`, `"bar"`, `"bar"`},
		"list":              {`["a","b"]`, `["c","d"]`, `["c","d"]`},
		"map[string]string": {`{"foo":"a","bar":"b"}`, `{"foo":"c","baz":"d"}`, `{"baz":"d","foo":"c"}`},
	} {
		t.Run(name, func(t *testing.T) {
			route := strings.Replace(one, "name: only,", "name: only, acme: {key: "+tt.object+"},", 1)
			s := stage(t, kind, route, acme("p", "Gateway g", "override: {key: "+tt.override+"}"))
			s.check(expect{name: "override", got: s.spec("AcmePolicy", "g > r#only"), want: `{"key":` + tt.want + `}`})
			// Defaults do not touch what the object sets.
			own := strings.NewReplacer(`{"foo":"a","bar":"b"}`, `{"bar":"b","foo":"a"}`).Replace(tt.object)
			s = stage(t, kind, route, acme("p", "Gateway g", "default: {key: "+tt.override+"}"))
			s.check(expect{name: "default", got: s.spec("AcmePolicy", "g > r#only"), want: `{"key":` + own + `}`})
		})
	}
}

// A map is one value only where something says that it is a string map.
func TestStringMapNeedsSchema(t *testing.T) {
	policies := []string{
		acme("high", "Gateway g", `override: {labels: {foo: c}}, default: {other: {x: 1}}`),
		acme("low", "HTTPRoute r", `override: {labels: {foo: a, bar: b}}, default: {other: {z: 2}}`),
	}
	crd := `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: acmepolicies.acme.io, labels: {gateway.networking.k8s.io/policy: inherited}}
spec:
  group: acme.io
  names: {kind: AcmePolicy}
  versions:
  - name: v1
    schema: {openAPIV3Schema: {properties: {spec: {properties: {
      targetRef: {properties: {kind: {type: string}, name: {type: string}}},
      override: {properties: {labels: {type: object, additionalProperties: {type: string}}}}}}}}}
`
	for name, tt := range map[string]struct{ kinds, crd, labels string }{
		"nothing says so": {olderKind, "", `{"bar":"b","foo":"c"}`},
		"units say so":    {strings.Replace(olderKind, "}\n", ", merge: {units: [labels]}}\n", 1), "", `{"foo":"c"}`},
		"schema says so":  {"", crd, `{"foo":"c"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, tt.kinds, append(policies, one, tt.crd)...)
			s.check(expect{name: name, got: s.spec("AcmePolicy", "g > r#only"), want: `{"labels":` + tt.labels + `,"other":{"x":1,"z":2}}`})
		})
	}
}

// The example of "Hierarchy": the Gateway requires cdn and gives defaults, the
// route changes one of them.
func TestCDNExample(t *testing.T) {
	policies := []string{
		acme("gateway", "Gateway g", `override: {cdn: {enabled: true}},
  default: {cdn: {cachePolicy: {includeHost: true, includeProtocol: true, includeQueryString: true}}}`),
		acme("route", "HTTPRoute r", `default: {cdn: {cachePolicy: {includeQueryString: false}}}`),
	}
	want := `{"cdn":{"cachePolicy":{"includeHost":true,"includeProtocol":true,"includeQueryString":false},"enabled":true}}`
	for name, kinds := range map[string]string{"config": olderKind, "objects alone": ""} {
		s := stage(t, kinds, append(policies, one)...)
		s.check(expect{name: name, got: s.spec("AcmePolicy", "g > r#only"), want: want})
		if got := s.verdict("AcmePolicy", "gateway").Enforcement; got != plan.PartiallyEnforced {
			t.Errorf("%s: the Gateway's policy is %s", name, got)
		}
	}
	// "override" on the Route loses to the Gateway's, its other override stays.
	policies[1] = acme("route", "HTTPRoute r", `override: {cdn: {enabled: false, cachePolicy: {includeHost: false}}}`)
	s := stage(t, olderKind, append(policies, one)...)
	s.check(expect{
		name: "route overrides", got: s.spec("AcmePolicy", "g > r#only"),
		want: `{"cdn":{"cachePolicy":{"includeHost":false,"includeProtocol":true,"includeQueryString":true},"enabled":true}}`,
	})
}

// A override > B override > C override > C default > B default > A default.
func TestOlderDialectOrder(t *testing.T) {
	targets := []string{"Gateway g", "HTTPRoute r", "Service b"}
	order := []string{"A override", "B override", "C override", "C default", "B default", "A default"}
	kinds := strings.Replace(olderKind, `["Route:rule"]`, "[Backend]", 1)
	for strongest := range order {
		bodies := map[string][]string{}
		for _, word := range order[strongest:] {
			level, body, _ := strings.Cut(word, " ")
			bodies[level] = append(bodies[level], fmt.Sprintf("%s: {x: %q}", body, word))
		}
		var policies []string
		for i, level := range []string{"A", "B", "C"} {
			if len(bodies[level]) > 0 {
				policies = append(policies, acme(strings.ToLower(level), targets[i], strings.Join(bodies[level], ", ")))
			}
		}
		s := stage(t, kinds, append(policies, one)...)
		s.check(expect{name: order[strongest], got: s.spec("AcmePolicy", "g > r > b"), want: fmt.Sprintf(`{"x":%q}`, order[strongest])})
	}
}

// What gwctl's merger is tested with (pkg/policymanager/merger_test.go), told
// as policies of a Gateway and of its route.
func TestOlderDialectMerges(t *testing.T) {
	for name, tt := range map[string]struct{ parent, child, want string }{
		"both bodies": {
			"override: {k1: p1, k2: p2}, default: {k4: p4, k5: p5}", "override: {k1: c1, k3: c3}, default: {k4: c4, k6: c6}",
			`{"k1":"p1","k2":"p2","k3":"c3","k4":"c4","k5":"p5","k6":"c6"}`,
		},
		"defaults above, overrides below": {"default: {k4: p4}", "override: {k1: c1}", `{"k1":"c1","k4":"p4"}`},
		"override beats default below":    {"override: {k1: p1}", "default: {k1: c1}", `{"k1":"p1"}`},
		"override beats default above":    {"default: {k1: p1}", "override: {k1: c1}", `{"k1":"c1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, olderKind, one, acme("parent", "Gateway g", tt.parent), acme("child", "HTTPRoute r", tt.child))
			s.check(expect{name: name, got: s.spec("AcmePolicy", "g > r#only"), want: tt.want})
		})
	}
}

// At one level override beats default, then the older counts, then the name.
// gwctl lets the newer's override win (key1=f); the policy attachment says that
// the older takes precedence.
func TestOlderDialectOneLevelDiffersFromGwctl(t *testing.T) {
	s := stage(t, olderKind, one,
		acme("h1", "Gateway g", "override: {key1: a, key3: b}, default: {key2: d, key4: e, key5: c}"),
		acme("h2", "Gateway g", "override: {key1: f}, default: {key2: i, key4: j, key5: k, key6: l}"))
	s.check(expect{
		name: "h1 and h2", got: s.spec("AcmePolicy", "g > r#only"),
		want: `{"key1":"a","key2":"d","key3":"b","key4":"e","key5":"c","key6":"l"}`,
	})
	s = stage(t, olderKind, one,
		acme("h1", "Gateway g", "default: {key1: a}"), acme("h2", "Gateway g", "override: {key1: f}"))
	s.check(expect{name: "override of the newer", got: s.spec("AcmePolicy", "g > r#only"), want: `{"key1":"f"}`})
}

// Policies of different kinds never meet.
func TestOlderDialectKindsApart(t *testing.T) {
	other := strings.ReplaceAll(acme("other", "Gateway g", "override: {k1: other}"), "AcmePolicy", "OtherPolicy")
	s := stage(t, olderKind, one, acme("p", "HTTPRoute r", "default: {k1: acme}"), other)
	s.check(
		expect{name: "AcmePolicy", got: s.spec("AcmePolicy", "g > r#only"), want: `{"k1":"acme"}`},
		expect{name: "OtherPolicy", got: s.spec("OtherPolicy", "g > r#only"), want: `{"k1":"other"}`},
	)
}
