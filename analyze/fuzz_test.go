package analyze_test

import (
	"sync"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
)

// What FuzzCompare makes once: libFuzzer calls the whole of it for each input.
var (
	made        sync.Once
	madeOptions analyze.Options
	madeWorlds  [8][2]string
)

// FuzzCompare compares any two files of manifests: nothing panics, equal input
// gives equal bytes, and a file does not differ from itself.
func FuzzCompare(f *testing.F) {
	made.Do(func() {
		madeOptions = options(f, testKinds)
		for seed := range madeWorlds {
			w := newWorld(uint64(seed)).populate()
			base := manifests(append(w.docs, directCRD()))
			w.edit()
			madeWorlds[seed] = [2]string{base, manifests(append(w.docs, directCRD()))}
		}
	})
	for _, w := range madeWorlds {
		f.Add(w[0], w[1])
	}
	f.Add("", "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g}\nspec: {listeners: [{}, null, 1]}")
	f.Add("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {parentRefs: [{}, {name: r, kind: HTTPRoute}], rules: [null, {backendRefs: [{port: x}]}]}",
		"apiVersion: x.dev/v1\nkind: XPolicy\nmetadata: {name: p}\nspec: {targetRefs: [{kind: gateway, name: g}, 1], default: 1, override: [2]}")
	// Odd shapes where listeners, references and statuses look.
	for _, controller := range []string{
		"gateway.envoyproxy.io/gatewayclass-controller", "istio.io/gateway-controller", "agentgateway.dev/agentgateway", "example.com/x",
	} {
		f.Add("apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: c}\nspec: {controllerName: "+controller+", parametersRef: {name: 1}}\n---\n"+
			"apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g}\nspec: {gatewayClassName: c, addresses: [null, {type: X}], "+
			"tls: {frontend: {perPort: [1], default: {validation: {caCertificateRefs: [null, {kind: 1}]}}}, backend: {clientCertificateRef: {}}}, "+
			"listeners: [{name: a, port: 1, protocol: HTTPS, tls: {certificateRefs: [null, 1, {}]}, allowedRoutes: {kinds: [1, {kind: X}], namespaces: x}}, "+
			"{name: b, port: 1, protocol: TLS, hostname: '*'}]}\n---\n"+
			"apiVersion: gateway.networking.k8s.io/v1\nkind: ListenerSet\nmetadata: {name: s}\nspec: {parentRef: {name: g}, listeners: [null, {}]}",
			"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {useDefaultGateways: All, hostnames: ['${X}', 1, ''], "+
				"parentRefs: [{name: g, port: x}, {name: s, kind: ListenerSet}, {name: r, kind: HTTPRoute}, {name: v, group: '', kind: Service}], "+
				"rules: [{matches: [null, {path: 1, headers: [1]}], filters: [1, {type: ExtensionRef}, {type: RequestMirror, requestMirror: {backendRef: {}}}], backendRefs: [{weight: 0}]}]}")
	}
	o := madeOptions
	f.Fuzz(func(t *testing.T, base, head string) {
		doc := func(before, after string) *plan.Plan {
			return analyze.Compare(snapshot(".", file{name: "a.yaml", text: before}), snapshot(".", file{name: "a.yaml", text: after}), o)
		}
		first := jsonText(doc(base, head))
		if again := jsonText(doc(base, head)); again != first {
			t.Errorf("equal input gives\n%s\nand\n%s", first, again)
		}
		if env := doc(head, head).Environments[0]; len(env.Changes)+len(env.PolicyChanges) > 0 {
			t.Errorf("a file differs from itself: %s", jsonText(env))
		}
		documents(o, snapshot(".", file{name: "a.yaml", text: base}), snapshot(".", file{name: "a.yaml", text: head}))
	})
}
