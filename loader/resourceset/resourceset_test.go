package resourceset_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
)

func parse(t testing.TB, text string) []*loader.Value {
	t.Helper()
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return docs
}

// shown lists objects as KIND/NAMESPACE/NAME with a host, if they have one.
func shown(objects []*loader.Value) string {
	var out []string
	for _, o := range objects {
		line := strings.Join([]string{o.Str("kind"), o.Str("metadata", "namespace"), o.Str("metadata", "name")}, "/")
		for _, host := range o.List("spec", "hostnames") {
			line += " " + host.Text
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

const head = `
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
`

const route = `
  resources:
  - {kind: HTTPRoute, apiVersion: v1, metadata: {name: "<< inputs.name >>", namespace: shop}, spec: {hostnames: ["<< inputs.name >>.<< inputs.domain >>"]}}
`

// TestGenerate holds the order, the identities and the language of the operator
// (internal/builder/resourceset.go).
func TestGenerate(t *testing.T) {
	for name, tt := range map[string]struct{ spec, providers, want string }{
		"once for each of its inputs": {`
  inputs: [{name: a, domain: x}, {name: b, domain: z}]` + route, "", "HTTPRoute/shop/a a.x; HTTPRoute/shop/b b.z"},
		"of several with one identity the first counts": {`
  inputs: [{name: a, domain: x}, {name: a, domain: y}]` + route, "", "HTTPRoute/shop/a a.x"},
		"a text of several documents, after the typed ones": {`
  inputs: [{name: a, domain: x}]
  resourcesTemplate: |
    apiVersion: v1
    kind: Service
    metadata: {name: << inputs.name >>, namespace: shop}
    ---
    apiVersion: v1
    kind: HTTPRoute
    metadata: {name: a, namespace: shop}` + route, "", "HTTPRoute/shop/a a.x; Service/shop/a"},
		"no inputs: the templates as they are": {`
  resources: [{apiVersion: v1, kind: Service, metadata: {name: one, namespace: shop}}]`, "", "Service/shop/one"},
		"a selector without a provider": {`
  inputsFrom: [{kind: ResourceSetInputProvider, selector: {matchLabels: {team: none}}}]` + route, "", "unknown: an input provider that the selector selects is not in the tree: what the ResourceSet makes of its inputs is unknown"},
		"a provider of type Static, by its labels": {`
  inputsFrom: [{kind: ResourceSetInputProvider, selector: {matchLabels: {team: shop}, matchExpressions: [{key: old, operator: DoesNotExist}]}}]` + route, `
kind: ResourceSetInputProvider
metadata: {name: p, labels: {team: shop}}
spec: {type: Static, defaultValues: {name: s, domain: z}}
---
kind: ResourceSetInputProvider
metadata: {name: q, labels: {team: shop, old: "1"}}
spec: {type: Static, defaultValues: {name: t, domain: z}}`, "HTTPRoute/shop/s s.z"},
		"inputs from outside are unknown": {`
  inputsFrom: [{kind: ResourceSetInputProvider, name: p}]` + route, `
kind: ResourceSetInputProvider
metadata: {name: p}
spec: {type: GitHubPullRequest, url: "https://git.example/x"}`, `unknown: the inputs of "p" come from GitHubPullRequest, which gwplan does not query: the objects of the ResourceSet are unknown`},
		"a provider that is not there": {`
  inputsFrom: [{kind: ResourceSetInputProvider, name: p}]` + route, "", `unknown: the input provider "p" is not in the tree: what the ResourceSet makes of its inputs is unknown`},
		"each with each of the others": {`
  inputStrategy: {name: Permute}
  inputs: [{name: a}, {name: b}]
  inputsFrom: [{kind: ResourceSetInputProvider, name: dom-1}]
  resources: [{kind: HTTPRoute, apiVersion: v1, metadata: {name: "<< inputs.apps.name >>-<< inputs.id >>", namespace: shop}, spec: {hostnames: ["<< inputs.dom_1.domain >>"]}}]`, `
kind: ResourceSetInputProvider
metadata: {name: dom-1}
spec: {type: Static, defaultValues: {domain: z}}`, "HTTPRoute/shop/a-620168334 z; HTTPRoute/shop/b-620758159 z"},
		"steps, one after the other": {`
  steps:
  - {name: one, resources: [{apiVersion: v1, kind: Service, metadata: {name: one, namespace: shop}}]}
  - {name: two, resources: [{apiVersion: v1, kind: Service, metadata: {name: two, namespace: shop}}]}`, "", "Service/shop/one; Service/shop/two"},
		"switched off": {`
  inputs: [{name: a}]
  resources: [{apiVersion: v1, kind: Service, metadata: {name: one, namespace: shop, annotations: {fluxcd.controlplane.io/reconcile: disabled}}}]`, "", ""},
		"a missing key ends it": {`
  inputs: [{name: a}]
  resources: [{apiVersion: v1, kind: Service, metadata: {name: "<< inputs.nome >>", namespace: shop}}]`, "", `a template of the ResourceSet fails: <inputs>: map has no entry for key "nome"`},
		"braces of another language stay": {`
  inputs: [{name: a}]
  resources: [{apiVersion: v1, kind: HTTPRoute, metadata: {name: a, namespace: shop}, spec: {hostnames: ["{{ .x }} << inputs.name >>"]}}]`, "", "HTTPRoute/shop/a {{ .x }} a"},
		"conditions and functions": {`
  inputs: [{name: "Feature/X y", enabled: true}]
  resourcesTemplate: |
    << if inputs.enabled >>
    apiVersion: v1
    kind: Service
    metadata: {name: << slugify inputs.name >>, namespace: << inputs.provider.namespace >>}
    << end >>`, "", "Service/flux-system/feature-x-y"},
	} {
		t.Run(name, func(t *testing.T) {
			var providers []*loader.Value
			if tt.providers != "" {
				providers = parse(t, tt.providers)
			}
			objects, problem := resourceset.Generate(parse(t, head+tt.spec)[0], providers, manifest.Limits{})
			got := shown(objects)
			if problem != nil {
				if got = problem.Message; problem.Unknown {
					got = "unknown: " + got
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestPlaces holds that a value stands where its template does.
func TestPlaces(t *testing.T) {
	objects, problem := resourceset.Generate(parse(t, head+`
  inputs: [{name: a, port: 80}]
  commonMetadata: {labels: {team: shop}}
  resources:
  - apiVersion: v1
    kind: Service
    metadata:
      name: << inputs.name >>
    spec:
      port: << inputs.port >>`)[0], nil, manifest.Limits{})
	if problem != nil {
		t.Fatal(problem)
	}
	port := objects[0].Get("spec", "port")
	if port.Shape != loader.Int || port.Mark.Line != 15 {
		t.Errorf("the port is %v at line %d", port.Shape, port.Mark.Line)
	}
	if team := objects[0].Get("metadata", "labels", "team"); team == nil || team.Mark.Line != 8 {
		t.Errorf("the common label stands at %+v", team)
	}
	if objects[0].Str("metadata", "labels", "resourceset.fluxcd.controlplane.io/name") != "apps" {
		t.Error("the object has no owner")
	}
}

// TestBounds holds that no set runs for ever.
func TestBounds(t *testing.T) {
	for _, text := range []string{
		`<< range until 100000 >><< range until 100000 >>x<< end >><< end >>`,
		`<< define "a" >><< template "a" >><< end >><< template "a" >>`,
		`<< repeat 1000000000 "x" >>`,
	} {
		_, problem := resourceset.Generate(parse(t, head+"\n  resourcesTemplate: '"+text+"'")[0], nil, manifest.Limits{})
		if problem == nil {
			t.Errorf("%s ends with no problem", text)
		}
	}
}
