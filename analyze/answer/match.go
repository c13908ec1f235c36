package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// The forms of a path match.
const (
	exact  = "Exact"
	prefix = "PathPrefix"
	regex  = "RegularExpression"
)

// match is one match of a rule: what a request must look like.
type match struct {
	form, path, method string
	// headers and params are the other conditions, each normalised, in order.
	headers, params []string
}

// matchesOf returns the matches of a rule. A rule without matches matches everything.
func matchesOf(rule *hierarchy.Node) []match {
	list := rule.Value.List("matches")
	if len(list) == 0 {
		return []match{{form: prefix, path: "/"}}
	}
	var out []match
	for _, m := range list {
		one := match{headers: named(m.List("headers"), strings.ToLower), params: named(m.List("queryParams"), nil)}
		if rule.Target.Kind == "GRPCRoute" {
			one.form, one.path = grpcPath(m.Get("method"))
		} else {
			p := m.Get("path")
			one.form, one.path = cmp.Or(p.Str("type"), prefix), cmp.Or(p.Str("value"), "/")
			if method := m.Get("method"); method != nil {
				one.method = method.Text
			}
		}
		if one.form == prefix {
			one.path = "/" + strings.Trim(one.path, "/")
		}
		out = append(out, one)
	}
	return out
}

// grpcPath returns the HTTP path of a gRPC call (Gateway API, GRPCRouteMatch).
func grpcPath(m *loader.Value) (form, path string) {
	service, method := m.Str("service"), m.Str("method")
	switch {
	case m.Str("type") == regex, service == "" && method != "":
		return regex, "/" + service + "/" + method
	case service == "":
		return prefix, "/"
	case method == "":
		return prefix, "/" + service
	}
	return exact, "/" + service + "/" + method
}

func named(list []*loader.Value, fold func(string) string) []string {
	var out []string
	for _, one := range list {
		name := one.Str("name")
		if fold != nil {
			name = fold(name)
		}
		out = append(out, name+"\x00"+cmp.Or(one.Str("type"), exact)+"\x00"+one.Str("value"))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inner is a path segment that no route contains. It represents everything below a prefix.
const inner = "\x00"

// witness returns the path of a request that matches: for a prefix, one below it.
func (m match) witness() string {
	if m.form == prefix {
		return strings.TrimSuffix(m.path, "/") + "/" + inner
	}
	return m.path
}

// takes reports whether a match accepts the request that another match represents. A regular
// expression accepts only requests of the same expression: what else it matches is not known.
func (m match) takes(r match) bool {
	if m.method != "" && m.method != r.method {
		return false
	}
	if !subset(m.headers, r.headers) || !subset(m.params, r.params) {
		return false
	}
	switch m.form {
	case prefix:
		return m.path == "/" || r.form != regex && under(r.witness(), m.path)
	default:
		return m.form == r.form && m.path == r.path
	}
}

// takers returns the paths of the matches that may accept the request that a match represents.
func (m match) takers() []pathKey {
	out := []pathKey{{prefix, "/"}}
	if m.form != prefix {
		out = append(out, pathKey{m.form, m.path})
	}
	if m.form == regex {
		return out
	}
	path := m.witness()
	for up := len(path); up > 0; up = strings.LastIndexByte(path, '/') {
		if path = path[:up]; path != "/" {
			out = append(out, pathKey{prefix, path})
		}
	}
	return out
}

func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// before orders matches by precedence (Gateway API, HTTPRouteRule.matches).
func (m match) before(other match) int {
	forms := []string{exact, regex, prefix}
	has := func(s string) int {
		if s == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(slices.Index(forms, m.form), slices.Index(forms, other.form)),
		cmp.Compare(len(other.path), len(m.path)),
		cmp.Compare(has(m.method), has(other.method)),
		cmp.Compare(len(other.headers), len(m.headers)),
		cmp.Compare(len(other.params), len(m.params)),
	)
}

// key is equal for equal matches only.
func (m match) key() string {
	return strings.Join([]string{m.form, m.path, m.method, strings.Join(m.headers, "\x01"), strings.Join(m.params, "\x01")}, "\x02")
}

// text is the match in readable form, after a hostname.
func (m match) text() string {
	out := m.path
	switch m.form {
	case prefix:
		out = strings.TrimSuffix(m.path, "/") + "/*"
	case regex:
		out = "~" + m.path
	}
	if m.method != "" {
		out = m.method + " " + out
	}
	return out
}
