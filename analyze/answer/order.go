package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// before orders ways of one hostname that match the same request.
func before(g *hierarchy.Graph, a, b *Way) int {
	if by := a.rank(b); by != 0 || a.own.Scores {
		return by
	}
	if a.Route != b.Route {
		if a.own.TiesByName {
			return cmp.Or(strings.Compare(a.Route.Target.Namespace, b.Route.Target.Namespace), strings.Compare(a.Route.Target.Name, b.Route.Target.Name))
		}
		return g.Order(a.Route.Object, b.Route.Object).Compare
	}
	// Of two listeners, the one with the more specific hostname answers.
	return cmp.Or(
		cmp.Compare(a.Rule.Index, b.Rule.Index),
		cmp.Compare(len(b.Listener.Value.Str("hostname")), len(a.Listener.Value.Str("hostname"))),
	)
}

// rank orders ways of one hostname by their hostnames and matches, whatever the ages of their routes.
func (w *Way) rank(other *Way) int {
	kinds := strings.Compare(other.Route.Target.Kind, w.Route.Target.Kind) // HTTPRoute before GRPCRoute
	switch {
	case w.own.Scores:
		return cmp.Compare(other.score(), w.score())
	case w.own.HTTPAlways && kinds != 0:
		return kinds
	}
	by := cmp.Or(w.specific(other), w.Match.before(other.Match, w.own))
	if by == 0 && w.own.HTTPFirst {
		return kinds
	}
	return by
}

// score is the priority of a way for implementations that add up points for host, path, method, headers and
// parameters (Traefik, buildMatchRule and buildPathRule). For a GRPCRoute, Traefik takes the length of the rule's
// text; the length of the match's text is an approximation.
func (w *Way) score() int {
	host := len(strings.TrimPrefix(w.Host, "*"))
	for _, v := range w.Route.Value.List("hostnames") {
		if w.Host != "*" {
			host = max(host, len(v.Text))
		}
	}
	m := w.Match
	if m.grpc != nil {
		return host + len(m.String())
	}
	path := 10_000 + 100*m.written
	switch {
	case m.Form == exact:
		path = 100_000
	case m.Form == prefix && m.Path == "/":
		path = 1
	}
	return host + path + 1000*min(len(m.Method), 1) + 100*len(m.Headers) + 10*len(m.Params) + len(w.Route.Sections) - w.Rule.Index
}

// specific orders ways of one hostname by the hostnames that their routes have: more characters without a
// wildcard, then more characters (Gateway API, HTTPRouteSpec.hostnames).
func (w *Way) specific(other *Way) int {
	if w.own.IntersectedHosts || w.Route == other.Route || w.written == other.written {
		return 0
	}
	exactly := func(name string) int {
		if strings.HasPrefix(name, "*") {
			return 0
		}
		return len(name)
	}
	return cmp.Or(cmp.Compare(exactly(other.written), exactly(w.written)), cmp.Compare(len(other.written), len(w.written)))
}

// asWritten orders ways by the age of their routes and the order of their rules.
func asWritten(g *hierarchy.Graph, a, b *Way) int {
	if a.Route != b.Route {
		return g.Order(a.Route.Object, b.Route.Object).Compare
	}
	return cmp.Compare(a.Rule.Index, b.Rule.Index)
}

// precedence is a match with the way in which an implementation orders matches.
type precedence struct {
	*Match
	own *implementation.Matching
}

// before orders matches by precedence: first the form of the path, then its length, the method, the
// number of headers and of query parameters (Gateway API, HTTPRouteRule.matches). Controllers depart
// from it as their data says.
func (m *Match) before(other *Match, own *implementation.Matching) int {
	if m.grpc != nil && other.grpc != nil && !own.GRPCAsPaths {
		// Gateway API, GRPCRouteRule.matches: the service, the method, the number of headers.
		return cmp.Or(
			cmp.Compare(other.grpc.service, m.grpc.service), cmp.Compare(other.grpc.method, m.grpc.method),
			cmp.Compare(len(other.Headers), len(m.Headers)),
		)
	}
	if m == other {
		return 0
	}
	a, b := m.precedence(own), other.precedence(own)
	for i := range a {
		if by := cmp.Compare(a[i], b[i]); by != 0 {
			return by
		}
	}
	return 0
}

// precedences is how many numbers order matches.
const precedences = 9

// precedence returns the numbers that order a match, the lower one first.
func (m *Match) precedence(own *implementation.Matching) *[precedences]int {
	if m.ordered != own {
		p := precedence{m, own}
		exactly := func(n int) int { // counts exact values, for implementations that do
			if own.ExactFirst {
				return -n
			}
			return 0
		}
		m.ordered = own
		m.order = [precedences]int{
			p.rank(), -p.length(), -p.methods(), -p.headers(), exactly(p.exactHeaders()),
			-len(m.Cookies), exactly(exactValues(m.Cookies)), -len(m.Params), exactly(exactValues(m.Params)),
		}
	}
	return &m.order
}

// rank orders the forms of paths.
func (m precedence) rank() int {
	order := []string{exact, regex, prefix}
	if m.own.RegexLast {
		order = []string{exact, prefix, regex}
	}
	if m.suffixed() || m.own.RegexByLength && m.Form == regex {
		return slices.Index(order, prefix)
	}
	return slices.Index(order, m.Form)
}

// suffixed reports whether a match for the method of any gRPC service is a condition for a header, and
// none for the path (Envoy Gateway, internal/gatewayapi/route.go, processGRPCRouteMethodExact).
func (m precedence) suffixed() bool {
	return m.own.SuffixMethods && m.grpc != nil && m.grpc.service == 0 && m.grpc.method > 0 && !m.grpc.regex
}

// length is the number of characters of a path that count.
func (m precedence) length() int {
	if m.suffixed() || m.own.RegexUnordered && m.Form == regex {
		return 0
	}
	if m.own.PathAsWritten && (m.Form != prefix || m.Path != "/") {
		return m.written
	}
	if m.Form == prefix && m.Path == "/" {
		return 0
	}
	return len(m.Path)
}

// methods is 1 if a match has a method that counts by itself.
func (m precedence) methods() int {
	if m.Method != "" && !m.own.MethodIsHeader {
		return 1
	}
	return 0
}

// headers counts the conditions for headers.
func (m precedence) headers() int {
	n := len(m.Headers)
	if m.Method != "" && m.own.MethodIsHeader {
		n++
	}
	if m.suffixed() {
		n++
	}
	return n
}

func (m precedence) exactHeaders() int {
	n := exactValues(m.Headers)
	if m.Method != "" && m.own.MethodIsHeader {
		n++
	}
	return n
}

// exactValues counts the conditions that are no regular expressions.
func exactValues(list []Condition) int {
	n := 0
	for _, c := range list {
		if c.Form == exact {
			n++
		}
	}
	return n
}
