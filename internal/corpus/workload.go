package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// workload returns the objects that run behind the route. As in real repositories, only the
// Deployment, the ConfigMap and the autoscaler differ between environments.
func (a app) workload(environment string) []document {
	r := random(a.seed, a.name+"/workload")
	documents := []document{
		{"deployment.yaml", a.deployment(r, environment)},
		{"service.yaml", object("v1", "Service", a.namespace, a.name, a.labels()+fmt.Sprintf(`spec:
  selector:
    app.kubernetes.io/name: %s
  ports:
    - name: http
      port: 80
      targetPort: http
    - name: metrics
      port: 9090
      targetPort: metrics
`, a.name))},
		{"configmap.yaml", a.configMap(r, environment)},
		{"serviceaccount.yaml", object("v1", "ServiceAccount", a.namespace, a.name, a.labels()+"automountServiceAccountToken: false\n")},
		{"hpa.yaml", object("autoscaling/v2", "HorizontalPodAutoscaler", a.namespace, a.name, a.labels()+fmt.Sprintf(`    example.com/environment: %s
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: %s
  minReplicas: 2
  maxReplicas: %d
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
`, environment, a.name, 4+r.IntN(20)))},
		{"pdb.yaml", object("policy/v1", "PodDisruptionBudget", a.namespace, a.name,
			a.labels()+"spec:\n  maxUnavailable: 1\n"+a.selector("  "))},
	}
	if chance(r, 0.4) {
		documents = append(documents, document{"networkpolicy.yaml", object("networking.k8s.io/v1", "NetworkPolicy", a.namespace, a.name,
			a.labels()+"spec:\n  podSelector:\n    matchLabels:\n      app.kubernetes.io/name: "+a.name+
				"\n  policyTypes:\n    - Ingress\n  ingress:\n    - from:\n        - namespaceSelector:\n            matchLabels:\n              kubernetes.io/metadata.name: infra\n      ports:\n        - port: http\n")})
	}
	return documents
}

func (a app) labels() string {
	return fmt.Sprintf("  labels:\n    app.kubernetes.io/name: %s\n    app.kubernetes.io/part-of: %s\n    app.kubernetes.io/managed-by: gitops\n", a.name, a.namespace)
}

func (a app) selector(indent string) string {
	return fmt.Sprintf("%sselector:\n%s  matchLabels:\n%s    app.kubernetes.io/name: %s\n", indent, indent, indent, a.name)
}

func (a app) deployment(r *rand.Rand, environment string) string {
	var env strings.Builder
	for i := range 4 + r.IntN(10) {
		fmt.Fprintf(&env, "            - name: SETTING_%02d\n              value: \"%s-%08x\"\n", i, environment, r.Uint32())
	}
	return object("apps/v1", "Deployment", a.namespace, a.name, a.labels()+fmt.Sprintf(`spec:
  replicas: %[1]d
%[2]s  template:
    metadata:
      labels:
        app.kubernetes.io/name: %[3]s
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9090"
    spec:
      serviceAccountName: %[3]s
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app.kubernetes.io/name: %[3]s
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: app
          image: registry.example.com/%[3]s:1.%[4]d.%[5]d
          ports:
            - name: http
              containerPort: 8080
            - name: metrics
              containerPort: 9090
          env:
%[6]s          volumeMounts:
            - name: config
              mountPath: /etc/app
              readOnly: true
            - name: scratch
              mountPath: /tmp
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 10
          livenessProbe:
            httpGet:
              path: /live
              port: http
            periodSeconds: 20
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
      volumes:
        - name: config
          configMap:
            name: %[3]s
        - name: scratch
          emptyDir: {}
`, 2+r.IntN(4), a.selector("  "), a.name, r.IntN(30), r.IntN(10), env.String()))
}

// configMap returns a ConfigMap with a block scalar that looks like a route to a search
// through the bytes which does not parse YAML.
func (a app) configMap(r *rand.Rand, environment string) string {
	var data strings.Builder
	for i := range 3 + r.IntN(8) {
		fmt.Fprintf(&data, "  key-%02d: \"%s-%016x\"\n", i, environment, r.Uint64())
	}
	return object("v1", "ConfigMap", a.namespace, a.name, a.labels()+"data:\n"+data.String()+`  template.yaml: |
    ---
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: not-a-route
    ---
    # The application fills this in; to Kubernetes it is a string.
    spec:
      parentRefs:
        - name: none
      rules:
        - backendRefs:
            - name: none
              port: 80
`)
}
