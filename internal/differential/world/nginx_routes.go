package world

import "fmt"

// nginxRules gives some rules of a route what NGINX Gateway Fabric looks at more closely than others: texts that
// become a part of nginx.conf, and filters of its own kinds.
func (b *Builder) nginxRules(route Object) {
	for _, r := range route["spec"].(fields)["rules"].(list) {
		rule := r.(fields)
		if b.mistake(0.15) {
			if route.Kind() == "HTTPRoute" {
				rule["matches"] = list{b.nginxMatch()}
			} else {
				rule["matches"] = list{b.nginxMethod()}
			}
		}
		if b.chance(0.15) {
			b.nginxFilter(route.Kind(), rule)
		}
		if refs, ok := rule["backendRefs"].(list); ok && b.mistake(0.03) {
			refs[0].(fields)["filters"] = list{fields{"type": "RequestHeaderModifier", "requestHeaderModifier": fields{"remove": list{"x-c"}}}}
		}
		if b.mistake(0.05) {
			rule["sessionPersistence"] = pick(b, fields{"sessionName": "s"}, fields{"type": "Header", "sessionName": "s"},
				fields{"absoluteTimeout": "1h", "cookieConfig": fields{"lifetimeType": "Permanent"}})
		}
	}
}

func (b *Builder) nginxMatch() fields {
	return pick(b,
		fields{"path": fields{"type": "PathPrefix", "value": pick(b, "/a{b", "/a;b", "/a b", "/_ngf-internal-x", `/a"b`, "/a$b")}},
		fields{"path": fields{"type": "RegularExpression", "value": pick(b, "/a.*", "/a.*", "/a(?=b)", "/(a", "/a{2}")}},
		fields{"path": fields{"type": "Exact", "value": fmt.Sprint("/e", b.next())}, "method": pick(b, "GET", "CONNECT", "TRACE")},
		fields{"headers": list{fields{"name": "x-h", "type": pick(b, "Exact", "RegularExpression"), "value": pick(b, "v", "a:b", "(")}}},
		fields{"queryParams": list{fields{"name": pick(b, "q", "q=r"), "type": pick(b, "Exact", "RegularExpression"), "value": pick(b, "v", "(")}}})
}

func (b *Builder) nginxMethod() fields {
	return pick(b,
		fields{"method": fields{"service": "s"}},
		fields{"method": fields{"method": "m"}},
		fields{"method": fields{"type": "RegularExpression", "service": "s.*", "method": "m"}},
		fields{"headers": list{fields{"name": "x-h", "value": pick(b, "v", "a:b")}}})
}

// nginxFilter adds one more filter to a rule.
func (b *Builder) nginxFilter(kind string, rule fields) {
	filters, _ := rule["filters"].(list)
	extension := func(kind, name string) fields {
		return fields{"type": "ExtensionRef", "extensionRef": fields{"group": nginxGroup, "kind": kind, "name": name}}
	}
	add := []fields{
		extension("SnippetsFilter", pick(b, "snippets", "snippets", "missing")),
		extension("AuthenticationFilter", "filter"),
		{"type": "RequestHeaderModifier", "requestHeaderModifier": fields{"set": list{fields{"name": pick(b, "host", "Connection", "x-a"), "value": pick(b, "v", "$v", `"v`)}}}},
		{"type": "ResponseHeaderModifier", "responseHeaderModifier": fields{"add": list{fields{"name": pick(b, "server", "X-Accel-A", "x-a"), "value": pick(b, "v", "$v")}}}},
	}
	if kind == "HTTPRoute" {
		add = append(add,
			fields{"type": "URLRewrite", "urlRewrite": fields{"path": fields{"type": "ReplacePrefixMatch", "replacePrefixMatch": pick(b, "/n", "/n{", "/$n")}}},
			fields{"type": "RequestRedirect", "requestRedirect": fields{"statusCode": pick(b, 301, 302, 303, 307, 308), "port": 8080}},
			fields{"type": "ExternalAuth", "externalAuth": pick(b, fields{"protocol": "HTTP", "http": fields{}, "backendRef": b.reference()}, fields{"protocol": "GRPC", "grpc": fields{}, "backendRef": b.reference()})})
	}
	rule["filters"] = append(filters, pick(b, add...))
}
