package exposure_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
)

// detaching is an edit after which a protecting policy no longer attaches to its target.
type detaching struct {
	name string
	// edit changes the world. It returns false if the edit does not apply.
	edit func(w *world, a attachment) bool
}

var detachingEdits = []detaching{
	{"the policy is deleted", func(w *world, _ attachment) bool {
		delete(w.docs, "policy")
		return true
	}},
	{"the policy names another object", func(w *world, a attachment) bool {
		return w.eachReference(a, func(ref doc) bool { return put(ref, "name", "nobody") })
	}},
	{"the policy names another kind", func(w *world, a attachment) bool {
		return w.eachReference(a, func(ref doc) bool { return put(ref, "kind", "TCPRoute") })
	}},
	{"the policy names another section", func(w *world, a attachment) bool {
		return w.eachReference(a, func(ref doc) bool {
			if a.section == "" {
				return false
			}
			if a.form.Section == "sectionNames" {
				return put(ref, a.form.Section, []any{"nothing"})
			}
			return put(ref, a.form.Section, "nothing")
		})
	}},
	{"the policy moves to another namespace", func(w *world, a attachment) bool {
		if a.form.Form == "via" && a.part == "class" || w.meta("policy")["namespace"] == nil {
			return false // the reference contains the namespace, or the policy has none
		}
		w.meta("policy")["namespace"] = "elsewhere"
		return true
	}},
	{"the labels of the target go", func(w *world, a attachment) bool {
		if a.form.Form != "selectors" {
			return false
		}
		delete(w.meta(a.part), "labels")
		return true
	}},
	{"the filter that names the policy goes", func(w *world, a attachment) bool {
		if a.form.Form != "extension-ref" {
			return false
		}
		delete(w.rule(a.part, 0), "filters")
		return true
	}},
	{"the annotation that names the policy goes", func(w *world, a attachment) bool {
		if a.form.Form != "reverse-annotation" {
			return false
		}
		delete(w.meta(a.part), "annotations")
		return true
	}},
	{"the parameters go", func(w *world, a attachment) bool {
		if a.form.Form != "via" {
			return false
		}
		if a.part == "class" {
			delete(w.spec("class"), "parametersRef")
		} else {
			delete(w.spec("gateway"), "infrastructure")
		}
		return true
	}},
	{"the route is renamed without the policy", func(w *world, a attachment) bool {
		if a.part != "route" && a.part != "grpc" || slices.Contains([]string{"selectors", "extension-ref", "reverse-annotation"}, a.form.Form) {
			return false
		}
		w.meta(a.part)["name"] = "another"
		return true
	}},
	{"the rule is renamed without the policy", func(w *world, a attachment) bool {
		if a.part != "route" && a.part != "grpc" || a.section == "" {
			return false
		}
		w.rule(a.part, 0)["name"] = "another"
		return true
	}},
}

func put(d doc, key string, value any) bool {
	d[key] = value
	return true
}

// eachReference edits the target reference of the policy, if it has one.
func (w *world) eachReference(a attachment, edit func(ref doc) bool) bool {
	switch a.form.Form {
	case "one":
		return edit(at(w.spec("policy"), a.form.Path).(doc))
	case "list":
		ref := at(w.spec("policy"), a.form.Path).([]any)[0].(doc)
		if a.form.Object != "" {
			ref = ref[a.form.Object].(doc)
		}
		return edit(ref)
	}
	return false
}

func at(d doc, path string) any {
	var v any = d
	for step := range strings.SplitSeq(path, ".") {
		v = v.(doc)[step]
	}
	return v
}

// detachings returns mutations that detach a protecting policy from its target, by each edit.
func detachings(e *catalogue.Entry) []mutation {
	var out []mutation
	if admits(e) {
		return nil
	}
	for _, a := range attachments(e) {
		for _, d := range detachingEdits {
			probe, ok := guarded(rand.New(rand.NewPCG(1, 1)), e, a)
			if !ok || !d.edit(probe, a) {
				continue
			}
			name := strings.TrimRight(fmt.Sprintf("%s %s (%s at %s %s)", e.ID, d.name, a.form.Form, a.part, a.section), " ")
			out = append(out, mutation{name: name, least: plan.Error, make: func(r *rand.Rand) (*world, *world) {
				before, _ := guarded(r, e, a)
				after := before.clone()
				d.edit(after, a)
				return before, after
			}})
		}
	}
	return out
}

// breakages returns mutations that break working routes, backends and listeners.
func breakages() []mutation {
	var out []mutation
	for _, b := range []struct {
		name string
		edit func(w *world)
	}{
		{"a hostname that no listener takes", func(w *world) { w.spec("route")["hostnames"] = []any{"app.example.org"} }},
		{"a section that no Gateway has", func(w *world) { w.parents("route", doc{"name": "public", "sectionName": "wbe"}) }},
		{"a Gateway that is not there", func(w *world) { w.parents("route", doc{"name": "publik"}) }},
		{"a listener with another name", func(w *world) { w.listener("gateway", 0)["name"] = "wbe" }},
		{"a listener for another hostname", func(w *world) { w.listener("gateway", 0)["hostname"] = "*.example.org" }},
		{"a listener that takes no routes of here", func(w *world) {
			w.listener("gateway", 0)["allowedRoutes"] = doc{"namespaces": doc{"from": "Selector", "selector": doc{"matchLabels": doc{"team": "red"}}}}
		}},
		{"a listener that goes", func(w *world) {
			w.spec("gateway")["listeners"] = w.spec("gateway")["listeners"].([]any)[1:]
		}},
		{"a backend that is not there", func(w *world) { w.backend("route", "name", "ap") }},
		{"a port that no Service has", func(w *world) { w.backend("route", "port", 81) }},
		{"a backend without a grant", func(w *world) { w.backend("route", "namespace", "elsewhere") }},
		{"a Service that goes", func(w *world) { delete(w.docs, "service") }},
		{"a grant that goes", func(w *world) { delete(w.docs, "grant") }},
		{"a class that is not there", func(w *world) { w.spec("gateway")["gatewayClassName"] = "publik" }},
		{"a Namespace that loses its label", func(w *world) { delete(w.meta("namespace"), "labels") }},
	} {
		out = append(out, mutation{name: "broken: " + b.name, least: plan.Error, make: func(r *rand.Rand) (*world, *world) {
			before := serving(r)
			after := before.clone()
			b.edit(after)
			return before, after
		}})
	}
	return out
}

// serving returns a world with working routes, some of which need a selector or a grant.
func serving(r *rand.Rand) *world {
	w := newWorld(r, "gateway.envoyproxy.io/gatewayclass-controller")
	for _, key := range []string{"route", "bystander", "grpc"} {
		w.parents(key, doc{"name": "public", "sectionName": "web"})
	}
	w.listener("gateway", 0)["hostname"] = "*.example.com"
	w.listener("gateway", 0)["allowedRoutes"] = doc{"namespaces": doc{"from": "Selector", "selector": doc{"matchLabels": doc{"team": "blue"}}}}
	w.put("far", "v1", "Service", "far", doc{"selector": doc{"app": "far"}, "ports": []any{doc{"port": 80}}})
	w.meta("far")["namespace"] = "elsewhere"
	w.docs["elsewhere"] = doc{"apiVersion": "v1", "kind": "Namespace", "metadata": doc{"name": "elsewhere"}}
	w.put("grant", "gateway.networking.k8s.io/v1beta1", "ReferenceGrant", "far", doc{
		"from": []any{doc{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "namespace": w.namespace}},
		"to":   []any{doc{"group": "", "kind": "Service"}},
	})
	w.meta("grant")["namespace"] = "elsewhere"
	w.rule("route", 1)["backendRefs"] = []any{doc{"name": "far", "namespace": "elsewhere", "port": 80}}
	return w
}

func (w *world) parents(key string, refs ...any) { w.spec(key)["parentRefs"] = refs }

func (w *world) backend(key, field string, value any) {
	w.rule(key, 0)["backendRefs"].([]any)[0].(doc)[field] = value
}

// admits reports whether the policies of a kind allow requests, so that removing one
// protects more.
func admits(e *catalogue.Entry) bool {
	return slices.ContainsFunc(e.Protects, func(p catalogue.Protection) bool { return p.Path == "*" && p.Loosens == catalogue.Added })
}
