package world

import "fmt"

// nginxPolicy adds a policy of one or two targets, mostly in its own namespace.
func (b *Builder) nginxPolicy(kind, name string) {
	target := b.nginxTarget(pick(b, nginxPolicies[kind]...))
	namespace := target.namespace
	if b.mistake(0.08) {
		namespace = pick(b, namespaces...)
	}
	refs := list{b.targetRef(target, false)}
	if other := b.nginxTarget(target.kind); b.chance(0.3) && other.name != target.name {
		refs = append(refs, b.targetRef(other, false))
	}
	spec := fields{"targetRefs": refs}
	if kind == "ClientSettingsPolicy" || kind == "PayloadProcessor" {
		spec = fields{"targetRef": refs[0]}
	}
	version := "v1alpha1"
	if kind == "ObservabilityPolicy" {
		version = "v1alpha2"
	}
	b.add(nginxGroup+"/"+version, kind, namespace, name, b.nginxSettings(kind, spec))
}

// nginxTarget is of a kind, which is rarely one that no policy targets.
func (b *Builder) nginxTarget(kind string) placed {
	if b.mistake(0.02) {
		kind = pick(b, "HTTPRoute", "Gateway", "TLSRoute", "ListenerSet")
	}
	if kind == "Service" {
		return b.serviceTarget(pick(b, namespaces...))
	}
	return b.on(kind)
}

func (b *Builder) nginxSettings(kind string, spec fields) fields {
	switch kind {
	case "ClientSettingsPolicy":
		return b.filled(spec, 2, map[string]func() any{"body": b.clientBody, "keepAlive": b.clientKeepAlive})
	case "ProxySettingsPolicy":
		return b.filled(spec, 2, map[string]func() any{"buffering": b.proxyBuffering, "timeout": b.proxyTimeout})
	case "RateLimitPolicy":
		spec["rateLimit"] = b.rateLimit()
	case "ObservabilityPolicy":
		spec["tracing"] = pick(b, fields{"strategy": "ratio", "ratio": b.between(0, 100)}, fields{"strategy": "parent"}, fields{"strategy": "parent", "spanName": pick(b, "span", "a-$b")})
		if b.chance(0.2) {
			delete(spec, "tracing")
		}
	case "UpstreamSettingsPolicy":
		return b.filled(spec, 3, map[string]func() any{
			"zoneSize": func() any { return b.size() },
			"keepAlive": func() any {
				return b.filled(fields{}, 2, map[string]func() any{
					"connections": func() any { return b.next() }, "requests": func() any { return b.next() },
					"time": func() any { return b.nginxTime() }, "timeout": func() any { return b.nginxTime() },
				})
			},
			"loadBalancingMethod": func() any { return pick(b, "round_robin", "least_conn", "hash", "least_time header", "random two") },
			"hashMethodKey":       func() any { return pick(b, "$request_uri", "uri") },
			"useClusterIP":        func() any { return b.chance(0.5) },
		})
	case "SnippetsPolicy":
		spec["snippets"] = b.snippets()
	case "PayloadProcessor":
		process := fields{"backendRef": b.reference()}
		spec["processors"] = list{fields{"type": "ExtProcess", "extProcess": b.sometimes(0.3, process, fields{"authTokenRef": fields{"name": pick(b, "token", "token", "users", "missing")}})}}
	case "WAFPolicy":
		spec["type"], spec["policySource"] = "HTTP", b.sometimes(0.3, fields{"httpSource": fields{"url": "https://waf.example.com/bundle.tgz"}}, fields{"tlsSecret": fields{"name": pick(b, "cert", "missing")}})
	}
	return spec
}

// size is a size of NGINX, sometimes not quite.
func (b *Builder) size() string {
	if b.mistake(0.05) {
		return pick(b, "1t", "1 m", "-1")
	}
	return b.duration(pick(b, "k", "m", ""))
}

// nginxTime is a duration of NGINX, sometimes not quite.
func (b *Builder) nginxTime() string {
	if b.mistake(0.05) {
		return pick(b, "1x", "1h30m", "1.5s")
	}
	return b.duration(pick(b, "ms", "s", "m"))
}

func (b *Builder) clientBody() any {
	return b.filled(fields{}, 2, map[string]func() any{
		"maxSize": func() any { return b.size() }, "bufferSize": func() any { return b.size() }, "timeout": func() any { return b.nginxTime() },
	})
}

func (b *Builder) clientKeepAlive() any {
	return b.filled(fields{}, 2, map[string]func() any{
		"requests": func() any { return b.next() }, "time": func() any { return b.nginxTime() }, "minTimeout": func() any { return b.nginxTime() },
		"timeout": func() any {
			return pick(b, fields{"server": b.nginxTime()}, fields{"server": b.nginxTime(), "header": b.nginxTime()})
		},
	})
}

func (b *Builder) proxyBuffering() any {
	return b.filled(fields{}, 3, map[string]func() any{
		"disable": func() any { return b.chance(0.5) }, "bufferSize": func() any { return pick(b, "4k", "8k", "16k") },
		"buffers":         func() any { return fields{"number": b.between(2, 8), "size": pick(b, "4k", "8k")} },
		"busyBuffersSize": func() any { return pick(b, "8k", "16k", "64k") },
	})
}

func (b *Builder) proxyTimeout() any {
	return b.filled(fields{}, 2, map[string]func() any{
		"connect": func() any { return b.nginxTime() }, "read": func() any { return b.nginxTime() }, "send": func() any { return b.nginxTime() },
	})
}

func (b *Builder) rateLimit() fields {
	return b.filled(fields{}, 3, map[string]func() any{
		"local": func() any {
			return fields{"rules": list{fields{"rate": fmt.Sprintf("%dr/%s", b.next(), pick(b, "s", "m", "s", "m", "h")), "key": pick(b, "$binary_remote_addr", "$binary_remote_addr", "a b"), "zoneSize": b.size()}}}
		},
		"dryRun": func() any { return b.chance(0.5) }, "rejectCode": func() any { return 400 + b.next()%200 }, "logLevel": func() any { return pick(b, "info", "warn") },
	})
}
