package exposure_test

import (
	"cmp"
	"math/rand/v2"

	"github.com/gwplan/gwplan/analyze/plan"
)

// own is a loosening of a Gateway API object, not of a policy. before prepares the world for
// it.
type own struct {
	name   string
	least  plan.Severity
	before func(w *world)
	after  func(w *world)
}

func filter(kind, field string, value doc) doc { return doc{"type": kind, field: value} }

func (w *world) filters(filters ...any) { w.rule("route", 0)["filters"] = filters }

func (w *world) match(i int) doc { return w.rule("route", i)["matches"].([]any)[0].(doc) }

func (w *world) listenerPut(key string, value any) { w.listener("gateway", 0)[key] = value }

// terminating makes the first listener one that ends TLS, and adds what it refers to.
func (w *world) terminating() {
	w.put("cert", "v1", "Secret", "cert", nil)
	w.put("ca", "v1", "ConfigMap", "ca", nil)
	w.docs["ca"]["data"] = doc{"ca.crt": "-----BEGIN CERTIFICATE-----"}
	w.listenerPut("protocol", "HTTPS")
	w.listenerPut("port", 443)
	w.listenerPut("tls", tls(doc{"mode": "Terminate"}))
}

func tls(fields doc) doc {
	fields["certificateRefs"] = []any{doc{"name": "cert"}}
	return fields
}

func from(words ...any) doc {
	out := doc{"from": words[0]}
	if len(words) > 1 {
		out["selector"] = words[1]
	}
	return doc{"namespaces": out}
}

func redirect(scheme string) doc {
	return filter("RequestRedirect", "requestRedirect", doc{"scheme": scheme})
}

func cors(fields doc) doc { return filter("CORS", "cors", fields) }

func headers(kind, field, verb string, items ...any) doc {
	return filter(kind, field, doc{verb: items})
}

func authority(name string) doc {
	return doc{"caCertificateRefs": []any{doc{"kind": "ConfigMap", "group": "", "name": name}}}
}

// ownTable loosens each protecting field of the Gateway API objects.
var ownTable = []own{
	{
		"ExternalAuth removed", plan.Error,
		func(w *world) {
			w.filters(filter("ExternalAuth", "externalAuth", doc{"protocol": "HTTP", "backendRef": doc{"name": "other", "port": 80}}))
		},
		func(w *world) { delete(w.rule("route", 0), "filters") },
	},
	{
		"ExternalAuth asks another Service", plan.Warning,
		func(w *world) {
			w.filters(filter("ExternalAuth", "externalAuth", doc{"protocol": "HTTP", "backendRef": doc{"name": "other", "port": 80}}))
		},
		func(w *world) {
			w.filters(filter("ExternalAuth", "externalAuth", doc{"protocol": "HTTP", "backendRef": doc{"name": "app", "port": 80}}))
		},
	},
	{
		"a redirect to https removed", plan.Error,
		func(w *world) { w.filters(redirect("https")); delete(w.rule("route", 0), "backendRefs") },
		func(w *world) {
			delete(w.rule("route", 0), "filters")
			w.rule("route", 0)["backendRefs"] = []any{doc{"name": "app", "port": 80}}
		},
	},
	{
		"a redirect to http", plan.Error,
		func(w *world) { w.filters(redirect("https")); delete(w.rule("route", 0), "backendRefs") },
		func(w *world) { w.filters(redirect("http")) },
	},
	{
		"CORS lets in another origin", plan.Warning,
		func(w *world) { w.filters(cors(doc{"allowOrigins": []any{"https://a.example.com"}})) },
		func(w *world) {
			w.filters(cors(doc{"allowOrigins": []any{"https://a.example.com", "https://b.example.com"}}))
		},
	},
	{
		"CORS lets in credentials", plan.Warning,
		func(w *world) { w.filters(cors(doc{"allowOrigins": []any{"https://a.example.com"}})) },
		func(w *world) {
			w.filters(cors(doc{"allowOrigins": []any{"https://a.example.com"}, "allowCredentials": true}))
		},
	},
	{
		"a security header of answers removed", plan.Error,
		func(w *world) {
			w.filters(headers("ResponseHeaderModifier", "responseHeaderModifier", "set", doc{"name": "Strict-Transport-Security", "value": "max-age=1"}))
		},
		func(w *world) { delete(w.rule("route", 0), "filters") },
	},
	{
		"a security header of answers changed", plan.Warning,
		func(w *world) {
			w.filters(headers("ResponseHeaderModifier", "responseHeaderModifier", "set", doc{"name": "Content-Security-Policy", "value": "default-src 'self'"}))
		},
		func(w *world) {
			w.filters(headers("ResponseHeaderModifier", "responseHeaderModifier", "set", doc{"name": "Content-Security-Policy", "value": "default-src *"}))
		},
	},
	{
		"a trusted header of requests not removed any more", plan.Error,
		func(w *world) {
			w.filters(headers("RequestHeaderModifier", "requestHeaderModifier", "remove", "X-Forwarded-User", "X-Other"))
		},
		func(w *world) {
			w.filters(headers("RequestHeaderModifier", "requestHeaderModifier", "remove", "X-Other"))
		},
	},
	{
		"a mirror", plan.Warning,
		func(*world) {},
		func(w *world) {
			w.filters(filter("RequestMirror", "requestMirror", doc{"backendRef": doc{"name": "other", "port": 80}}))
		},
	},
	{
		"a header match dropped", plan.Warning,
		func(w *world) { w.match(0)["headers"] = []any{doc{"name": "x-team", "value": "blue"}} },
		func(w *world) { delete(w.match(0), "headers") },
	},
	{
		"a query match dropped", plan.Warning,
		func(w *world) { w.match(0)["queryParams"] = []any{doc{"name": "key", "value": "blue"}} },
		func(w *world) { delete(w.match(0), "queryParams") },
	},
	{
		"a method match dropped", plan.Warning,
		func(w *world) { w.match(0)["method"] = "GET" },
		func(w *world) { delete(w.match(0), "method") },
	},
	{
		"a path gets wider", plan.Warning,
		func(w *world) { w.spec("route")["rules"] = w.spec("route")["rules"].([]any)[:1] },
		func(w *world) { w.match(0)["path"] = doc{"type": "PathPrefix", "value": "/"} },
	},
	{
		"a match dropped", plan.Warning,
		func(w *world) { w.spec("route")["rules"] = w.spec("route")["rules"].([]any)[:1] },
		func(w *world) { delete(w.rule("route", 0), "matches") },
	},
	{"a hostname dropped", plan.Warning, func(*world) {}, func(w *world) { delete(w.spec("route"), "hostnames") }},
	{
		"a hostname gets wider", plan.Warning, func(*world) {},
		func(w *world) {
			w.spec("route")["hostnames"] = []any{"*" + w.host[3:]}
		},
	},
	{
		"a backend of another namespace", plan.Warning,
		func(w *world) { *w = *withGrant(w) },
		func(w *world) { w.backend("route", "name", "far"); w.backend("route", "namespace", "elsewhere") },
	},
	{
		"HTTPS becomes HTTP", plan.Error,
		func(w *world) {
			w.listenerPut("protocol", "HTTPS")
			w.listenerPut("tls", tls(doc{"mode": "Terminate"}))
		},
		func(w *world) { w.listenerPut("protocol", "HTTP"); delete(w.listener("gateway", 0), "tls") },
	},
	{
		"TLS passes through", plan.Warning,
		func(w *world) { w.listenerPut("protocol", "TLS"); w.listenerPut("tls", tls(doc{"mode": "Terminate"})) },
		func(w *world) { w.listenerPut("tls", doc{"mode": "Passthrough"}) },
	},
	{
		"a listener's hostname gets wider", plan.Warning,
		func(w *world) { w.listenerPut("hostname", w.host) },
		func(w *world) { w.listenerPut("hostname", "*.example.com") },
	},
	{
		"a listener's hostname dropped", plan.Warning,
		func(w *world) { w.listenerPut("hostname", "*.example.com") },
		func(w *world) { delete(w.listener("gateway", 0), "hostname") },
	},
	{
		"routes of all namespaces", plan.Warning,
		func(w *world) { w.listenerPut("allowedRoutes", from("Same")) },
		func(w *world) { w.listenerPut("allowedRoutes", from("All")) },
	},
	{
		"routes of selected namespaces", plan.Warning,
		func(w *world) { w.listenerPut("allowedRoutes", from("Same")) },
		func(w *world) {
			w.listenerPut("allowedRoutes", from("Selector", doc{"matchLabels": doc{"team": "blue"}}))
		},
	},
	{
		"a selector asks for less", plan.Warning,
		func(w *world) {
			w.meta("namespace")["labels"] = doc{"team": "blue", "tier": "one"}
			w.listenerPut("allowedRoutes", from("Selector", doc{"matchLabels": doc{"team": "blue", "tier": "one"}}))
		},
		func(w *world) {
			w.listenerPut("allowedRoutes", from("Selector", doc{"matchLabels": doc{"team": "blue"}}))
		},
	},
	{
		"more kinds of routes", plan.Warning,
		func(w *world) { w.listenerPut("allowedRoutes", doc{"kinds": []any{doc{"kind": "HTTPRoute"}}}) },
		func(w *world) {
			w.listenerPut("allowedRoutes", doc{"kinds": []any{doc{"kind": "HTTPRoute"}, doc{"kind": "GRPCRoute"}}})
		},
	},
	{
		"a listener set's protocol", plan.Error,
		func(w *world) {
			w.listener("set", 0)["protocol"], w.listener("set", 0)["tls"] = "HTTPS", tls(doc{"mode": "Terminate"})
		},
		func(w *world) { w.listener("set", 0)["protocol"] = "HTTP"; delete(w.listener("set", 0), "tls") },
	},
	{
		"listener sets of all namespaces", plan.Warning, func(*world) {},
		func(w *world) { w.spec("gateway")["allowedListeners"] = from("All") },
	},
	{
		"client certificates not asked for", plan.Error,
		func(w *world) {
			w.terminating()
			w.spec("gateway")["tls"] = doc{"frontend": doc{"default": doc{"validation": authority("ca")}}}
		},
		func(w *world) { delete(w.spec("gateway"), "tls") },
	},
	{
		"client certificates of any kind", plan.Error,
		func(w *world) {
			w.terminating()
			w.spec("gateway")["tls"] = doc{"frontend": doc{"default": doc{"validation": authority("ca")}}}
		},
		func(w *world) {
			with := authority("ca")
			with["mode"] = "AllowInsecureFallback"
			w.spec("gateway")["tls"] = doc{"frontend": doc{"default": doc{"validation": with}}}
		},
	},
	{
		"client certificates of a port not asked for", plan.Error,
		func(w *world) {
			w.terminating()
			w.spec("gateway")["tls"] = doc{"frontend": doc{"default": doc{}, "perPort": []any{doc{"port": 443, "tls": doc{"validation": authority("ca")}}}}}
		},
		func(w *world) { w.spec("gateway")["tls"] = doc{"frontend": doc{"default": doc{}}} },
	},
	{
		"a public address", plan.Warning,
		func(w *world) { w.spec("gateway")["addresses"] = []any{doc{"type": "IPAddress", "value": "10.0.0.1"}} },
		func(w *world) {
			w.spec("gateway")["addresses"] = []any{doc{"type": "IPAddress", "value": "203.0.113.9"}}
		},
	},
	{
		"a load balancer that is not internal any more", plan.Warning,
		func(w *world) {
			w.spec("gateway")["infrastructure"] = doc{"annotations": doc{"service.beta.kubernetes.io/aws-load-balancer-scheme": "internal"}}
		},
		func(w *world) { delete(w.spec("gateway"), "infrastructure") },
	},
	{
		"a class with another name", plan.Warning,
		func(w *world) {
			w.docs["internal"] = clone(w.docs["class"]).(doc)
			w.meta("internal")["name"] = "internal"
			w.spec("gateway")["gatewayClassName"] = "internal"
		},
		func(w *world) { w.spec("gateway")["gatewayClassName"] = "public-class" },
	},
	{
		"a plain listener beside one with TLS", plan.Warning,
		func(w *world) {
			w.listenerPut("protocol", "HTTPS")
			w.listenerPut("port", 443)
			w.listenerPut("tls", tls(doc{"mode": "Terminate"}))
			w.listenerPut("hostname", "*.example.com")
			w.parents("route", doc{"name": "public", "sectionName": "web"})
			w.parents("bystander", doc{"name": "public"})
			w.parents("grpc", doc{"name": "public", "sectionName": "web"})
			w.spec("gateway")["listeners"] = w.spec("gateway")["listeners"].([]any)[:1]
		},
		func(w *world) {
			w.spec("gateway")["listeners"] = append(w.spec("gateway")["listeners"].([]any), doc{"name": "plain", "port": 80, "protocol": "HTTP", "hostname": "*.example.com"})
		},
	},
	{
		"a grant for another namespace", plan.Warning,
		func(w *world) { *w = *withGrant(w) },
		func(w *world) {
			froms := w.spec("grant")["from"].([]any)
			w.spec("grant")["from"] = append(froms, doc{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "namespace": "strangers"})
		},
	},
	{
		"a grant for every Service", plan.Warning,
		func(w *world) {
			*w = *withGrant(w)
			w.spec("grant")["to"] = []any{doc{"group": "", "kind": "Service", "name": "far"}}
		},
		func(w *world) { w.spec("grant")["to"] = []any{doc{"group": "", "kind": "Service"}} },
	},
	{
		"TLS to a backend removed", plan.Error,
		func(w *world) { w.ownTLS(doc{"wellKnownCACertificates": "System"}) },
		func(w *world) { delete(w.spec("bank"), "tls") },
	},
	{
		"TLS to a backend not checked", plan.Error,
		func(w *world) { w.ownTLS(doc{"wellKnownCACertificates": "System"}) },
		func(w *world) { w.spec("bank")["tls"] = doc{"insecureSkipVerify": true} },
	},
	{
		"another authority for a backend", plan.Warning,
		func(w *world) { w.ownTLS(authority("one")) },
		func(w *world) { w.spec("bank")["tls"] = authority("two") },
	},
	{
		"another name of a backend", plan.Warning,
		func(w *world) { w.ownTLS(doc{"wellKnownCACertificates": "System", "sni": "bank.example.com"}) },
		func(w *world) { w.spec("bank")["tls"].(doc)["sni"] = "other.example.com" },
	},
	{
		"an older TLS to a backend", plan.Error,
		func(w *world) { w.ownTLS(doc{"wellKnownCACertificates": "System", "minVersion": "1.3"}) },
		func(w *world) { delete(w.spec("bank")["tls"].(doc), "minVersion") },
	},
	{
		"a Namespace that a selector takes now", plan.Warning,
		func(w *world) {
			w.docs["strangers"] = doc{"apiVersion": "v1", "kind": "Namespace", "metadata": doc{"name": "strangers"}}
			w.listenerPut("allowedRoutes", from("Selector", doc{"matchLabels": doc{"team": "blue"}}))
		},
		func(w *world) { w.meta("strangers")["labels"] = doc{"team": "blue"} },
	},
}

// ownTLS adds an Envoy Gateway Backend and makes it the backend of the first rule.
func (w *world) ownTLS(tls doc) {
	w.put("bank", "gateway.envoyproxy.io/v1alpha1", "Backend", "bank", doc{
		"endpoints": []any{doc{"fqdn": doc{"hostname": "bank.example.com", "port": 443}}}, "tls": tls,
	})
	w.rule("route", 0)["backendRefs"] = []any{doc{"group": "gateway.envoyproxy.io", "kind": "Backend", "name": "bank"}}
}

func withGrant(w *world) *world {
	w.put("far", "v1", "Service", "far", doc{"selector": doc{"app": "far"}, "ports": []any{doc{"port": 80}}})
	w.meta("far")["namespace"] = "elsewhere"
	w.put("grant", "gateway.networking.k8s.io/v1beta1", "ReferenceGrant", "far", doc{
		"from": []any{doc{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "namespace": w.namespace}},
		"to":   []any{doc{"group": "", "kind": "Service"}},
	})
	w.meta("grant")["namespace"] = "elsewhere"
	return w
}

// noWayBack are the rows of ownTable whose reverse is a finding, too, with the reason.
var noWayBack = map[string]string{
	"ExternalAuth asks another Service":    "either Service may be the weaker one",
	"a security header of answers changed": "either value may be the weaker one",
	"another authority for a backend":      "either authority may be the weaker one",
	"another name of a backend":            "either name may be the wrong one",
	"TLS passes through":                   "the Secret of the listener does not exist",
	"HTTPS becomes HTTP":                   "the Secret of the listener does not exist",
	"a listener set's protocol":            "the Secret of the listener does not exist",
	"a listener's hostname gets wider":     "the routes of the other hostname are no longer admitted",
	"more kinds of routes":                 "the routes of the other kind are no longer admitted",
}

// systems are those that a mutation needs because others do not have its field.
var systems = map[string]string{"ExternalAuth removed": "agentgateway", "ExternalAuth asks another Service": "agentgateway"}

// ownMutations returns mutations that loosen protecting fields of Gateway API objects, and their
// reverses, which must give no alarm.
func ownMutations() []mutation {
	var out []mutation
	for _, o := range ownTable {
		worlds := func(r *rand.Rand) (*world, *world) {
			before := newWorld(r, controllers[cmp.Or(systems[o.name], "eg")])
			o.before(before)
			after := before.clone()
			o.after(after)
			return before, after
		}
		out = append(out, mutation{name: "own: " + o.name, least: o.least, make: worlds})
		if noWayBack[o.name] == "" {
			out = append(out, mutation{name: "own, the way back: " + o.name, make: func(r *rand.Rand) (*world, *world) {
				before, after := worlds(r)
				return after, before
			}})
		}
	}
	return out
}
