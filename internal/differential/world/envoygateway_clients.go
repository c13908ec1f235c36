package world

import "fmt"

// clientTraffic are the fields of a ClientTrafficPolicy.
func (b *Builder) clientTraffic(string) map[string]func() any {
	return map[string]func() any{
		"timeout": func() any {
			return pick(b, fields{"http": fields{"requestReceivedTimeout": b.duration("s")}}, fields{"http": fields{"idleTimeout": b.duration("s")}}, fields{"tcp": fields{"idleTimeout": b.duration("s")}})
		},
		"connection": func() any {
			return pick(b, fields{"bufferLimit": pick(b, b.duration("Ki"), "5Gi")}, fields{"connectionLimit": fields{"value": b.next()}})
		},
		"tls": func() any { return b.clientTLS() },
		"http1": func() any {
			return pick(b, fields{"http10": fields{"useDefaultHost": b.chance(0.7)}}, fields{"enableTrailers": true})
		},
		"http3": func() any { return fields{} },
		"http2": func() any {
			return pick(b, fields{"maxConcurrentStreams": 100 + b.next()}, fields{"initialStreamWindowSize": pick(b, "64Ki", "1Ki")})
		},
		"path": func() any { return fields{"disableMergeSlashes": true} },
		"clientIPDetection": func() any {
			return pick(b, fields{"xForwardedFor": fields{"numTrustedHops": b.next()}}, fields{"xForwardedFor": fields{"trustedCIDRs": list{"10.0.0.0/8"}}}, fields{"customHeader": fields{"name": "x-ip"}}, fields{"directSourceIP": fields{}})
		},
		"tcpKeepalive": func() any { return fields{"probes": b.next()} },
		"headers": func() any {
			header := fields{"name": pick(b, "x-a", "x-a", "a/b", "a:b"), "value": pick(b, "v", "v", "")}
			return pick(b, fields{"enableEnvoyHeaders": true}, fields{"earlyRequestHeaders": fields{pick(b, "add", "set", "addIfAbsent"): list{header}}}, fields{"lateResponseHeaders": fields{"remove": list{"x-b"}}}, fields{"earlyRequestHeaders": fields{}})
		},
		"enableProxyProtocol": func() any { return true },
		"healthCheck":         func() any { return fields{"path": fmt.Sprint("/h", b.next())} },
	}
}

func (b *Builder) clientTLS() fields {
	ca := func() fields {
		ref := fields{"kind": pick(b, "ConfigMap", "ConfigMap", "ConfigMap", "Secret", "Service"), "group": "", "name": pick(b, "ca", "ca", "lua", "empty", "cert", "missing")}
		return b.sometimes(0.2, ref, fields{"namespace": pick(b, namespaces...)})
	}
	validation := fields{}
	if !b.mistake(0.15) {
		validation["caCertificateRefs"] = list{ca()}
	}
	switch pick(b, "", "", "optional", "mode") {
	case "optional":
		validation["optional"] = true
	case "mode":
		validation["mode"] = pick(b, "Request", "RequireAny", "VerifyIfGiven", "RequireAndVerify")
	}
	if b.chance(0.1) {
		validation["crl"] = fields{"refs": list{ca()}}
	}
	return pick(b, fields{"minVersion": "1.2"}, fields{"maxVersion": "1.3", "ciphers": list{pick(b, "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "NONE")}},
		fields{"clientValidation": validation}, fields{"clientValidation": validation}, fields{"alpnProtocols": list{"http/1.1"}})
}
