package loader

import (
	"slices"
	"strings"
	"testing"
)

func TestServingAt(t *testing.T) {
	text := `apiVersion: v1
kind: Namespace
metadata:
  name: shop # line 4
  labels:
    team: shop # line 6
---
apiVersion: apps/v1
kind: Deployment # line 9
metadata:
  name: db
  labels:
    version: "1" # line 13
spec:
  replicas: 0 # line 15
  selector: {matchLabels: {app: db}} # line 16
  template:
    metadata:
      labels:
        app: db # line 20
    spec:
      serviceAccountName: db # line 22
      containers:
      - name: db
        image: db:1 # line 25
        ports:
        - containerPort: 5432 # line 27
---
kind: Service
apiVersion: v1
spec:
  ports: [{name: sql, port: 5432}] # line 32
---
kind: ConfigMap
metadata:
  labels:
    team: shop # line 37
---
kind: StatefulSet
spec:
  template: {metadata: {labels: {app: cache}}} # line 41
`
	for line, want := range map[int]string{
		4: "", 6: "Namespace labels", 9: "Deployment", 13: "", 15: "Deployment replicas: 0", 16: "Deployment selector", 20: "Deployment template.labels",
		22: "Deployment template.serviceAccountName", 25: "", 27: "Deployment template.ports", 32: "Service", 37: "", 41: "StatefulSet template.labels",
	} {
		if got := strings.Join(ServingAt([]byte(text), func(at int) bool { return at == line }), ", "); got != want {
			t.Errorf("line %d is about %q, not %q", line, got, want)
		}
	}
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	every := func(int) bool { return true }
	if got := ServingAt([]byte(crlf), every); !slices.Equal(got, ServingAt([]byte(text), every)) {
		t.Errorf("with line ends of Windows: %q", got)
	}
}
