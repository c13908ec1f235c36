package world

import (
	"fmt"
	"slices"
)

// route adds a route of a kind.
func (b *Builder) route(kind, name string) {
	namespace := pick(b, namespaces...)
	spec := fields{"parentRefs": b.parentRefs(namespace)}
	stream := kind == "TLSRoute" || kind == "TCPRoute" || kind == "UDPRoute"
	if kind == "TLSRoute" || !stream && b.mistake(0.5) {
		var names list
		for _, host := range some(b, 2, hosts...) {
			names = append(names, host)
		}
		spec["hostnames"] = names
	}
	n := pick(b, 1, 1, 2, 3)
	if stream && !b.chance(0.05) {
		n = 1
	}
	var rules list
	var sections []string
	for i := range n {
		rule := b.rule(kind, name, i)
		if b.chance(0.6) {
			rule["name"] = fmt.Sprintf("r%d", i)
			sections = append(sections, fmt.Sprintf("r%d", i))
		}
		rules = append(rules, rule)
	}
	spec["rules"] = rules
	version := "v1"
	if kind == "TCPRoute" || kind == "UDPRoute" {
		version = "v1alpha2"
	}
	b.add(gatewayAPI+"/"+version, kind, namespace, name, spec)
	b.routes = append(b.routes, placed{kind, namespace, name, sections})
}

// parentRefs name one to three parents; several references to one parent need distinct sections.
func (b *Builder) parentRefs(namespace string) list {
	var refs list
	for range pick(b, 1, 1, 1, 2, 3) {
		ref := b.parentRef(namespace)
		double := slices.ContainsFunc(refs, func(other any) bool {
			o := other.(fields)
			same := o["name"] == ref["name"] && o["kind"] == ref["kind"] && namespaceOf(o, namespace) == namespaceOf(ref, namespace)
			return same && (o["sectionName"] == nil || ref["sectionName"] == nil || o["sectionName"] == ref["sectionName"])
		})
		if !double {
			refs = append(refs, ref)
		}
	}
	return refs
}

func namespaceOf(ref fields, own string) any {
	if ns, ok := ref["namespace"]; ok {
		return ns
	}
	return own
}

func (b *Builder) parentRef(namespace string) fields {
	parent := pick(b, b.gateways...)
	if len(b.sets) > 0 && b.chance(0.3) {
		parent = pick(b, b.sets...)
	}
	ref := fields{"name": parent.name}
	if b.mistake(0.04) {
		ref["name"] = "missing"
	}
	if parent.kind != "Gateway" {
		ref["kind"], ref["group"] = parent.kind, gatewayAPI
	}
	if parent.namespace != namespace || b.chance(0.1) {
		ref["namespace"] = parent.namespace
	}
	if b.chance(0.35) {
		ref["sectionName"] = pick(b, parent.sections...)
		if b.mistake(0.1) {
			ref["sectionName"] = "nowhere"
		}
	}
	if b.mistake(0.12) {
		ref["port"] = pick(b, 80, 443, 8080, 9000)
	}
	return ref
}

func (b *Builder) rule(kind, route string, i int) fields {
	rule := fields{}
	switch kind {
	case "HTTPRoute":
		if b.chance(0.7) {
			var matches list
			for j := range pick(b, 1, 1, 2) {
				matches = append(matches, fields{"path": fields{"type": "PathPrefix", "value": fmt.Sprintf("/%s-%d-%d", route, i, j)}})
			}
			rule["matches"] = matches
		}
		if b.dialect.OddMatches && b.chance(0.2) {
			rule["matches"] = list{b.oddMatch()}
		}
		if b.dialect.OddMatches && b.chance(0.1) {
			rule["sessionPersistence"] = b.sometimes(0.4, fields{"type": pick(b, "Cookie", "Header")}, fields{"sessionName": "s"})
		}
		if b.chance(0.15) {
			rule["timeouts"] = b.sometimes(0.4, fields{"request": fmt.Sprintf("%ds", 100+b.next())}, fields{"backendRequest": fmt.Sprintf("%ds", 1+b.next())})
		}
		if b.chance(0.1) {
			rule["retry"] = fields{"attempts": 2 + b.next(), "codes": list{503}}
		}
	case "GRPCRoute":
		if b.chance(0.5) {
			rule["matches"] = list{fields{"method": fields{"service": fmt.Sprintf("s%d", i), "method": "m"}}}
		}
		if b.dialect.OddMatches && b.chance(0.2) {
			method := pick(b, fields{"type": "RegularExpression", "service": "a.*"}, fields{"type": "RegularExpression", "service": "a[", "method": "m"}, fields{"method": "m"}, fields{"service": "s"})
			rule["matches"] = list{b.sometimes(0.3, fields{"method": method}, fields{"headers": list{fields{"name": "x-a", "type": "RegularExpression", "value": pick(b, "a.*", "a[")}}})}
		}
	}
	http := kind == "HTTPRoute" || kind == "GRPCRoute"
	redirect := false
	if http && b.chance(0.3) {
		filter := b.filter(kind)
		redirect = filter["requestRedirect"] != nil
		rule["filters"] = list{filter}
		if b.dialect.ManyFilters && b.chance(0.25) {
			another := b.filter(kind)
			redirect = redirect || another["requestRedirect"] != nil
			rule["filters"] = list{filter, another}
		}
	}
	if !redirect && (!http || !b.mistake(0.05)) {
		refs := list{b.backendRef(kind)}
		if b.chance(0.25) {
			refs = append(refs, b.backendRef(kind))
		}
		rule["backendRefs"] = refs
	}
	return rule
}

// oddMatch asks for more than a path, in a form that may be wrong.
func (b *Builder) oddMatch() fields {
	expression := func() string { return pick(b, "/a.*", "/a.*", "/a[", "/(?=a)") }
	match := func(name string) list {
		return list{pick(b, fields{"name": name, "value": "v"}, fields{"name": name, "type": "RegularExpression", "value": expression()})}
	}
	return pick(b, fields{"path": fields{"type": "RegularExpression", "value": expression()}}, fields{"path": fields{"type": "Exact", "value": "/e"}, "headers": match("x-h")},
		fields{"queryParams": match("q")}, fields{"method": pick(b, "GET", "CONNECT", "TRACE")}, fields{"headers": match("x-h"), "method": "POST"})
}

func (b *Builder) backendRef(kind string) fields {
	ref := fields{"name": pick(b, "svc-1", "svc-1", "svc-1", "svc-2"), "port": 80}
	if kind == "UDPRoute" {
		ref["port"] = 53
	}
	if b.mistake(0.2) {
		ref["name"] = pick(b, "missing", "ext")
	}
	if b.mistake(0.2) {
		ref["port"] = pick(b, 80, 81, 8080)
	}
	if b.mistake(0.02) {
		delete(ref, "port")
	}
	if own := b.dialect.Backend; own.kind != "" && b.mistake(0.15) {
		ref = fields{"group": own.group, "kind": own.kind, "name": pick(b, own.names...)}
	}
	if b.mistake(0.03) {
		ref = fields{"group": "example.com", "kind": "Bucket", "name": "x"}
	}
	if b.mistake(0.2) {
		ref["namespace"] = pick(b, namespaces...)
	}
	if b.dialect.ManyFilters && (kind == "HTTPRoute" || kind == "GRPCRoute") && b.mistake(0.08) {
		ref["filters"] = list{b.filter(kind)}
	}
	return b.sometimes(0.15, ref, fields{"weight": pick(b, 0, 1, 5)})
}

func (b *Builder) filter(kind string) fields {
	types := []string{"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror"}
	if kind == "HTTPRoute" {
		types = append(types, "URLRewrite", "RequestRedirect", "CORS")
	}
	if b.dialect.Filter.kind != "" {
		types = append(types, "ExtensionRef")
	}
	switch filter := pick(b, types...); filter {
	case "RequestHeaderModifier":
		return fields{"type": filter, "requestHeaderModifier": fields{"set": list{fields{"name": "x-a", "value": "1"}}}}
	case "ResponseHeaderModifier":
		return fields{"type": filter, "responseHeaderModifier": fields{"remove": list{"x-b"}}}
	case "RequestMirror":
		ref := b.backendRef(kind)
		delete(ref, "weight")
		delete(ref, "filters")
		return fields{"type": filter, "requestMirror": fields{"backendRef": ref}}
	case "URLRewrite":
		return fields{"type": filter, "urlRewrite": pick(b, fields{"hostname": "new.example.com"}, fields{"path": fields{"type": "ReplaceFullPath", "replaceFullPath": "/n"}})}
	case "RequestRedirect":
		return fields{"type": filter, "requestRedirect": fields{"scheme": "https", "statusCode": 301}}
	case "CORS":
		return fields{"type": filter, "cors": fields{"allowOrigins": list{fmt.Sprintf("https://cors%d.example.com", b.next())}}}
	default:
		own := b.dialect.Filter
		return fields{"type": filter, "extensionRef": fields{"group": own.group, "kind": own.kind, "name": pick(b, own.names...)}}
	}
}
