package answer

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// schemes are the schemes of witnesses by the protocol of their listener.
var schemes = map[string]string{"HTTPS": "https", "TLS": "tls", "TCP": "tcp", "UDP": "udp"}

// witness is a request of an atom for which decisions hold, and which a way answers in one revision. both describes all of them.
func witness(e *joined, name string, a atom, decided []decision, both, way *Way) *Request {
	r := &Request{Scheme: "http", Host: hostLike(name, e), Port: e.port, Method: "GET"}
	for side := range e.listeners {
		// A connection that one revision lets pass may be one for HTTPS in the other.
		if t := widest(name, func(name string) *Table { return e.listeners[side][name] }); t != nil && schemes[t.Protocol] != "" && r.Scheme != "https" {
			r.Scheme = schemes[t.Protocol]
		}
	}
	if way != nil && (way.Listener.Level == hierarchy.LevelFrontend || way.Listener.Level == hierarchy.LevelFrontendPort) {
		service := way.Listener.Target
		r.Host, r.Namespace = service.Name+"."+service.Namespace, cmp.Or(both.Callers, service.Namespace)
	}
	if _, err := strconv.Atoi(r.Port); err != nil || r.Port == defaultPorts[r.Scheme] {
		r.Port = "" // of a Gateway that is not in the input only the name of the listener is known
	}
	if !r.HTTP() {
		r.Method = ""
		return r
	}
	r.Path = strings.ReplaceAll(a.path, inner, a.segment)
	taken := map[string]bool{}
	var cookies []string
	for _, d := range decided {
		switch {
		case d.part == methodPart && !d.holds:
			taken[d.Value] = true
		case d.holds && d.part == pathPart && d.Form == regex:
			r.Path, r.Expression = "", d.Value
		case !d.holds || d.part == pathPart || d.Form == regex:
		case d.part == methodPart:
			r.Method = d.Value
		case d.part == cookiePart:
			cookies = append(cookies, d.Name+"="+d.Value)
		case d.part == headerPart:
			r.Headers = append(r.Headers, Pair{d.Name, d.Value})
		default:
			r.Query = append(r.Query, Pair{d.Name, d.Value})
		}
	}
	if len(cookies) > 0 {
		r.Headers = append(r.Headers, Pair{"cookie", strings.Join(cookies, "; ")})
	}
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"} {
		if !taken[r.Method] {
			break
		}
		r.Method = method
	}
	if way != nil && way.Route.Target.Kind == "GRPCRoute" && strings.Count(r.Path, "/") == 2 && r.Method == "GET" && !taken["POST"] {
		r.Scheme, r.Method = strings.Replace(r.Scheme, "http", "grpc", 1), "POST"
	}
	return r
}

// hostLike is a hostname that a wildcard covers and no other hostname of an entry.
func hostLike(name string, e *joined) string {
	suffix, wild := strings.CutPrefix(name, "*")
	if !wild {
		return name
	}
	if suffix == "" {
		suffix = ".example.net"
	}
	label := "x"
	for {
		host := label + suffix
		taken := false
		for side := range e.listeners {
			for hostname, t := range e.listeners[side] {
				taken = taken || hostname == host || t.named(host) != nil
			}
		}
		if !taken {
			return host
		}
		label += "x"
	}
}

// Example is a request that the match of a way accepts, as far as it can be made up.
func (w *Way) Example() *Request {
	r := &Request{Scheme: "http", Host: strings.Replace(w.Host, "*", "x", 1), Path: w.Match.Path, Method: w.Match.Method}
	if scheme := schemes[w.Listener.Value.Str("protocol")]; scheme != "" {
		r.Scheme = scheme
	}
	if w.Match.Form == regex {
		r.Path = "/"
	}
	return r
}
