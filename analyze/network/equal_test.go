package network_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
)

// equalWorld has an object of each sort that decides, with something in each that does not.
const equalWorld = `
{apiVersion: v1, kind: Namespace, metadata: {name: shop, annotations: {a: b}, labels: {team: shop}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: far, labels: {team: far}}}
---
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop, annotations: {a: b}}, spec: {selector: {app: web}, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: db, namespace: data}, spec: {selector: {app: db}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {of: web}}, spec: {replicas: 1, template: {metadata: {labels: {app: web}}, spec: {containers: [{ports: [{name: http, containerPort: 80}]}]}}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: client, namespace: far, labels: {app: client}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: tools, namespace: ops}, spec: {template: {}}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p, namespace: shop, annotations: {a: b}}, spec: {podSelector: {matchLabels: {app: web}}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: far}}}], ports: [{port: http}]}]}}
---
{apiVersion: projectcalico.org/v3, kind: GlobalNetworkSet, metadata: {name: offices, labels: {office: a}}, spec: {nets: [10.0.0.0/8]}}
---
{apiVersion: projectcalico.org/v3, kind: NetworkPolicy, metadata: {name: c, namespace: far}, spec: {selector: app == 'client', types: [Egress], egress: [
  {action: Allow, destination: {services: {name: web, namespace: shop}}}, {action: Allow, destination: {services: {name: db, namespace: data}}}, {action: Allow, destination: {selector: office == 'a', namespaceSelector: global()}}]}}
---
{apiVersion: cilium.io/v2, kind: CiliumNetworkPolicy, metadata: {name: d, namespace: far}, spec: {endpointSelector: {}, ingress: [{fromEndpoints: [{matchLabels: {k8s:io.kubernetes.pod.namespace: other, app: x}}]}]}}
`

// Two revisions are equal where nothing differs that decides about connections, and only there.
func TestEqualWhereNothingDecidesAnew(t *testing.T) {
	// known are the labels of namespaces in equalWorld, with those of one more.
	known := func(name string, labels map[string]string) func(*network.Side) {
		return func(s *network.Side) {
			s.Namespaces = namespaces{"shop": {"team": "shop"}, "far": {"team": "far"}, name: labels}
		}
	}
	for what, c := range map[string]struct {
		// old and new are the edit of the text, base and head that of what is known beside it.
		old, new   string
		base, head func(*network.Side)
		equal      bool
		// untold means that the comparison says nothing of it: nothing could connect to a new workload before.
		untold bool
	}{
		"nothing":                                   {equal: true},
		"an annotation of a namespace":              {old: "name: shop, annotations: {a: b}", new: "name: shop", equal: true},
		"an annotation of a Service":                {old: "name: web, namespace: shop, annotations: {a: b}", new: "name: web, namespace: shop", equal: true},
		"an annotation of a policy":                 {old: "name: p, namespace: shop, annotations: {a: b}", new: "name: p, namespace: shop", equal: true},
		"a label of a workload that pods have not":  {old: "of: web", new: "of: shop", equal: true},
		"how many pods there are":                   {old: "replicas: 1", new: "replicas: 2", equal: true},
		"a label of pods":                           {old: "labels: {app: web}", new: "labels: {app: db}"},
		"a label of a Pod":                          {old: "labels: {app: client}", new: "labels: {app: x}"},
		"a port of pods":                            {old: "containerPort: 80", new: "containerPort: 81"},
		"a workload in another namespace":           {old: "name: client, namespace: far", new: "name: client, namespace: shop", untold: true},
		"a policy":                                  {old: "{port: http}", new: "{port: 443}"},
		"a policy in another namespace":             {old: "name: p, namespace: shop", new: "name: p, namespace: far"},
		"the labels of a set of networks":           {old: "{office: a}", new: "{office: b}"},
		"a set of networks without a spec":          {old: "spec: {nets", new: "status: {nets"},
		"what a Service selects":                    {old: "selector: {app: web}, ports", new: "selector: {app: none}, ports"},
		"the labels of a namespace":                 {old: "{team: far}}}\n---\n{apiVersion: v1, kind: Service", new: "{team: shop}}}\n---\n{apiVersion: v1, kind: Service"},
		"a namespace that is declared":              {old: "\n---", new: "\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: other, labels: {team: far}}}\n---"},
		"labels elsewhere, of workloads":            {base: known("ops", map[string]string{"team": "far"}), head: known("ops", map[string]string{"team": "ops"})},
		"labels elsewhere, of a Service":            {base: known("data", map[string]string{"team": "far"}), head: known("data", map[string]string{"team": "data"})},
		"labels of a namespace that a policy names": {base: known("other", map[string]string{}), head: known("shop", map[string]string{"team": "shop"})},
		"whether labels are known":                  {head: known("ops", nil)},
		"whether there are other pods":              {base: func(s *network.Side) { s.Complete = true; known("other", nil)(s) }},
	} {
		if c.old != "" && !strings.Contains(equalWorld, c.old) {
			t.Fatalf("%s: nothing to edit", what)
		}
		base, head := sideOf(t, equalWorld), sideOf(t, strings.Replace(equalWorld, c.old, c.new, 1))
		base.Complete, head.Complete = false, false
		for side, edit := range map[*network.Side]func(*network.Side){&base: c.base, &head: c.head} {
			if edit != nil {
				edit(side)
			}
		}
		if got := network.Equal(base, head); got != c.equal {
			t.Errorf("%s: equal: %t, want %t", what, got, c.equal)
		}
		if d := told(network.Compare(base, head)); (len(d) == 0) != (c.equal || c.untold) {
			t.Errorf("%s: equal: %t, and %q differs", what, c.equal, d)
		}
	}
}
