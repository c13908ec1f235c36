package answer

import (
	"strings"
)

// schemes are the schemes of witnesses by the protocol of their listener.
var schemes = map[string]string{"HTTPS": "https", "TLS": "tls", "TCP": "tcp", "UDP": "udp"}

// witness is a request of an atom for which decisions hold.
func witness(e *joined, name string, a atom, decided []decision) *Request {
	r := &Request{Scheme: "http", Host: hostLike(name, e), Port: e.port, Method: "GET"}
	for side := range e.listeners {
		if t := widest(name, func(name string) *Table { return e.listeners[side][name] }); t != nil && schemes[t.Protocol] != "" {
			r.Scheme = schemes[t.Protocol]
		}
	}
	if r.Port == defaultPorts[r.Scheme] {
		r.Port = ""
	}
	if !r.HTTP() {
		r.Method = ""
		return r
	}
	if a.expression == "" {
		r.Path = strings.ReplaceAll(a.path, inner, a.segment)
	} else {
		r.Expression = a.expression
	}
	taken := map[string]bool{}
	var cookies []string
	for _, d := range decided {
		switch {
		case d.part == methodPart && !d.holds:
			taken[d.Value] = true
		case !d.holds || d.Form == regex:
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
