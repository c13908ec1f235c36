package exposure_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// neutralEdit is an edit that affects no request. edit returns false if it does not apply.
type neutralEdit struct {
	name string
	edit func(w *world, e *catalogue.Entry, a attachment) bool
}

var neutralEditList = []neutralEdit{
	{"files move", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.folder = "elsewhere/deep"
		return true
	}},
	{"files become one", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.layout.single = true
		return true
	}},
	{"documents change their order", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.layout.single, w.layout.reversed = true, true
		return true
	}},
	{"comments", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.layout.comments = true
		return true
	}},
	{"flow style", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.layout.flow = true
		return true
	}},
	{"an object of no concern comes", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		w.put("settings", "v1", "ConfigMap", "settings", nil)
		return true
	}},
	{"labels that nothing selects", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		for _, key := range []string{"route", "bystander"} {
			labels, _ := w.meta(key)["labels"].(doc)
			labels = clone(labels).(doc)
			labels["version"] = "two"
			w.meta(key)["labels"] = labels
		}
		return true
	}},
	{"defaults written out", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		for _, key := range []string{"route", "bystander"} {
			for _, rule := range w.spec(key)["rules"].([]any) {
				backend := rule.(doc)["backendRefs"].([]any)[0].(doc)
				backend["group"], backend["kind"], backend["weight"] = "", "Service", 1
			}
			for _, parent := range w.spec(key)["parentRefs"].([]any) {
				ref := parent.(doc)
				ref["group"] = "gateway.networking.k8s.io"
				if ref["kind"] == nil {
					ref["kind"] = "Gateway"
				}
				ref["namespace"] = w.namespace
			}
		}
		w.listener("gateway", 0)["allowedRoutes"] = doc{"namespaces": doc{"from": "Same"}}
		return true
	}},
	{"rules that share no request change their order", func(w *world, _ *catalogue.Entry, a attachment) bool {
		if a.section != "" && strings.HasPrefix(a.section, "rule") {
			return false
		}
		for _, key := range []string{"route", "bystander", "grpc"} {
			slices.Reverse(w.spec(key)["rules"].([]any))
		}
		return true
	}},
	{"hostnames, parents and backends change their order", func(w *world, _ *catalogue.Entry, _ attachment) bool {
		slices.Reverse(w.spec("route")["parentRefs"].([]any))
		slices.Reverse(w.spec("gateway")["listeners"].([]any))
		return true
	}},
	{"the policy is renamed", func(w *world, e *catalogue.Entry, a attachment) bool {
		w.renamePolicy(e, a, "shield")
		return true
	}},
	{"the route is renamed with all that names it", func(w *world, _ *catalogue.Entry, a attachment) bool {
		w.rename("route", a, "storefront")
		return true
	}},
	{"the route gets a prefix with all that names it", func(w *world, _ *catalogue.Entry, a attachment) bool {
		w.rename("route", a, "prod-app")
		w.rename("bystander", a, "prod-bystander")
		w.rename("grpc", a, "prod-calls")
		return true
	}},
	{"a listener is renamed with all that names it", func(w *world, _ *catalogue.Entry, a attachment) bool {
		w.listener("gateway", 0)["name"] = "public-web"
		for _, key := range []string{"route", "bystander", "grpc"} {
			w.spec(key)["parentRefs"].([]any)[0].(doc)["sectionName"] = "public-web"
		}
		return a.section != "web" || w.eachReference(a, func(ref doc) bool {
			if a.form.Section == "sectionNames" {
				return put(ref, a.form.Section, []any{"public-web"})
			}
			return put(ref, a.form.Section, "public-web")
		})
	}},
	{"a route that nothing guards is split in two", func(w *world, _ *catalogue.Entry, a attachment) bool {
		if a.part == "namespace" {
			return false
		}
		half := clone(w.docs["bystander"]).(doc)
		rules := w.spec("bystander")["rules"].([]any)
		half["metadata"].(doc)["name"] = "bystander-rest"
		half["spec"].(doc)["rules"] = []any{clone(rules[1])}
		w.spec("bystander")["rules"] = rules[:1]
		w.docs["half"] = half
		return true
	}},
}

// quietEdits change how requests are served, but loosen no protection.
var quietEdits = []struct {
	name string
	edit func(w *world)
}{
	{"another hostname", func(w *world) { w.spec("route")["hostnames"] = []any{"new.example.com"} }},
	{"a route moves to an equal Gateway", func(w *world) { w.parents("route", doc{"name": "second"}) }},
	{"all routes move to an equal Gateway", func(w *world) {
		for _, key := range []string{"route", "bystander", "grpc"} {
			w.parents(key, doc{"name": "second"})
		}
		delete(w.docs, "gateway")
		delete(w.docs, "set")
	}},
	{"a route keeps to https", func(w *world) { w.parents("route", doc{"name": "public", "sectionName": "secure"}) }},
	{"another backend of the same namespace", func(w *world) { w.backend("route", "name", "other") }},
	{"a rule for some of the paths", func(w *world) {
		w.rule("route", 0)["matches"] = []any{doc{"path": doc{"type": "PathPrefix", "value": "/api/v2"}}}
	}},
	{"a route like the others", func(w *world) {
		own := clone(w.docs["bystander"]).(doc)
		own["metadata"].(doc)["name"] = "newcomer"
		own["spec"].(doc)["hostnames"] = []any{"new.example.com"}
		w.docs["newcomer"] = own
	}},
	{"a route goes", func(w *world) { delete(w.docs, "bystander") }},
	{"weights", func(w *world) {
		w.rule("route", 0)["backendRefs"] = []any{doc{"name": "app", "port": 80, "weight": 90}, doc{"name": "other", "port": 80, "weight": 10}}
	}},
	{"a Service gives its port a name", func(w *world) {
		w.spec("service")["ports"] = []any{doc{"name": "web", "port": 80, "targetPort": 8000}}
	}},
	{"a narrower hostname of a listener", func(w *world) { w.listener("gateway", 1)["hostname"] = "*.example.com" }},
}

// quiet returns mutations for quietEdits, in a world with a plain and a TLS listener.
func quiet() []mutation {
	var out []mutation
	for _, q := range quietEdits {
		out = append(out, mutation{name: "quiet: " + q.name, least: "", make: func(r *rand.Rand) (*world, *world) {
			before := newWorld(r, "gateway.envoyproxy.io/gatewayclass-controller")
			before.spec("gateway")["listeners"] = []any{
				doc{"name": "web", "port": 80, "protocol": "HTTP"},
				doc{"name": "secure", "port": 443, "protocol": "HTTPS", "tls": tls(doc{"mode": "Terminate"})},
			}
			before.put("cert", "v1", "Secret", "cert", nil)
			before.docs["cert"]["type"] = "kubernetes.io/tls"
			before.docs["second"] = clone(before.docs["gateway"]).(doc)
			before.meta("second")["name"] = "second"
			for _, key := range []string{"route", "bystander", "grpc"} {
				before.parents(key, doc{"name": "public"})
			}
			after := before.clone()
			q.edit(after)
			return before, after
		}})
	}
	return out
}

// renamePolicy renames the policy, and updates the references to it.
func (w *world) renamePolicy(e *catalogue.Entry, a attachment, name string) {
	w.meta("policy")["name"] = name
	switch a.form.Form {
	case "extension-ref":
		w.rule(a.part, 0)["filters"].([]any)[0].(doc)["extensionRef"].(doc)["name"] = name
	case "reverse-annotation":
		w.meta(a.part)["annotations"] = doc{strings.TrimPrefix(a.form.Path, "annotation:"): name}
	case "via":
		if a.part == "class" {
			w.spec("class")["parametersRef"].(doc)["name"] = name
		} else {
			w.spec("gateway")["infrastructure"].(doc)["parametersRef"].(doc)["name"] = name
		}
	}
}

// rename renames an object, and updates the reference of the policy to it.
func (w *world) rename(key string, a attachment, name string) {
	w.meta(key)["name"] = name
	if a.part == key {
		w.eachReference(a, func(ref doc) bool { return put(ref, "name", name) })
	}
}

// neutralEdits returns the neutral mutations for the worlds of a kind.
func neutralEdits(e *catalogue.Entry) []mutation {
	var out []mutation
	for _, a := range attachments(e) {
		for _, n := range neutralEditList {
			probe, ok := guarded(rand.New(rand.NewPCG(1, 1)), e, a)
			if !ok || !n.edit(probe, e, a) {
				continue
			}
			name := strings.TrimRight(fmt.Sprintf("%s %s (%s at %s %s)", e.ID, n.name, a.form.Form, a.part, a.section), " ")
			out = append(out, mutation{name: name, least: "", make: func(r *rand.Rand) (*world, *world) {
				before, _ := guarded(r, e, a)
				after := before.clone()
				n.edit(after, e, a)
				return before, after
			}})
		}
	}
	return out
}
