package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// The forms of a condition for a path, a header or a query parameter.
const (
	exact  = "Exact"
	prefix = "PathPrefix"
	regex  = "RegularExpression"
)

// Match is one match of a rule: what a request must look like.
type Match struct {
	// Form and Path are the condition for the path, Method that for the method or "".
	Form, Path, Method string
	// Headers, Params and Cookies are the other conditions, in order of their names.
	Headers, Params, Cookies []Condition

	// shown is the path as the manifest has it, if Path differs. written is its length, service and method those of a
	// gRPC match.
	shown   string
	written int
	grpc    *grpcMatch

	// order is the precedence of the match by ordered, once it was asked for.
	order   [precedences]int
	ordered *implementation.Matching
}

// opened lets regular expressions match a part of a path or a value, for implementations where they do.
func (m *Match) opened(own *implementation.Matching) {
	if own.ValuesOpen {
		for _, list := range [][]Condition{m.Headers, m.Params} {
			for i, c := range list {
				if c.Form == regex && !loader.Placeholder(c.Value) {
					list[i].written, list[i].Value = c.Value, ".*(?:"+c.Value+").*"
				}
			}
		}
	}
	if m.Form != regex || m.grpc != nil || !own.RegexEndsOpen && !own.RegexBeginsOpen {
		return
	}
	m.shown = m.Path
	alternatives := []string{m.Path}
	if own.OthersBeginOpen {
		alternatives = expression.Alternatives(m.Path)
	}
	for i, one := range alternatives {
		one = "(?:" + one + ")"
		if own.RegexEndsOpen {
			one += ".*"
		}
		if own.RegexBeginsOpen || i > 0 {
			one = ".*" + one
		}
		alternatives[i] = one
	}
	m.Path = strings.Join(alternatives, "|")
}

// grpcMatch is the length of a service and a method.
type grpcMatch struct {
	service, method int
	regex           bool
}

// Condition is what a match demands of a header or a query parameter.
type Condition struct {
	Name, Form, Value string
	// written is the value as the manifest has it, if Value differs.
	written string
}

// String describes a condition: "x-canary=1", "x-canary~^[12]$".
func (c Condition) String() string {
	if c.Form == regex {
		return c.Name + "~" + c.shown()
	}
	return c.Name + "=" + c.shown()
}

// shown is the value as reports show it.
func (c Condition) shown() string { return effective.Shown(c.Name, cmp.Or(c.written, c.Value)) }

// matchesOf returns the matches of a rule. A rule without matches matches everything.
func matchesOf(rule *hierarchy.Node) []Match {
	list := rule.Value.List("matches")
	if len(list) == 0 {
		return []Match{{Form: prefix, Path: "/", written: 1}}
	}
	out := make([]Match, 0, len(list))
	for _, m := range list {
		one := Match{Headers: conditions(m.List("headers"), strings.ToLower), Params: conditions(m.List("queryParams"), nil)}
		if rule.Target.Kind == "GRPCRoute" {
			one.Form, one.Path = grpcPath(m.Get("method"))
			one.grpc = &grpcMatch{service: len(m.Str("method", "service")), method: len(m.Str("method", "method")), regex: m.Str("method", "type") == regex}
		} else {
			p := m.Get("path")
			one.Form, one.Path = cmp.Or(p.Str("type"), prefix), cmp.Or(p.Str("value"), "/")
			if method := m.Get("method"); method != nil {
				one.Method = method.Text
			}
		}
		one.written = len(one.Path)
		if one.Form == prefix {
			one.Path = "/" + strings.Trim(one.Path, "/")
		}
		out = append(out, one)
	}
	return out
}

// grpcPath returns the HTTP path of a gRPC call (Gateway API, GRPCRouteMatch).
func grpcPath(m *loader.Value) (form, path string) {
	service, method := m.Str("service"), m.Str("method")
	switch {
	case service == "" && method == "":
		return prefix, "/"
	case m.Str("type") == regex:
		return regex, "/" + cmp.Or(service, anySegment) + "/" + cmp.Or(method, anySegment)
	case service == "":
		return regex, "/" + anySegment + "/" + method
	case method == "":
		return prefix, "/" + service
	}
	return exact, "/" + service + "/" + method
}

// anySegment is the regular expression for the part of a gRPC path that a match leaves open.
const anySegment = "[^/]+"

// conditions reads conditions. If two have the same name, the first one counts (Gateway API,
// HTTPHeaderMatch.name and HTTPQueryParamMatch.name).
func conditions(list []*loader.Value, fold func(string) string) []Condition {
	var out []Condition
	for _, one := range list {
		c := Condition{Name: one.Str("name"), Form: cmp.Or(one.Str("type"), exact), Value: one.Str("value")}
		if fold != nil {
			c.Name = fold(c.Name)
		}
		if !slices.ContainsFunc(out, func(other Condition) bool { return other.Name == c.Name }) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Condition) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Accepts reports whether a match accepts a request, and if not, or if it is not known, why.
func (m *Match) Accepts(r *Request) (fact.Fact, string) {
	accepted, why := m.acceptsPath(r.Path)
	if accepted == fact.False {
		return accepted, why
	}
	if m.Method != "" && m.Method != r.Method {
		return fact.False, "the method is not " + m.Method
	}
	for _, part := range []struct {
		name       string
		conditions []Condition
		sent       []Pair
	}{{"header", m.Headers, r.Headers}, {"query parameter", m.Params, r.Query}, {"cookie", m.Cookies, r.cookies()}} {
		for _, c := range part.conditions {
			switch ok, reason := c.accepts(part.name, part.sent); ok {
			case fact.False:
				return fact.False, reason
			case fact.Unknown:
				accepted, why = fact.Unknown, reason
			case fact.True:
			}
		}
	}
	return accepted, why
}

func (m *Match) acceptsPath(path string) (fact.Fact, string) {
	switch {
	case loader.Placeholder(m.Path):
		return fact.Unknown, "the path of the match holds a variable that is not resolved"
	case m.Form == prefix:
		return fact.Of(m.Path == "/" || under(path, m.Path)), "the path is not below " + m.Path
	case m.Form == regex:
		return matches(m.Path, path, "the path does not match "+m.Path)
	}
	return fact.Of(m.Path == path), "the path is not " + m.Path
}

func (c Condition) accepts(what string, sent []Pair) (fact.Fact, string) {
	i := slices.IndexFunc(sent, func(p Pair) bool { return p.Name == c.Name })
	switch {
	case loader.Placeholder(c.Value):
		return fact.Unknown, fmt.Sprintf("the value of %s %s holds a variable that is not resolved", what, c.Name)
	case i < 0:
		return fact.False, fmt.Sprintf("the request has no %s %s", what, c.Name)
	case c.Form == regex:
		why := fmt.Sprintf("%s %s does not match %s", what, c.Name, c.shown())
		ok, reason := matches(c.Value, sent[i].Value, why)
		if ok == fact.Unknown && c.shown() != cmp.Or(c.written, c.Value) {
			reason = fmt.Sprintf("it is not known what the regular expression for %s %s matches: RE2 has no such syntax", what, c.Name)
		}
		return ok, reason
	}
	return fact.Of(c.Value == sent[i].Value), fmt.Sprintf("%s %s is not %s", what, c.Name, c.shown())
}

// inner is a path segment that no route contains. It represents everything below a prefix.
const inner = "\x00"

// witness returns the path of a request that matches: for a prefix, one below it.
func (m *Match) witness() string {
	if m.Form == prefix {
		return strings.TrimSuffix(m.Path, "/") + "/" + inner
	}
	return m.Path
}

// Covers reports whether a match accepts the request that another match represents. A regular
// expression accepts only requests of the same expression: what else it matches is not known.
func (m *Match) Covers(r *Match) bool {
	if m.Method != "" && m.Method != r.Method {
		return false
	}
	if !subset(m.Headers, r.Headers) || !subset(m.Params, r.Params) || !subset(m.Cookies, r.Cookies) {
		return false
	}
	switch m.Form {
	case prefix:
		return m.Path == "/" || r.Form != regex && under(r.witness(), m.Path)
	default:
		return m.Form == r.Form && m.Path == r.Path
	}
}

// Below reports whether a match may accept other paths than its own, such as those below it.
func Below(m *Match) bool { return m.Form != exact }

func under(path, prefix string) bool {
	return path == prefix || len(path) > len(prefix) && path[len(prefix)] == '/' && path[:len(prefix)] == prefix
}

func subset(some, all []Condition) bool {
	return !slices.ContainsFunc(some, func(c Condition) bool { return !slices.Contains(all, c) })
}

// path is the condition for the path in readable form. It tells paths apart, so credentials in them are hidden where a plan is made.
func (m *Match) path() string {
	switch m.Form {
	case prefix:
		return strings.TrimSuffix(m.Path, "/") + "/*"
	case regex:
		return "~" + cmp.Or(m.shown, m.Path)
	default:
		return m.Path
	}
}

// String is the whole match in readable form: "POST /api/* x-canary=1 ?v=2".
func (m *Match) String() string {
	parts := []string{m.path()}
	if m.Method != "" {
		parts = []string{m.Method, m.path()}
	}
	return strings.Join(append(parts, m.words()...), " ")
}

// words are the conditions beside those for method and path in readable form.
func (m *Match) words() []string {
	var out []string
	for _, c := range m.Headers {
		out = append(out, c.String())
	}
	for _, c := range m.Params {
		out = append(out, "?"+c.String())
	}
	for _, c := range m.Cookies {
		out = append(out, "cookie "+c.String())
	}
	return out
}
