package outline

import "testing"

// A node is written as kind and name; a path that a finding is about stays a path.
func TestNodeName(t *testing.T) {
	for node, want := range map[string]string{
		"HTTPRoute/shop/pay":                    "HTTPRoute shop/pay",
		"RetryPolicy.example.com/baker/retries": "RetryPolicy baker/retries",
		"Gateway/infra/public#https":            "Gateway infra/public#https",
		"apps/base/pay.yaml":                    "apps/base/pay.yaml",
		"pay.yaml":                              "pay.yaml",
		"/pay.yaml":                             "/pay.yaml",
	} {
		if got := NodeName(node); got != want {
			t.Errorf("%s is written %q, want %q", node, got, want)
		}
	}
}
