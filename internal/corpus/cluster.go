package corpus

import "fmt"

// Apps share namespaces and gateways.
const (
	appsPerNamespace = 5
	appsPerGateway   = 50
)

// addCluster adds the objects of the platform team: Gateways, their policies, Namespaces.
func addCluster(f Files, cluster string, apps []app) {
	infra := "clusters/" + cluster + "/infra/"
	f.add(infra+"gatewayclass.yaml", object("gateway.networking.k8s.io/v1", "GatewayClass", "", "public",
		"spec:\n  controllerName: gateway.envoyproxy.io/gatewayclass-controller\n"))
	for i := 0; i == 0 || i*appsPerGateway < len(apps); i++ {
		addGateway(f, infra, cluster, gatewayName(i))
	}
	for i := 0; i*appsPerNamespace < len(apps); i++ {
		addNamespace(f, "clusters/"+cluster+"/namespaces/", i)
	}
}

func gatewayName(i int) string { return fmt.Sprintf("gateway-%02d", i) }

func namespaceName(i int) string { return fmt.Sprintf("team-%03d", i) }

// addGateway adds a Gateway and five policies for it, of two projects.
func addGateway(f Files, infra, cluster, name string) {
	f.add(infra+name+".yaml", object("gateway.networking.k8s.io/v1", "Gateway", "infra", name, fmt.Sprintf(`spec:
  gatewayClassName: public
  listeners:
    - name: http
      port: 80
      protocol: HTTP
      allowedRoutes:
        namespaces:
          from: All
    - name: https
      port: 443
      protocol: HTTPS
      hostname: "*.%s.example.com"
      tls:
        mode: Terminate
        certificateRefs:
          - name: %s-tls
      allowedRoutes:
        namespaces:
          from: Selector
          selector:
            matchLabels:
              gateway-access: "true"
`, cluster, name)))
	target := targets("Gateway", name)
	single := "  targetRef:\n    group: gateway.networking.k8s.io\n    kind: Gateway\n    name: " + name + "\n"
	add := func(apiVersion, kind, suffix, spec string) {
		f.add(infra+name+"-"+suffix+".yaml", object(apiVersion, kind, "infra", name+"-"+suffix, "spec:\n"+spec))
	}
	add(envoy, "BackendTrafficPolicy", "traffic", target+"  timeout:\n    http:\n      requestTimeout: 30s\n  retry:\n    numRetries: 2\n")
	add(envoy, "ClientTrafficPolicy", "clients", target+"      sectionName: https\n  clientIPDetection:\n    xForwardedFor:\n      numTrustedHops: 1\n")
	add(envoy, "SecurityPolicy", "cors", target+"  cors:\n    allowOrigins:\n      - https://example.com\n    allowMethods:\n      - GET\n      - POST\n")
	add("kuadrant.io/v1", "RateLimitPolicy", "limits", single+"  defaults:\n    limits:\n      global:\n        rates:\n          - limit: 100\n            window: 10s\n")
	add("kuadrant.io/v1", "AuthPolicy", "auth", single+"  overrides:\n    rules:\n      authentication:\n        users:\n          jwt:\n            issuerUrl: https://sso.example.com/realms/main\n")
}

// addNamespace adds a Namespace and its quota. For every third one it adds a policy of a kind
// that the catalogue does not contain.
func addNamespace(f Files, folder string, i int) {
	name := namespaceName(i)
	file := folder + name + ".yaml"
	f.add(file, object("v1", "Namespace", "", name, "  labels:\n    gateway-access: \"true\"\n"),
		object("v1", "ResourceQuota", name, "quota", "spec:\n  hard:\n    requests.cpu: \"20\"\n    requests.memory: 64Gi\n    pods: \"200\"\n"))
	if i%3 == 0 {
		f.add(file, object("policies.example.com/v1", "TimeoutPolicy", name, "timeouts",
			"spec:\n  targetRef:\n    kind: Namespace\n    name: "+name+"\n  defaults:\n    timeouts:\n      request: 15s\n"))
	}
}
