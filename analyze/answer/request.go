package answer

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/loader"
)

// Request is one request of a client, or one connection for the schemes tls, tcp and udp.
type Request struct {
	// Scheme is http, https, grpc, grpcs, tls, tcp or udp. Port is "" for the scheme's own.
	Scheme, Host, Port string
	// Path is the path of an HTTP request, /SERVICE/METHOD of a gRPC call. Expression is set instead for
	// an example of which only a regular expression is known that its path matches.
	Path, Expression, Method string
	// Query are the parameters, Headers the headers with names in lower case.
	Query, Headers []Pair
	// ServerName is the name that a client sends when it begins TLS, Host if empty.
	ServerName string
	// Namespace is that of the calling workload, for requests inside a mesh.
	Namespace string
}

// Pair is a name with a value.
type Pair struct{ Name, Value string }

// defaultPorts are the ports of URLs without one.
var defaultPorts = map[string]string{"http": "80", "grpc": "80", "https": "443", "grpcs": "443", "tls": "443"}

// ParseRequest reads a URL as a request: https://host:port/path?query, grpc://host/service/method,
// tls://host:port, tcp://gateway:port, udp://gateway:port. A URL without a scheme is http. The method
// is GET, or POST for gRPC, if empty; headers are written NAME: VALUE.
func ParseRequest(text, method string, headers []string) (*Request, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, host, err := parseURL(text)
	if err != nil {
		var reason *url.Error // its text repeats the URL
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return nil, fmt.Errorf("%q is not a URL: %w; write https://HOST/PATH", text, err)
	}
	r := &Request{Scheme: strings.ToLower(u.Scheme), Host: strings.TrimSuffix(folded(host), "."), Port: u.Port(), Method: strings.ToUpper(method)}
	switch r.Scheme {
	case "http", "https":
		r.Path = u.EscapedPath() // data planes match it as it is sent
		if r.Path == "" {
			r.Path = "/"
		}
		if r.Method == "" {
			r.Method = "GET"
		}
		r.Query = queryOf(u.RawQuery)
	case "grpc", "grpcs":
		if r.Path = u.Path; strings.Count(r.Path, "/") != 2 {
			return nil, fmt.Errorf("%q names no gRPC method; write grpc://HOST/SERVICE/METHOD", text)
		}
		r.Method = "POST"
	case "tls", "tcp", "udp":
		if strings.Trim(u.Path, "/") != "" {
			return nil, fmt.Errorf("%q has a path, which a connection does not have; leave it out", text)
		}
	default:
		return nil, fmt.Errorf("scheme %q is not known; use http, https, grpc, grpcs, tls, tcp or udp", r.Scheme)
	}
	if r.Host == "" {
		return nil, fmt.Errorf("%q names no host; write SCHEME://HOST", text)
	}
	if _, err := strconv.ParseUint(r.Port, 10, 16); r.Port != "" && err != nil {
		return nil, fmt.Errorf("%q has a port that is not between 0 and 65535", text)
	}
	if strings.ContainsFunc(method, notInToken) {
		return nil, fmt.Errorf("%q is not a method; write one such as GET", method)
	}
	for _, header := range headers {
		name, value, found := strings.Cut(header, ":")
		if name = strings.ToLower(strings.TrimSpace(name)); !found || name == "" {
			return nil, fmt.Errorf("header %q is not NAME: VALUE", header)
		}
		value = strings.TrimSpace(value)
		if name == "host" {
			r.ServerName, r.Host = r.Host, folded((&url.URL{Host: value}).Hostname())
			continue
		}
		r.addHeader(name, value)
	}
	return r, nil
}

// variable matches a variable in a hostname that is filled in where the manifests are applied.
var variable = regexp.MustCompile(`\$\{\w+\}`)

// parseURL reads a URL and its host, which may hold variables as the hostnames of routes do.
func parseURL(text string) (u *url.URL, host string, err error) {
	scheme, rest, _ := strings.Cut(text, "://")
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	if !variable.MatchString(authority) {
		if u, err = url.Parse(text); err != nil {
			return nil, "", err
		}
		return u, u.Hostname(), nil
	}
	if u, err = url.Parse(scheme + "://" + variable.ReplaceAllString(authority, "x") + rest[len(authority):]); err != nil {
		return nil, "", err
	}
	return u, strings.TrimSuffix(authority[strings.LastIndex(authority, "@")+1:], ":"+u.Port()), nil
}

// notInToken reports whether a method cannot have a character (RFC 9110, section 5.6.2).
func notInToken(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// addHeader adds a header. Values of the same name are one list (RFC 9110, section 5.3).
func (r *Request) addHeader(name, value string) {
	for i := range r.Headers {
		if r.Headers[i].Name == name {
			r.Headers[i].Value += "," + value
			return
		}
	}
	r.Headers = append(r.Headers, Pair{name, value})
}

// queryOf reads a query in its written order; of a repeated name the first counts.
func queryOf(raw string) []Pair {
	var out []Pair
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		out = append(out, Pair{name, value})
	}
	return out
}

// header returns the value of a header, or "".
func (r *Request) header(name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// cookies returns the cookies of a request (RFC 6265, section 4.2).
func (r *Request) cookies() []Pair {
	var out []Pair
	for part := range strings.SplitSeq(r.header("cookie"), ";") {
		if name, value, found := strings.Cut(strings.TrimSpace(part), "="); found {
			out = append(out, Pair{name, strings.Trim(value, `"`)})
		}
	}
	return out
}

// Secure reports whether the client begins TLS.
func (r *Request) Secure() bool {
	return r.Scheme == "https" || r.Scheme == "grpcs" || r.Scheme == "tls"
}

// serverName is the name that selects a listener for a connection with TLS.
func (r *Request) serverName() string {
	if r.ServerName != "" {
		return r.ServerName
	}
	return r.Host
}

// HTTP reports whether a request has a path and headers.
func (r *Request) HTTP() bool {
	switch r.Scheme {
	case "http", "https", "grpc", "grpcs":
		return true
	}
	return false
}

// String is the request as a URL, with its method if it has one.
func (r *Request) String() string {
	host := r.Host
	if strings.Contains(host, ":") && !loader.Placeholder(host) {
		host = "[" + host + "]"
	}
	if r.Port != "" {
		host += ":" + r.Port
	}
	out := r.Scheme + "://" + host + loader.WithoutCredentials(r.Path)
	for i, p := range r.Query {
		sep := "&"
		if i == 0 {
			sep = "?"
		}
		value := effective.Shown(p.Name, p.Value)
		if value == p.Value {
			value = url.QueryEscape(value)
		}
		out += sep + url.QueryEscape(p.Name) + "=" + value
	}
	if r.Method != "" && r.Scheme != "grpc" && r.Scheme != "grpcs" {
		out = r.Method + " " + out
	}
	if r.Expression != "" {
		out += " with a path that matches " + loader.WithoutCredentials(r.Expression)
	}
	return out
}
