package corpus

import "fmt"

// Spread selects the targets of the policies in the policy-machinery workload.
type Spread int

// Few attaches two policies to the class, to each Gateway, to one route and to one Service.
// Each attaches two to every route and every Service instead.
const (
	Few Spread = iota
	Each
)

// PolicyMachinery returns the workload that Kuadrant's policy-machinery was measured with,
// which took quadratic time: three Gateways with two listeners each, n routes with one rule
// and one Service each, and a policy kind whose specs are three strings.
func PolicyMachinery(n int, spread Spread) Files {
	f := Files{}
	f.add("gatewayclasses/gc.yaml", object("gateway.networking.k8s.io/v1", "GatewayClass", "", "gc", "spec:\n  controllerName: example.com/controller\n"))
	addColors(f, "gateway.networking.k8s.io", "GatewayClass", "gc")
	for i := range 3 {
		name := fmt.Sprintf("gw-%d", i)
		f.add("gateways/"+name+".yaml", object("gateway.networking.k8s.io/v1", "Gateway", "ns", name,
			"spec:\n  gatewayClassName: gc\n  listeners:\n    - {name: http, port: 80, protocol: HTTP}\n    - {name: https, port: 443, protocol: HTTPS}\n"))
		addColors(f, "gateway.networking.k8s.io", "Gateway", name)
	}
	for i := range n {
		r, s := fmt.Sprintf("r-%d", i), fmt.Sprintf("s-%d", i)
		f.add("routes/"+r+".yaml", route("ns", r,
			fmt.Sprintf("spec:\n  parentRefs:\n    - name: gw-%d\n  rules:\n    - name: one\n      backendRefs:\n        - {name: %s, port: 80}\n", i%3, s)))
		f.add("services/"+s+".yaml", object("v1", "Service", "ns", s, "spec:\n  ports:\n    - {name: http, port: 80}\n"))
		if spread == Each || i == 0 {
			addColors(f, "gateway.networking.k8s.io", "HTTPRoute", r)
			addColors(f, "", "Service", s)
		}
	}
	return f
}

// addColors attaches two policies to a target: overrides and defaults, both with the merge
// strategy patch.
func addColors(f Files, group, kind, target string) {
	for i, body := range []string{"overrides", "defaults"} {
		name := fmt.Sprintf("p%d-%s", i, target)
		f.add("policies/"+name+".yaml", object("ex.io/v1", "ColorPolicy", "ns", name, fmt.Sprintf(`spec:
  targetRef: {group: %q, kind: %s, name: %s}
  %s:
    strategy: patch
    a%s: %s
    b%d: %s
    shared: %s
`, group, kind, target, body, kind, target, i, target, kind)))
	}
}

// Egctl returns the workload that `egctl x translate` was measured with, where a route cost
// 75 ms of CPU. egctl reads one file: concatenate these in the order of their names.
func Egctl(n int) Files {
	f := Files{}
	f.add("part-0000.yaml", object("gateway.networking.k8s.io/v1", "GatewayClass", "", "eg", "spec:\n  controllerName: gateway.envoyproxy.io/gatewayclass-controller\n"),
		object("v1", "Namespace", "", "ns", ""))
	for i := range 3 {
		addEnvoyGateway(f, fmt.Sprintf("gw-%d", i))
	}
	for i := range n {
		// Each file stays well below the size limit of one file.
		part := fmt.Sprintf("part-%04d.yaml", 1+i/1000)
		name := fmt.Sprintf("r-%d", i)
		f.add(part, route("ns", name, fmt.Sprintf(`spec:
  parentRefs:
    - name: gw-%d
  hostnames: ["h%d.example.com"]
  rules:
    - name: one
      matches:
        - path: {type: PathPrefix, value: /}
      backendRefs:
        - {name: s-%d, port: 80}
`, i%3, i, i)),
			object("v1", "Service", "ns", fmt.Sprintf("s-%d", i),
				"spec:\n  clusterIP: 10.0.0.1\n  ports:\n    - {name: http, port: 80, targetPort: 8080, protocol: TCP}\n"))
		if i%10 == 0 {
			f.add(part, object("gateway.envoyproxy.io/v1alpha1", "BackendTrafficPolicy", "ns", "btp-"+name,
				"spec:\n  mergeType: StrategicMerge\n"+targets("HTTPRoute", name)+"  retry:\n    numRetries: 1\n"))
		}
	}
	return f
}

func addEnvoyGateway(f Files, name string) {
	f.add("part-0000.yaml", object("gateway.networking.k8s.io/v1", "Gateway", "ns", name,
		"spec:\n  gatewayClassName: eg\n  listeners:\n    - {name: http, port: 80, protocol: HTTP}\n    - {name: alt, port: 8080, protocol: HTTP}\n"),
		object(envoy, "BackendTrafficPolicy", "ns", "btp-"+name, "spec:\n"+targets("Gateway", name)+
			"  timeout:\n    http:\n      connectionIdleTimeout: 10s\n  retry:\n    numRetries: 3\n"),
		object(envoy, "SecurityPolicy", "ns", "sp-"+name, "spec:\n"+targets("Gateway", name)+
			"  cors:\n    allowOrigins: [\"https://a.example\"]\n"))
}
