package exposure_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// doc is a manifest, or a part of one, as plain values.
type doc = map[string]any

const gatewayAPI = "gateway.networking.k8s.io/v1"

// world is a small set of manifests, keyed by role, such as "route" or "policy".
type world struct {
	*rand.Rand
	// namespace is the Namespace of the objects. host is the hostname of the main route.
	namespace, host string
	docs            map[string]doc
	// folder and layout define how the manifests are written.
	folder string
	layout layout
	// bare means that the policy has no field spec: its own fields are the spec.
	bare bool
	// partial means that objects may exist which are not in the input.
	partial bool
}

// layout is the form of the files, which has no effect on a plan.
type layout struct {
	// single writes all documents to one file. reversed writes the last document first.
	// comments adds comments. flow uses flow style.
	single, reversed, comments, flow bool
}

// newWorld returns a world with an object of each kind that policies may target. No policy
// targets its second HTTPRoute, the bystander.
func newWorld(r *rand.Rand, controller string) *world {
	return newWorldIn(r, []string{"shop", "bakery", "team-a", "prod"}[r.IntN(4)], "public-class", controller)
}

// worldFor returns a world in which a field of a kind has an effect: settings of TLS need listeners with TLS.
func worldFor(r *rand.Rand, e *catalogue.Entry, p catalogue.Protection) *world {
	w := newWorld(r, controllerOf(e))
	first, _, _ := strings.Cut(p.Path, ".")
	if !slices.Contains(e.CheckedWithTLS, first) {
		return w
	}
	w.partial = true // the Secret is elsewhere
	for _, key := range []string{"gateway", "set"} {
		for i := range w.spec(key)["listeners"].([]any) {
			w.listener(key, i)["protocol"], w.listener(key, i)["tls"] = "HTTPS", tls(doc{})
		}
	}
	return w
}

// newWorldIn returns a world that can stand beside others with another namespace and class.
func newWorldIn(r *rand.Rand, team, class, controller string) *world {
	w := &world{Rand: r, namespace: team, host: "app." + team + ".example.com", docs: map[string]doc{}, folder: "manifests"}
	w.docs["namespace"] = doc{"apiVersion": "v1", "kind": "Namespace", "metadata": doc{"name": team, "labels": doc{"team": "blue"}}}
	w.put("class", gatewayAPI, "GatewayClass", class, doc{"controllerName": controller})
	delete(w.meta("class"), "namespace")
	w.put("gateway", gatewayAPI, "Gateway", "public", doc{
		"gatewayClassName": class, "allowedListeners": doc{"namespaces": doc{"from": "Same"}},
		"listeners": []any{
			doc{"name": "web", "port": 80, "protocol": "HTTP"},
			doc{"name": "alt", "port": 8080, "protocol": "HTTP", "allowedRoutes": doc{"namespaces": doc{"from": "Same"}}},
		},
	})
	w.put("set", gatewayAPI, "ListenerSet", "extra", doc{
		"parentRef": doc{"name": "public"}, "listeners": []any{doc{"name": "more", "port": 8090, "protocol": "HTTP"}},
	})
	for i, key := range []string{"service", "spare"} {
		name := []string{"app", "other"}[i]
		w.put(key, "v1", "Service", name, doc{"selector": doc{"app": name}, "ports": []any{doc{"name": "http", "port": 80, "targetPort": 8000 + i}}})
	}
	w.route("route", "HTTPRoute", "app", w.host, "app")
	w.route("bystander", "HTTPRoute", "bystander", "other."+team+".example.com", "other")
	w.route("grpc", "GRPCRoute", "calls", "grpc."+team+".example.com", "app")
	return w
}

func (w *world) route(key, kind, name, host, backend string) {
	var rules []any
	for i, path := range []string{"/api", "/"} {
		rule := doc{"name": fmt.Sprintf("rule-%d", i), "backendRefs": []any{doc{"name": backend, "port": 80}}}
		if kind == "HTTPRoute" {
			rule["matches"] = []any{doc{"path": doc{"type": "PathPrefix", "value": path}}}
		} else {
			rule["matches"] = []any{doc{"method": doc{"service": []string{"shop.Cart", "shop.Till"}[i], "method": "Get"}}}
		}
		rules = append(rules, rule)
	}
	w.put(key, gatewayAPI, kind, name, doc{
		"parentRefs": []any{doc{"name": "public", "sectionName": "web"}, doc{"kind": "ListenerSet", "name": "extra"}},
		"hostnames":  []any{host}, "rules": rules,
	})
	w.meta(key)["labels"] = doc{"app": name}
}

// put adds an object in the namespace of the world.
func (w *world) put(key, apiVersion, kind, name string, spec doc) {
	w.docs[key] = doc{"apiVersion": apiVersion, "kind": kind, "metadata": doc{"name": name, "namespace": w.namespace}, "spec": spec}
}

func (w *world) meta(key string) doc { return w.docs[key]["metadata"].(doc) }

func (w *world) spec(key string) doc { return w.docs[key]["spec"].(doc) }

// rule returns rule i of a route.
func (w *world) rule(key string, i int) doc { return w.spec(key)["rules"].([]any)[i].(doc) }

func (w *world) listener(key string, i int) doc { return w.spec(key)["listeners"].([]any)[i].(doc) }

// clone returns a deep copy.
func (w *world) clone() *world {
	out := *w
	out.docs = clone(w.docs).(map[string]doc)
	return &out
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]doc:
		out := map[string]doc{}
		for key, d := range v {
			out[key] = clone(d).(doc)
		}
		return out
	case doc:
		out := doc{}
		for key, value := range v {
			out[key] = clone(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	}
	return v
}

// files returns the text of the manifests by path.
func (w *world) files() map[string]string {
	keys := slices.Sorted(maps.Keys(w.docs))
	if w.layout.reversed {
		slices.Reverse(keys)
	}
	out := map[string]string{}
	for _, key := range keys {
		name := w.folder + "/" + key + ".yaml"
		if w.layout.single {
			name = w.folder + "/all.yaml"
		}
		d := w.docs[key]
		if key == "policy" && w.bare {
			d = maps.Clone(d)
			maps.Copy(d, w.spec(key))
			delete(d, "spec")
		}
		out[name] += "---\n" + w.text(d)
	}
	return out
}

func (w *world) text(d doc) string {
	var b strings.Builder
	if w.layout.comments {
		b.WriteString("# This is a comment.\n")
	}
	for _, key := range slices.Sorted(maps.Keys(d)) {
		b.WriteString(key + ":")
		if w.layout.flow {
			b.WriteString(" " + flow(d[key]) + "\n")
			continue
		}
		block(&b, d[key], "  ", w.layout.comments)
	}
	return b.String()
}

func block(b *strings.Builder, v any, indent string, comments bool) {
	switch v := v.(type) {
	case doc:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if comments {
				b.WriteString(indent + "# " + key + "\n")
			}
			b.WriteString(indent + strconv.Quote(key) + ":")
			block(b, v[key], indent+"  ", comments)
		}
	case []any:
		if len(v) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for _, item := range v {
			b.WriteString(indent + "-")
			block(b, item, indent+"  ", comments)
		}
	default:
		b.WriteString(" " + flow(v) + "\n")
	}
}

func flow(v any) string {
	switch v := v.(type) {
	case doc:
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, strconv.Quote(key)+": "+flow(v[key]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, flow(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// controllers are controllerNames by system. They take precedence over the entries.
var controllers = map[string]string{
	"agentgateway": "agentgateway.dev/agentgateway", "airlock": "microgateway.airlock.com/gatewayclass-controller",
	"aws": "gateway.k8s.aws/alb", "azure": "alb.networking.azure.io/alb-controller", "eg": "gateway.envoyproxy.io/gatewayclass-controller",
	"gke": "networking.gke.io/gateway", "gloo": "solo.io/gloo-gateway", "istio": "istio.io/gateway-controller", "kgateway": "kgateway.dev/kgateway",
	"kong": "konghq.com/kic-gateway-controller", "kuadrant": "istio.io/gateway-controller", "ngf": "gateway.nginx.org/nginx-gateway-controller",
	"traefik": "traefik.io/gateway-controller",
}

// controllerOf returns a controllerName whose GatewayClasses support the policies of a kind.
func controllerOf(e *catalogue.Entry) string {
	system, _, _ := strings.Cut(e.ID, "/")
	if known := controllers[system]; known != "" {
		return known
	}
	if len(e.Controllers) > 0 {
		return strings.TrimSuffix(e.Controllers[0], "/") + "/controller"
	}
	return "example.com/controller"
}
