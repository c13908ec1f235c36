package network_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
)

// met returns a Pod for each namespace and each two matchLabels of subjects or peers, as far as they can be of one pod.
func met(docs []doc) []doc {
	var all []map[string]any
	for _, d := range docs {
		if d["kind"] == "NetworkPolicy" {
			all = append(all, matchLabels(d["spec"])...)
		}
	}
	var out []doc
	for _, name := range namespaceNames {
		for _, x := range all {
			for _, y := range all {
				both := maps.Clone(x)
				maps.Copy(both, y)
				if len(both) < len(x)+len(y) {
					continue // both have the same key
				}
				out = append(out, doc{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{}, "metadata": map[string]any{"name": "met", "namespace": name, "labels": both}})
			}
		}
	}
	return out
}

// matchLabels returns those of all selectors of pods inside a value.
func matchLabels(value any) []map[string]any {
	var out []map[string]any
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			out = append(out, matchLabels(inner)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if labels, ok := v[key].(map[string]any); ok && key == "matchLabels" {
				out = append(out, labels)
			}
			if key != "namespaceSelector" {
				out = append(out, matchLabels(v[key])...)
			}
		}
	}
	return out
}

// small is a policy that selects pods by one label, and lets them talk to pods of another namespace with one label.
func (g *generator) small() doc {
	names := oneOf(g, directions...)
	direction, side := names[0], names[1]
	label := func() map[string]any {
		key := oneOf(g, "app", "zone", "track")
		return map[string]any{"matchLabels": map[string]any{key: podKeys[key][0]}}
	}
	peer := func() any {
		return map[string]any{side: []any{map[string]any{"podSelector": label(), "namespaceSelector": map[string]any{"matchLabels": map[string]any{"kubernetes.io/metadata.name": oneOf(g, "blue", "red")}}}}}
	}
	spec := map[string]any{"podSelector": label(), "policyTypes": []any{map[string]any{"ingress": "Ingress", "egress": "Egress"}[direction]}}
	spec[direction] = []any{peer()}
	return g.object("networking.k8s.io/v1", "NetworkPolicy", oneOf(g, "blue", "red"), spec)
}

// withPeer returns a policy with one more rule.
func (g *generator) withPeer(policy doc) doc {
	spec := maps.Clone(policy["spec"].(map[string]any))
	for {
		for _, names := range directions {
			more, ok := g.small()["spec"].(map[string]any)[names[0]].([]any)
			if rules, has := spec[names[0]].([]any); has && ok {
				spec[names[0]] = slices.Concat(rules, more)
				return doc{"apiVersion": policy["apiVersion"], "kind": policy["kind"], "metadata": policy["metadata"], "spec": spec}
			}
		}
	}
}

// Where nothing changes for the pods that are presumed, nothing changes for a pod that two policies select at once.
func TestPodsOfTwoPolicies(t *testing.T) {
	t.Parallel()
	calm := 0
	for seed := range uint64(*worlds / 6) {
		g := newGenerator(3_000_000 + seed)
		base := []doc{g.small(), g.small(), g.small()}
		head := slices.Clone(base)
		head[0] = g.withPeer(base[0])
		with := func(docs []doc, pods ...doc) network.Side {
			side := sideOf(t, manifests(slices.Concat(docs, pods)))
			side.Complete = false
			return side
		}
		if len(network.Compare(with(base), with(head)).Changes) > 0 {
			continue
		}
		calm++
		for _, pod := range met(slices.Concat(base, head)) {
			for _, c := range network.Compare(with(base, pod), with(head, pod)).Changes {
				if len(c.Targets)+len(c.Sources) > 0 {
					t.Fatalf("not told: %v to %v on %v\npod %v\nbefore:\n%s\nafter:\n%s", c.From, c.To, c.Ports, pod, manifests(base), manifests(head))
				}
			}
		}
	}
	if calm < *worlds/100 {
		t.Errorf("only %d worlds do not differ", calm)
	}
}
