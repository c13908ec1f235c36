package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// intersect returns the hostnames that a route serves through a listener (Gateway API,
// concepts/hostnames). Names match if they are equal or if a wildcard covers a more specific name;
// the result is the more specific one. An empty listener hostname and an empty list mean all
// hostnames. The fact is False if both sides have hostnames and share none, and Unknown if the
// result depends on an unresolved ${VAR}. One variable has one value in an environment.
func intersect(listener string, route []string) ([]string, fact.Fact) {
	switch {
	case len(route) == 0 && listener == "":
		return nil, fact.True
	case len(route) == 0:
		return []string{listener}, fact.True
	case listener == "":
		return slices.Clone(route), fact.True
	}
	var shared []string
	admitted := fact.False
	for _, host := range route {
		name, match := intersectOne(listener, host)
		if match != fact.False && !slices.Contains(shared, name) {
			shared = append(shared, name)
		}
		admitted = admitted.Or(match)
	}
	return shared, admitted
}

func intersectOne(listener, route string) (string, fact.Fact) {
	switch {
	case listener == route:
		return route, fact.True
	case opaque(listener) || opaque(route):
		if end := commonEnd(listener, route); end != "" {
			name, match := intersectOne(strings.TrimSuffix(listener, end)+someDomain, strings.TrimSuffix(route, end)+someDomain)
			return strings.TrimSuffix(name, someDomain) + end, match
		}
		return route, fact.Unknown
	case dns.Covers(listener, route):
		return route, fact.True
	case dns.Covers(route, listener):
		return listener, fact.True
	}
	return "", fact.False
}

// someDomain replaces an unknown end of hostnames.
const someDomain = "domain.invalid"

// commonEnd returns the end of two hostnames from the first label with a variable on, if both have the same one: the
// labels before it then decide, whatever the value is. It returns "" if the ends differ.
func commonEnd(a, b string) string {
	if e := VariableEnd(a); e == VariableEnd(b) {
		return e
	}
	return ""
}

// VariableEnd returns the end of a hostname from the first label with a variable on, or "" if it has none.
func VariableEnd(name string) string {
	at := 0
	for label := range strings.SplitSeq(name, ".") {
		if opaque(label) {
			return name[at:]
		}
		at += len(label) + 1
	}
	return ""
}

// opaque reports whether a text contains an unresolved variable.
func opaque(text string) bool { return loader.Placeholder(text) }

// meantHostname returns a listener hostname, or a hostname that its wildcard matches, if a hostname
// of the route has almost the same spelling. Otherwise it returns "".
func meantHostname(route *Node, of string) string {
	for _, v := range route.Value.List("hostnames") {
		near := of
		if suffix, wildcard := strings.CutPrefix(of, "*"); wildcard {
			label, _, _ := strings.Cut(v.Text, ".")
			near = label + suffix
		}
		if meant := spelling.Similar(v.Text, []string{near}); meant != "" {
			return meant
		}
	}
	return ""
}
