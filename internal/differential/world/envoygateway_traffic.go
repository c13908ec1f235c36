package world

import "fmt"

// backendTraffic are the fields of a BackendTrafficPolicy.
func (b *Builder) backendTraffic(string) map[string]func() any {
	fill := b.clusterSettings()
	fill["rateLimit"] = func() any { return b.envoyRateLimit() }
	fill["faultInjection"] = func() any {
		return pick(b, fields{"abort": fields{"httpStatus": 500 + b.next()%90}}, fields{"delay": fields{"fixedDelay": b.duration("ms")}})
	}
	fill["compressor"] = func() any {
		return list{pick(b, fields{"type": "Gzip", "gzip": fields{}}, fields{"type": "Brotli", "brotli": fields{}}, fields{"type": "Zstd"})}
	}
	fill["responseOverride"] = func() any {
		body := pick(b, fields{"inline": "b"}, fields{"type": "ValueRef", "valueRef": fields{"group": "", "kind": "ConfigMap", "name": pick(b, "body", "lua", "missing")}})
		return list{fields{"match": fields{"statusCodes": list{fields{"type": "Value", "value": 500 + b.next()%90}}}, "response": fields{"body": body}}}
	}
	fill["requestBuffer"] = func() any { return fields{"limit": pick(b, b.duration("Ki"), b.duration("Ki"), "5Gi")} }
	fill["httpUpgrade"] = func() any { return list{fields{"type": pick(b, "websocket", "spdy/3.1", "h2c")}} }
	fill["useClientProtocol"] = func() any { return b.chance(0.7) }
	fill["bandwidthLimit"] = func() any {
		return fields{pick(b, "request", "response"): fields{"limit": fields{"value": pick(b, b.duration("Mi"), "10", "100Ki"), "unit": pick(b, "Second", "Minute", "Hour")}}}
	}
	fill["admissionControl"] = func() any { return fields{"samplingWindow": b.duration("s")} }
	fill["routingType"] = func() any { return pick(b, "Service", "Endpoint") }
	fill["telemetry"] = func() any {
		return pick(b, fields{"tracing": fields{"samplingFraction": fields{"numerator": b.between(1, 99)}}},
			fields{"metrics": fields{"routeStatName": pick(b, "%ROUTE_NAME%", "%ROUTE_NAMESPACE%-%ROUTE_NAME%", "%BACKEND_REFS%", "100%")}})
	}
	return fill
}

// clusterSettings are the fields that a BackendTrafficPolicy shares with the backendSettings of other kinds.
func (b *Builder) clusterSettings() map[string]func() any {
	return map[string]func() any{
		"retry": func() any {
			backOff := fields{"baseInterval": pick(b, "100ms", "10s", "0s"), "maxInterval": pick(b, "1s", "20s", "0s")}
			return pick(b, fields{"numRetries": b.next()}, fields{"numRetries": b.next(), "retryOn": fields{"httpStatusCodes": list{500 + b.between(0, 9)}}},
				fields{"perRetry": fields{"timeout": b.duration("ms")}}, fields{"retryOn": fields{"triggers": list{"retriable-status-codes"}, "httpStatusCodes": list{503}}},
				fields{"perRetry": fields{"backOff": backOff}})
		},
		"timeout": func() any {
			return pick(b, fields{"http": fields{"requestTimeout": b.duration("s")}}, fields{"tcp": fields{"connectTimeout": b.duration("s")}},
				fields{"http": fields{"connectionIdleTimeout": b.duration("s")}, "tcp": fields{"connectTimeout": b.duration("s")}})
		},
		"circuitBreaker": func() any {
			return pick(b, fields{"maxConnections": b.next()}, fields{"maxPendingRequests": b.next()}, fields{"maxParallelRequests": b.next(), "maxParallelRetries": b.next()},
				fields{"maxRequestsPerConnection": b.next()}, fields{"perEndpoint": fields{"maxConnections": b.next()}})
		},
		"loadBalancer": func() any { return b.loadBalancer() },
		"healthCheck": func() any {
			return pick(b, fields{"passive": fields{"consecutive5XxErrors": b.next()}}, fields{"active": fields{"type": "TCP", "tcp": fields{}, "interval": b.duration("s")}}, fields{"panicThreshold": b.next() % 100},
				fields{"active": fields{"type": "HTTP", "http": fields{"path": fmt.Sprint("/h", b.next()), "expectedStatuses": list{200, 204}}}},
				fields{"active": fields{"type": "GRPC", "grpc": fields{"service": "s"}, "unhealthyThreshold": b.next()}})
		},
		"proxyProtocol": func() any { return fields{"version": pick(b, "V1", "V2")} },
		"tcpKeepalive":  func() any { return pick(b, fields{"probes": b.next()}, fields{"idleTime": b.duration("s")}) },
		"connection": func() any {
			return fields{"bufferLimit": pick(b, b.duration("Ki"), b.duration("Ki"), b.duration("Ki"), "5Gi")}
		},
		"dns": func() any { return fields{"dnsRefreshRate": b.duration("s")} },
		"http2": func() any {
			return pick(b, fields{"maxConcurrentStreams": 100 + b.next()}, fields{"initialStreamWindowSize": pick(b, "64Ki", "1Mi", "1Ki", "4Gi")}, fields{"initialConnectionWindowSize": pick(b, "64Ki", "1000")})
		},
	}
}

// loadBalancer is none that hashes: the judge's fake client cannot hold the size of a table.
func (b *Builder) loadBalancer() fields {
	switch kind := pick(b, "Random", "RoundRobin", "LeastRequest", "BackendUtilization"); kind {
	case "BackendUtilization":
		return fields{"type": kind, "backendUtilization": fields{"blackoutPeriod": b.duration("s")}}
	case "Random":
		return fields{"type": kind}
	default:
		return b.sometimes(0.3, fields{"type": kind}, fields{"slowStart": fields{"window": b.duration("s")}})
	}
}

// envoyRateLimit is one of each kind, or a mistake: a kind without its limits, two rules for everybody, units that do not fit.
func (b *Builder) envoyRateLimit() fields {
	match := func() fields {
		return pick(b, fields{"name": "x-u", "value": fmt.Sprint("v", b.next())}, fields{"name": "x-u", "type": "Distinct"},
			fields{"name": "x-u", "type": "RegularExpression", "value": pick(b, "a.*", "a.*", "[a")}, fields{"name": "x-u", "value": "v", "invert": true})
	}
	rule := func() any {
		r := fields{"limit": fields{"requests": b.next(), "unit": pick(b, "Second", "Minute", "Minute", "Hour", "Day")}}
		selector := pick(b, fields{"headers": list{match()}}, fields{"headers": list{match()}}, fields{"queryParams": list{match()}},
			fields{"sourceCIDR": fields{"value": pick(b, "10.0.0.0/8", "10.0.0.1", "fd00::/8"), "type": pick(b, "Exact", "Distinct")}},
			fields{"path": fields{"type": pick(b, "Exact", "PathPrefix", "RegularExpression"), "value": pick(b, "/a", "/b", "/[")}}, fields{"methods": list{fields{"value": "GET"}}})
		return b.sometimes(0.65, r, fields{"clientSelectors": list{selector}})
	}
	switch {
	case b.mistake(0.1):
		return fields{"type": pick(b, "Global", "Local")}
	case b.chance(0.1):
		return fields{"global": fields{"rules": list{rule()}}, "local": fields{"rules": list{rule()}}}
	}
	return pick(b, fields{"type": "Global", "global": fields{"rules": list{rule(), rule()}}}, fields{"type": "Local", "local": fields{"rules": list{rule()}}}, fields{"type": "Local", "local": fields{"rules": list{rule(), rule()}}})
}
