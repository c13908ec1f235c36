package network

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Labels that the controllers of workloads add are there, with values that no manifest tells.
func TestGivenLabels(t *testing.T) {
	parse := func(text string) *loader.Value {
		docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
		if len(docs) != 1 || len(problems) > 0 {
			t.Fatal(text, problems)
		}
		return docs[0]
	}
	pods := podOf(&loader.Object{
		ID: loader.ID{Group: "apps", Kind: "StatefulSet", Namespace: "shop", Name: "db"}, Root: parse("spec: {template: {metadata: {labels: {app: db}}}}"),
	})
	for selector, want := range map[string]fact.Fact{
		"matchLabels: {app: db}":                                                                fact.True,
		"matchLabels: {statefulset.kubernetes.io/pod-name: db-0}":                               fact.Unknown,
		"matchLabels: {app: cart, statefulset.kubernetes.io/pod-name: db-0}":                    fact.False,
		"matchExpressions: [{key: statefulset.kubernetes.io/pod-name, operator: Exists}]":       fact.True,
		"matchExpressions: [{key: statefulset.kubernetes.io/pod-name, operator: DoesNotExist}]": fact.False,
		"matchLabels: {pod-template-hash: x}":                                                   fact.False,
	} {
		if got := pods.labels.Matches(parse(selector)); got != want {
			t.Errorf("%s: %v, want %v", selector, got, want)
		}
	}
}
