package network_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// What BenchmarkCompare compares: a cluster of some size, and one policy edited.
const (
	benchNamespaces = 40
	benchWorkloads  = 1000
	benchPolicies   = 500
)

// cluster writes the manifests of a cluster: namespaces of teams, Deployments of tiers with named ports, and
// NetworkPolicies that isolate them and let through what they need.
func cluster(workloads, policies int) string {
	var b strings.Builder
	for n := range benchNamespaces {
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns-%02d, labels: {team: team-%d, stage: stage-%d}}}\n", n, n%8, n%3)
	}
	for i := range workloads {
		fmt.Fprintf(&b, "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: app-%d, namespace: ns-%02d}, spec: {template: {metadata: {labels: {app: app-%d, tier: tier-%d}}, "+
			"spec: {containers: [{name: main, ports: [{name: http, containerPort: %d}, {name: metrics, containerPort: 9090}]}]}}}}\n",
			i, i%benchNamespaces, i, i/benchNamespaces%5, 8000+i%7)
	}
	for i := range policies {
		fmt.Fprintf(&b, "---\n{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: policy-%d, namespace: ns-%02d}, spec: {%s}}\n", i, i%benchNamespaces, clusterPolicy(i))
	}
	return b.String()
}

// clusterPolicy writes the spec of a policy, in turn of each form.
func clusterPolicy(i int) string {
	tier, other := i/benchNamespaces%5, (i/benchNamespaces+1)%5
	switch i % 6 {
	case 0:
		return "podSelector: {}, policyTypes: [Ingress]"
	case 1:
		return fmt.Sprintf("podSelector: {matchLabels: {tier: tier-%d}}, ingress: [{from: [{podSelector: {matchLabels: {tier: tier-%d}}}], ports: [{port: %d}]}]", tier, other, 8000+i%7)
	case 2:
		return fmt.Sprintf("podSelector: {matchLabels: {tier: tier-%d}}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: team-%d}}}], ports: [{port: http}]}, "+
			"{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ns-00}}}], ports: [{port: metrics}]}]", tier, i%8)
	case 3:
		return fmt.Sprintf("podSelector: {matchLabels: {tier: tier-%d}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {stage: stage-%d}}, "+
			"podSelector: {matchExpressions: [{key: tier, operator: In, values: [tier-%d, tier-%d]}]}}], ports: [{port: http}, {port: 5432}]}, {ports: [{port: 53, protocol: UDP}, {port: 53}]}]", tier, i%3, tier, other)
	case 4:
		return fmt.Sprintf("podSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [tier-%d]}]}, ingress: [{from: [{ipBlock: {cidr: 203.%d.0.0/16, except: [203.%d.7.0/24]}}], "+
			"ports: [{port: 8000, endPort: %d}]}]", tier, i%200, i%200, 8010+i%5)
	}
	return fmt.Sprintf("podSelector: {matchLabels: {app: app-%d}}, policyTypes: [Ingress, Egress], ingress: [{from: [{podSelector: {}}]}], "+
		"egress: [{to: [{podSelector: {}}]}, {to: [{ipBlock: {cidr: 198.51.%d.0/24}}], ports: [{port: 443}]}]", i, i%200)
}

// benchEdits are edits of one policy: a rule of one direction gets another port.
var benchEdits = []struct{ direction, old, edited string }{
	{"ingress", "ports: [{port: http}]", "ports: [{port: http}, {port: 8443}]"},
	{"egress", "{port: 5432}", "{port: 5432}, {port: 8443}"},
}

// benchSide reads manifests for a benchmark.
func benchSide(b *testing.B, text string) network.Side {
	b.Helper()
	names := namespaces{}
	s := network.Side{Namespaces: names}
	for _, d := range manifest.Decode([]byte(text), manifest.Options{}).Documents {
		o := &loader.Object{ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: d.Root, Files: []string{"world.yaml"}}
		o.Digest = loader.Digest(o.ID, o.Root)
		if d.Kind == "Namespace" {
			names[d.Name] = o.Labels()
			s.Declared = append(s.Declared, o)
			continue
		}
		s.Objects = append(s.Objects, o)
	}
	slices.SortFunc(s.Objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return s
}

// BenchmarkCompare compares two revisions of a cluster: one whose manifests are all there is, and one that
// may have further pods.
func BenchmarkCompare(b *testing.B) {
	text := cluster(benchWorkloads, benchPolicies)
	base := benchSide(b, text)
	for _, edit := range benchEdits {
		head := benchSide(b, strings.Replace(text, edit.old, edit.edited, 1))
		for _, complete := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/complete=%t", edit.direction, complete), func(b *testing.B) {
				base, head := base, head
				base.Complete, head.Complete = complete, complete
				b.ReportAllocs()
				for b.Loop() {
					if d := network.Compare(base, head); len(d.Changes) == 0 {
						b.Fatal("the edit changes nothing")
					}
				}
			})
		}
	}
}

// BenchmarkNew makes the world of one revision, and asks it about one connection.
func BenchmarkNew(b *testing.B) {
	side := benchSide(b, cluster(benchWorkloads, benchPolicies))
	side.Complete = true
	b.ReportAllocs()
	for b.Loop() {
		w := network.New(side)
		w.Connect(0, 1, network.Range{Protocol: network.TCP, From: 8000, To: 8000})
	}
}
