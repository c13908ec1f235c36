package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// intersect gives the hostnames that a route serves through a listener
// (Gateway API, concepts/hostnames): equal names, or a wildcard over a more
// specific name, of which the more specific is the result. An empty listener
// hostname and an empty list mean all. The fact is False if both sides name
// hosts and none is shared, Unknown if only an unresolved ${VAR} could decide.
func intersect(listener string, route []string) ([]string, Fact) {
	switch {
	case len(route) == 0 && listener == "":
		return nil, True
	case len(route) == 0:
		return []string{listener}, True
	case listener == "":
		return slices.Clone(route), True
	}
	var shared []string
	admitted := False
	for _, host := range route {
		name, fact := intersectOne(listener, host)
		if fact != False && !slices.Contains(shared, name) {
			shared = append(shared, name)
		}
		admitted = admitted.Or(fact)
	}
	return shared, admitted
}

func intersectOne(listener, route string) (string, Fact) {
	switch {
	case listener == route:
		return route, True
	case opaque(listener) || opaque(route):
		return route, Unknown
	case covers(listener, route):
		return route, True
	case covers(route, listener):
		return listener, True
	}
	return "", False
}

// covers says whether a wildcard matches a name or a longer wildcard: `*.x`
// stands for one or more labels before x and never for x itself.
func covers(wildcard, name string) bool {
	suffix, ok := strings.CutPrefix(wildcard, "*")
	return ok && len(name) > len(suffix) && strings.HasSuffix(name, suffix)
}

// opaque says whether a text holds something that is not filled in.
func opaque(text string) bool { return loader.Placeholder(text) }
