package config_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/config"
)

const gatewayGroup = "gateway.networking.k8s.io"

func TestParseNode(t *testing.T) {
	for text, want := range map[string]loader.ID{
		"Service/shop/pay":                                  {Kind: "Service", Namespace: "shop", Name: "pay"},
		"Namespace/shop":                                    {Kind: "Namespace", Name: "shop"},
		"GatewayClass/public":                               {Group: gatewayGroup, Kind: "GatewayClass", Name: "public"},
		"Gateway/infra/public":                              {Group: gatewayGroup, Kind: "Gateway", Namespace: "infra", Name: "public"},
		"BackendTLSPolicy/shop/pay":                         {Group: gatewayGroup, Kind: "BackendTLSPolicy", Namespace: "shop", Name: "pay"},
		"RetryPolicy.example.com/shop/x":                    {Group: "example.com", Kind: "RetryPolicy", Namespace: "shop", Name: "x"},
		"Deployment.apps/shop/x":                            {Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "x"},
		"Service.serving.knative.dev/a/b":                   {Group: "serving.knative.dev", Kind: "Service", Namespace: "a", Name: "b"},
		"ClusterRole.rbac.authorization.k8s.io/system:node": {Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "system:node"},
	} {
		got, err := config.ParseNode(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if want.String() != text {
			t.Errorf("%s is written as %s; the case is wrong", text, want)
		}
	}
}

func TestParseNodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `"" is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace`,
		"a/b/c/d":                     `"a/b/c/d" is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace`,
		"Service/shop/":               `"" is not a valid name of an object; write it as in metadata.name`,
		"Service//pay":                `"" is not a valid name of a Namespace; use lower case letters, digits and dashes`,
		"Service/shop/a b":            `"a b" is not a valid name of an object; write it as in metadata.name`,
		"Service/shop/a\u009b":        `"a\u009b" is not a valid name of an object; write it as in metadata.name`,
		"/shop/pay":                   `"" is no kind; write it as in manifests, such as HTTPRoute`,
		"v1.Service/shop/pay":         `"Service" is not an API group; write a DNS name`,
		"Foo./shop/pay":               `"" is not an API group; write a DNS name`,
		"Service/pay":                 "a Service has a namespace; write Service/NAMESPACE/pay",
		"GatewayClass/infra/public":   "a GatewayClass has no namespace; write GatewayClass/public",
		"HTTPRoute/shop/pay#rule":     `"HTTPRoute/shop/pay#rule" names a section; write the object alone, without what begins at #`,
		"RetryPolicy/shop/x":          `"RetryPolicy" is a kind of neither core nor Gateway API; write its group, as in RetryPolicy.GROUP/NAMESPACE/NAME`,
		strings.Repeat("x", 300) + "": `"` + strings.Repeat("x", 80) + `"... is no node; write KIND[.GROUP]/NAMESPACE/NAME, or KIND/NAME without a namespace`,
	} {
		id, err := config.ParseNode(text)
		if err == nil || err.Error() != want || id != (loader.ID{}) {
			t.Errorf("%q: %v, %v; want %s", text, id, err, want)
		}
	}
}

// Nodes of all kinds that the catalogue knows are read back.
func TestParseNodeReadsTheCatalogue(t *testing.T) {
	catalogue, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalogue.Entries {
		id := loader.ID{Group: e.Group, Kind: e.Kind, Namespace: "a", Name: "b"}
		if got, err := config.ParseNode(id.String()); err != nil || got != id {
			t.Errorf("%s: %v, %v", id, got, err)
		}
	}
}
