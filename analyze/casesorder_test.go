package analyze_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/answer"
)

// unjudgedOrders are the cases whose order is not in their manifests: between routes without a creation
// time the tests of Envoy Gateway keep the order of the file, its controller takes the names; two name an
// EnvoyProxy or a route twice in ways that a cluster does not have.
var unjudgedOrders = []string{
	"httproute-attaching-to-listener-with-backend-and-core-backendrefs", "httproute-attaching-to-listener-with-backend-backendref-host-infra",
	"httproute-rule-with-non-service-backends-and-websocket-app-protocols", "envoyproxy-preserve-route-order",
	"httproute-with-urlrewrite-hostname-filter-invalid",
}

// TestRouteOrder compares the order in which Envoy Gateway tries the routes of a listener with ours, where
// its cases are at hand.
func TestRouteOrder(t *testing.T) {
	dirs, err := filepath.Glob(cases + "/envoy-gateway/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		absent(t, cases+"/envoy-gateway")
		return
	}
	judged := 0
	for _, dir := range dirs {
		var want struct {
			Effective []struct{ Level, Listener, IRName string }
		}
		if err := json.Unmarshal([]byte(read(t, dir, "expected.json")), &want); err != nil {
			t.Fatal(err)
		}
		expected := map[string][]string{}
		for _, e := range want.Effective {
			if parts := strings.Split(e.IRName, "/"); e.Level == "route" && len(parts) >= 8 {
				key := e.Listener + " " + parts[len(parts)-1]
				expected[key] = append(expected[key], parts[1]+"/"+parts[2]+"/"+parts[4])
			}
		}
		o := options(t, "")
		o.Complete = true
		got := map[string][]string{}
		for _, p := range answer.Ports(analyze.Graph(snapshot(".", file{name: "input.yaml", text: read(t, dir, "input.yaml")}), o)) {
			for _, table := range p.Tables {
				for _, h := range table.Hosts() {
					for _, w := range h.Ways {
						owner := p.Gateway.Target.Namespace + "/" + p.Gateway.Target.Name
						if set := w.Listener.Owner; set != p.Gateway {
							owner += "/" + set.Target.Namespace + "/" + set.Target.Name
						}
						key := fmt.Sprintf("%s/%s %s", owner, w.Listener.Target.Section, strings.ReplaceAll(h.Name, ".", "_"))
						got[key] = append(got[key], fmt.Sprintf("%s/%s/%d", w.Route.Target.Namespace, w.Route.Target.Name, w.Rule.Index))
					}
				}
			}
		}
		for key, order := range expected {
			if len(order) < 2 {
				continue
			}
			if slices.Contains(unjudgedOrders, filepath.Base(dir)) {
				continue
			}
			judged++
			if !slices.Equal(got[key], order) {
				t.Errorf("%s: %s\n got %v\nwant %v", filepath.Base(dir), key, got[key], order)
			}
		}
	}
	t.Logf("%d hostnames with several routes", judged)
}
