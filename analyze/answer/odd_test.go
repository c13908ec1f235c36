package answer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/loader"
)

// allFilters has each filter of Gateway API, at each place that has filters, and what else decides about
// an outcome.
const allFilters = `
apiVersion: v1
kind: List
items:
- apiVersion: gateway.networking.k8s.io/v1
  kind: GatewayClass
  metadata: {name: c}
  spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}
- apiVersion: gateway.networking.k8s.io/v1
  kind: Gateway
  metadata: {name: g, namespace: ns}
  spec:
    gatewayClassName: c
    listeners:
    - name: http
      port: 80
      protocol: HTTP
      filters:
        requests:
        - {type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: {name: auth, port: 80}, http: {path: /}}}
        - {type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: f}}
- apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: r, namespace: ns}
  spec:
    parentRefs: [{name: g}]
    hostnames: [a.example.com]
    rules:
    - matches:
      - {path: {type: PathPrefix, value: /a}, headers: [{name: x, value: "1"}], queryParams: [{name: q, value: "1"}], method: GET}
      - path: {type: PathPrefix, value: /a}
      filters:
      - {type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: b}], add: [{name: a, value: b}], remove: [a]}}
      - {type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: a, value: b}], add: [{name: a, value: b}], remove: [a]}}
      - {type: URLRewrite, urlRewrite: {hostname: b.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /b}}}
      - {type: RequestMirror, requestMirror: {backendRef: {name: copy, port: 80}, fraction: {numerator: 1, denominator: 3}}}
      - {type: RequestMirror, requestMirror: {backendRef: {name: copy, port: 80}, percent: 20}}
      - {type: CORS, cors: {allowOrigins: ["https://a.example.com", "https://*.b.example.com"], allowMethods: ["*"], allowHeaders: [x], exposeHeaders: [y], allowCredentials: true, maxAge: 7}}
      timeouts: {request: 10s, backendRequest: 5s}
      retry: {codes: [500, 503], attempts: 2, backoff: 1s}
      sessionPersistence: {sessionName: s, type: Cookie}
      backendRefs:
      - name: a
        port: 80
        weight: 1
        filters:
        - {type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: b}]}}
        - {type: RequestMirror, requestMirror: {backendRef: {name: copy, port: 80}}}
    - matches: [{path: {type: Exact, value: /own}}]
      filters: [{type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: f}}]
    - matches: [{path: {type: Exact, value: /asked}}] # Envoy Gateway does not have the filter
      filters:
      - {type: ExternalAuth, externalAuth: {protocol: GRPC, backendRef: {name: auth, port: 80}, grpc: {allowedHeaders: [x]}}}
    - matches: [{path: {type: Exact, value: /moved}}]
      filters:
      - {type: RequestRedirect, requestRedirect: {scheme: https, hostname: b.example.com, port: 8443, statusCode: 301, path: {type: ReplaceFullPath, replaceFullPath: /}}}
- apiVersion: gateway.envoyproxy.io/v1alpha1
  kind: HTTPRouteFilter
  metadata: {name: f, namespace: ns}
  spec: {matches: [{cookies: [{name: c, value: v}]}], urlRewrite: {path: {type: ReplaceRegexMatch, replaceRegexMatch: {pattern: /a, substitution: /b}}}, directResponse: {statusCode: 418}}
- apiVersion: v1
  kind: Service
  metadata: {name: a, namespace: ns}
  spec: {ports: [{port: 80}]}
- apiVersion: v1
  kind: Service
  metadata: {name: copy, namespace: ns}
  spec: {ports: [{port: 80}]}
`

// oddities replace a value in turn. An API server rejects most of them, but a folder can hold them.
var oddities = []any{nil, map[string]any{}, []any{}, []any{nil}, []any{map[string]any{}}, "", "x", "${X}", -1, 1 << 40, true, absent{}}

// absent stands for no value at all.
type absent struct{}

// odd visits a document once for each of its values and each oddity in its place, and says where it is.
func odd(v any, path string, visit func(path string), put func(any)) {
	for _, oddity := range oddities {
		put(oddity)
		visit(fmt.Sprintf("%s = %#v", path, oddity))
	}
	put(v)
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			odd(v[key], path+"."+key, visit, func(value any) {
				if v[key] = value; value == any(absent{}) {
					delete(v, key)
				}
			})
		}
	case []any:
		for i, value := range v {
			odd(value, fmt.Sprintf("%s[%d]", path, i), visit, func(value any) {
				if v[i] = value; value == any(absent{}) {
					v[i] = nil
				}
			})
		}
	}
}

// Whatever a manifest has in the place of a value, requests have an answer, every step a text and a
// line, and the comparison with the sound manifest an end.
func TestOddFilters(t *testing.T) {
	var document map[string]any
	if err := yaml.Unmarshal([]byte(allFilters), &document); err != nil {
		t.Fatal(err)
	}
	sound := run(t, effective.NewStates(), allFilters)
	n := 0
	visit := func(path string) {
		if n++; testing.Short() && n%13 > 0 {
			return
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if panicked := recover(); panicked != nil {
				t.Fatalf("%s: %v\n%s", path, panicked, debug.Stack())
			}
		}()
		// A kind whose schema is not known has no defaults, and keeps its nulls.
		for _, r := range []*effective.Run{run(t, effective.NewStates(), string(text)), runAs(t, effective.NewStates(), string(text), asWritten)} {
			for _, s := range outcomes(t, r) {
				if s.String() == "" || s.At.File == "" {
					t.Errorf("%s: a step without a text or a line: %+v", path, s)
				}
			}
			answer.Passages(effective.NewJoin(sound, r, nil), nil)
		}
	}
	for _, item := range document["items"].([]any) {
		object := item.(map[string]any)
		odd(object["spec"], object["kind"].(string), visit, func(v any) { object["spec"] = v })
	}
	if steps := outcomes(t, sound); len(steps) < 50 {
		t.Errorf("the sound manifest gives %d steps; the oddities are not where requests pass", len(steps))
	}
}

func asWritten(_, _, _ string, root *loader.Value) *loader.Value { return root }

// outcomes are the steps on the way of some requests.
func outcomes(t *testing.T, r *effective.Run) []answer.Step {
	t.Helper()
	var out []answer.Step
	ports := answer.Ports(r.Graph)
	for _, ask := range []struct {
		method, path string
		headers      []string
	}{
		{"GET", "/a/x?q=1", []string{"x: 1"}},
		{"GET", "/a", []string{"origin: https://a.example.com"}},
		{"OPTIONS", "/a", []string{"origin: https://x.b.example.com", "access-control-request-method: PUT"}},
		{"GET", "/own", []string{"cookie: c=v"}},
		{"GET", "/asked", nil},
		{"GET", "/moved?q=1", nil},
	} {
		request, err := answer.ParseRequest("http://a.example.com"+ask.path, ask.method, ask.headers)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := answer.At(ports, request)
		for _, p := range at {
			if a := p.Answer(request); a.Way != nil {
				out = append(out, answer.OutcomeOf(a.Way, request).Steps...)
			}
		}
	}
	return out
}
