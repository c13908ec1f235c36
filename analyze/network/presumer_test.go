package network_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/network"
)

// Pods are presumed for a bounded number of selectors. With more of them, nothing is said instead of something about the
// first ones alone.
func TestTooManySelectors(t *testing.T) {
	for n, want := range map[int]bool{100: false, 20_001: true} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "---\n{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p%d, namespace: ns}, spec: {podSelector: {matchLabels: {app: a%d}}, policyTypes: [Ingress]}}\n", i, i)
		}
		side := sideOf(t, text.String())
		side.Complete = false
		if got := network.New(side).Exceeded(); got != want {
			t.Errorf("%d selectors: exceeded: %t, want %t", n, got, want)
		}
	}
}
