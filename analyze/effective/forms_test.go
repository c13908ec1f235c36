package effective_test

import (
	"fmt"
	"strings"
	"testing"
)

// own writes a policy of the test's kind with a whole spec of its own.
func own(namespace, name, spec string) string {
	return fmt.Sprintf("{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: %s, namespace: %s}, spec: {%s}}", name, namespace, spec)
}

// A filter of a rule names the policy: it is the most specific of all, for that
// rule alone.
func TestExtensionRef(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, levels: [Gateway, Route, "Route:rule", ExtensionRef],
   target: {refs: [{path: targetRefs, form: list, section: sectionName}, {path: extensionRef, form: extension-ref}]}}
`
	const world = `
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [
  {name: with, filters: [{type: ExtensionRef, extensionRef: {group: acme.io, kind: AcmePolicy, name: filter}}]}, {name: without}]}}
`
	const ref = "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r"
	s := stage(t, kinds, world, own("ns", "filter", "x: filter"), own("far", "filter", "x: another"), own("ns", "rule", ref+", sectionName: with}], x: rule"), own("ns", "route", ref+"}], x: route"))
	s.check(
		expect{name: "the rule with the filter", got: s.spec("AcmePolicy", "g > r#with"), want: `{"x":"filter"}`},
		expect{name: "the other rule", got: s.spec("AcmePolicy", "g > r#without"), want: `{"x":"route"}`},
		expect{name: "named by a filter", got: s.verdict("AcmePolicy", "filter").Reason, want: "NotReferenced"},
	)
	for _, p := range s.run.Attached.Policies {
		if p.ID().Namespace == "ns" && p.ID().Name == "filter" {
			if len(p.References) != 1 || p.References[0].Owner == nil || p.References[0].Owner.ID.Kind != "HTTPRoute" {
				t.Errorf("%+v, want one reference, written in the route", p.References)
			}
		}
	}
}

// A reference counts only from the kinds that may refer to the policy.
func TestPointersFromAllowedTargets(t *testing.T) {
	const world = `
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: acme.io/c, parametersRef: {group: acme.io, kind: AcmePolicy, name: class, namespace: ns}}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, infrastructure: {parametersRef: {group: acme.io, kind: AcmePolicy, name: own}}, listeners: [{name: http, port: 80, protocol: HTTP}]}}
`
	for allowed, want := range map[string]string{`"gw/GatewayClass"`: "[class]", `"gw/Gateway"`: "[own]"} {
		kinds := `
- {profile: gep, group: acme.io, kind: AcmePolicy, levels: [GatewayClass, Gateway], effective: [Gateway], target: {refs: [], allowed: [` + allowed + `], via: parametersRef}}
`
		s := stage(t, kinds, world, own("ns", "class", "x: 1"), own("ns", "own", "x: 2"))
		s.check(expect{name: allowed, got: fmt.Sprint(s.affecting("AcmePolicy", "g")), want: want})
	}
}

// An annotation of the target names the policies, in the target's namespace.
func TestReverseAnnotation(t *testing.T) {
	const kinds = `
- {profile: gwapi-direct, group: acme.io, kind: AcmePolicy, levels: [Backend], effective: [Backend],
   target: {allowed: ["core/Service"], refs: [{path: "annotation:acme.io/policies", form: reverse-annotation}]}}
`
	annotated := strings.Replace(one, "metadata: {name: b}", "metadata: {name: b, annotations: {acme.io/policies: 'first, second'}}", 1)
	s := stage(t, kinds, annotated, own("ns", "second", "x: 1"), own("ns", "third", "x: 3"), own("far", "first", "x: 2"))
	s.check(
		expect{name: "the annotated Service", got: s.spec("AcmePolicy", "b"), want: `{"x":1}`},
		expect{name: "named by nothing", got: s.verdict("AcmePolicy", "third").Reason, want: "NotReferenced"},
	)
	s = stage(t, kinds, annotated, own("ns", "first", "x: 1"), own("ns", "second", "x: 2"))
	s.check(expect{name: "two of one Service", got: s.spec("AcmePolicy", "b"), want: `{"x":1}`}, expect{name: "the loser", got: s.verdict("AcmePolicy", "second").Reason, want: "Conflicted"})
}

// A list in an annotation may name policies of other namespaces, if these grant it.
func TestAnnotationAcross(t *testing.T) {
	const kinds = `
- {profile: gwapi-direct, group: acme.io, kind: AcmePolicy, levels: [Backend], effective: [Backend], merge: {same: {algorithm: union-or-reject}},
   target: {allowed: ["core/Service"], refs: [{path: "annotation:acme.io/policies", form: reverse-annotation, across: ":"}]}}
`
	const grant = "{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: g, namespace: far}, spec: {from: [{group: '', kind: Service, namespace: ns}], to: [{group: acme.io, kind: AcmePolicy}]}}"
	annotated := strings.Replace(one, "metadata: {name: b}", "metadata: {name: b, annotations: {acme.io/policies: 'first, far: second'}}", 1)
	s := stage(t, kinds, annotated, own("far", "second", "x: 2"), own("far", "first", "x: 1"), own("ns", "second", "x: 3"))
	s.check(
		expect{name: "no grant", got: s.verdict("AcmePolicy", "second").Targets[0].Reason, want: "RefNotPermitted"},
		expect{name: "nothing is admitted", got: s.spec("AcmePolicy", "b"), want: ""},
	)
	s = stage(t, kinds, annotated, grant, own("far", "second", "x: 2"), own("ns", "first", "z: 1"))
	s.check(expect{name: "a grant", got: s.spec("AcmePolicy", "b"), want: `{"x":2,"z":1}`})
}

// The fields of an object without a spec count below the name that one of them gives, if none
// turns them off.
func TestRootFields(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, levels: [Gateway, Route, "Route:rule"], spec: {root: true, under: name, disabled: disabled, bodies: [{path: ""}], common: [target]},
   target: {refs: [{path: targetRef, form: one}, {path: "annotation:acme.io/policies", form: reverse-annotation}]}, merge: {levels: {algorithm: top, direction: overrides, select: null}, same: {algorithm: union-or-reject}}}
`
	bare := func(name, fields string) string {
		return "{apiVersion: acme.io/v1, kind: AcmePolicy, metadata: {name: " + name + ", namespace: ns}, status: {x: 1}, " + fields + "}"
	}
	world := strings.NewReplacer("metadata: {name: g}", "metadata: {name: g, annotations: {acme.io/policies: a}}", "metadata: {name: r}", "metadata: {name: r, annotations: {acme.io/policies: 'b, c, d'}}").Replace(one)
	s := stage(t, kinds, world, bare("a", "name: auth, v: 1, w: 1"), bare("b", "name: auth, v: 2"), bare("c", "name: limit, v: 3"), bare("d", "name: log, disabled: true"))
	s.check(expect{name: "by name", got: s.spec("AcmePolicy", "g > r#only"), want: `{"auth":{"name":"auth","v":1,"w":1},"limit":{"name":"limit","v":3}}`})
}

// A reference may list its sections, and leave out the kind.
func TestSectionListsAndDefaultKind(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, levels: [Gateway, "Gateway:listener", Backend], effective: ["Gateway:listener", Backend],
   target: {refs: [{path: targetRef, form: one, section: sectionNames, kind: Service}]}}
`
	s := stage(t, kinds, two, own("ns", "p", "targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g, sectionNames: [http, gone]}, x: 1"))
	s.check(
		expect{name: "a section of the list", got: s.spec("AcmePolicy", "g > g#http"), want: `{"x":1}`},
		expect{name: "another section", got: fmt.Sprint(s.affecting("AcmePolicy", "g#https")), want: "[]"},
		expect{name: "one of the two is there", got: s.verdict("AcmePolicy", "p").Accepted, want: "true"},
		expect{name: "the other is not", got: s.verdict("AcmePolicy", "p").Targets[1].Reason, want: "TargetNotFound"},
	)
	s = stage(t, kinds, one, own("ns", "p", "targetRef: {name: b}, x: 1"))
	s.check(expect{name: "no kind", got: s.spec("AcmePolicy", "g > r#only > b"), want: `{"x":1}`})
}

// A kind with scopes: the root namespace, the policy's Namespace, pods by labels.
// Nothing passes from one object to another.
func TestScopes(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, levels: ["Root@Gateway", "Root@Backend", "Namespace@Gateway", "Namespace@Backend", Gateway, Backend],
   effective: [Gateway, Backend], controllers: [acme.io/], target: {none: namespace, root: mesh, refs: [{path: targetRefs, form: list}, {path: selector.matchLabels, form: workload-selector}]},
   spec: {common: [targetRefs, selector]}, merge: {levels: {algorithm: collect, hops: object}, same: {algorithm: collect, tie: ordered}}}
`
	const world = `
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: ours}, spec: {controllerName: acme.io/c}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: theirs}, spec: {controllerName: other.io/c}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: ours, infrastructure: {labels: {tier: edge}}, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: other}, spec: {gatewayClassName: theirs, listeners: [{name: http, port: 80, protocol: HTTP}]}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [{name: only, backendRefs: [{name: b, port: 80}]}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {selector: {app: b}, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b2, namespace: far}, spec: {selector: {app: other}, ports: [{port: 80}]}}
`
	const nobody = "no Gateway or Service in the input is known to have the pods that the policy selects"
	who := func(s *scene) string {
		var out []string
		for _, target := range []string{"g", "other", "b", "b2"} {
			out = append(out, fmt.Sprint(target, s.affecting("AcmePolicy", target)))
		}
		return strings.Join(out, " ")
	}
	for name, tt := range map[string]struct{ namespace, spec, want, accepted string }{
		"nothing named: the Namespace":     {"ns", "x: 1", "g[p] other[] b[p] b2[]", "true"},
		"nothing named, in the root":       {"mesh", "x: 1", "g[p] other[] b[p] b2[p]", "true"},
		"a target":                         {"ns", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], x: 1", "g[p] other[] b[] b2[]", "true"},
		"the pods of a Gateway, by name":   {"ns", "selector: {matchLabels: {gateway.networking.k8s.io/gateway-name: g}}, x: 1", "g[p] other[] b[] b2[]", "true"},
		"the pods of a Gateway, by label":  {"mesh", "selector: {matchLabels: {tier: edge}}, x: 1", "g[p] other[] b[] b2[]", "true"},
		"the pods of a Service":            {"ns", "selector: {matchLabels: {app: b}}, x: 1", "g[] other[] b[p] b2[]", "true"},
		"the pods of a Service, mesh-wide": {"mesh", "selector: {matchLabels: {app: other}}, x: 1", "g[] other[] b[] b2[p]", "true"},
		"pods that may have another label": {"ns", "selector: {matchLabels: {app: b, version: v1}}, x: 1", "g[] other[] b[p] b2[]", "unknown"},
		"no pods that are known":           {"empty", "selector: {matchLabels: {app: b}}, x: 1", "g[] other[] b[] b2[]", "unknown"},
		"a target beats the selector":      {"ns", "selector: {matchLabels: {app: b}}, targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], x: 1", "g[p] other[] b[] b2[]", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, kinds, world, own(tt.namespace, "p", tt.spec))
			s.check(expect{name: "who is affected", got: who(s), want: tt.want}, expect{name: "accepted", got: s.verdict("AcmePolicy", "p").Accepted, want: tt.accepted})
		})
	}
	s := stage(t, kinds, world, own("ns", "b-namespace", "x: 1"), own("mesh", "c-root", "x: 2"), own("ns", "a-own", "selector: {matchLabels: {app: b}}, x: 3"))
	s.check(
		expect{name: "the order of scopes", got: s.stack("b"), want: "c-root b-namespace a-own"},
		expect{name: "what a Gateway has does not reach its backends", got: s.stack("g"), want: "c-root b-namespace"},
	)
	for _, p := range stage(t, kinds, world, own("empty", "p", "selector: {matchLabels: {app: b}}")).run.Attached.Policies {
		s.check(expect{name: "why", got: p.References[0].Message, want: nobody})
	}
}

// A field of the less specific policy chooses who wins.
func TestModeChoosesDirection(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, spec: {common: [targetRef, mode], bodies: [{path: ""}]},
   merge: {levels: {algorithm: top, direction: from-mode, select: null, mode: {field: mode, values: {"": overrides, lower: defaults}}}}}
`
	for mode, want := range map[string]string{
		"":             `{"a":"g","b":"g","c":"r"}`,
		"mode: lower,": `{"a":"g","b":"r","c":"r"}`,
		"mode: '',":    `{"a":"g","b":"g","c":"r"}`,
	} {
		s := stage(t, kinds, one, acme("g", "Gateway g", mode+" a: g, b: g"), acme("r", "HTTPRoute r", "mode: lower, b: r, c: r"))
		s.check(expect{name: "mode " + mode, got: s.spec("AcmePolicy", "g > r#only"), want: want})
	}
}

// A word stands for an absent field: it inherits.
func TestUnsetValues(t *testing.T) {
	const kinds = `
- {profile: gep, group: acme.io, kind: AcmePolicy, spec: {common: [targetRef], bodies: [{path: ""}], unset: ["tls.mode=UNSET"]},
   merge: {levels: {algorithm: leaf, direction: defaults, select: null}}}
`
	s := stage(t, kinds, one, acme("g", "Gateway g", "tls: {mode: STRICT}"), acme("r", "HTTPRoute r", "tls: {mode: UNSET, other: 1}"))
	s.check(expect{name: "UNSET", got: s.spec("AcmePolicy", "g > r#only"), want: `{"tls":{"mode":"STRICT","other":1}}`})
	s = stage(t, kinds, one, acme("g", "Gateway g", "tls: {mode: STRICT}"), acme("r", "HTTPRoute r", "tls: {mode: PERMISSIVE}"))
	s.check(expect{name: "another word", got: s.spec("AcmePolicy", "g > r#only"), want: `{"tls":{"mode":"PERMISSIVE"}}`})
}

// A policy does nothing behind a Gateway that is known to be another
// controller's; a controller that nobody knows may be its own.
func TestGatewaysOfOtherControllers(t *testing.T) {
	class := func(controller string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: " + controller + "}}"
	}
	for controller, want := range map[string]string{
		"gateway.envoyproxy.io/gatewayclass-controller": "[p]", "envoy.example.com/mine": "[p]",
		"istio.io/gateway-controller": "[]", "gateway.nginx.org/nginx-gateway-controller": "[]",
	} {
		s := stage(t, "", one, class(controller), traffic("p", "HTTPRoute r", "retry: {numRetries: 1}"))
		s.check(expect{name: controller, got: fmt.Sprint(s.affecting(btp, "r#only")), want: want})
	}
}
