package hierarchy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Matches returns the matches of a rule in a normalised form. Rules with an equal match accept the
// same requests of a host. A rule without matches has one match that accepts all requests.
func Matches(rule *Node) []string {
	matches := rule.Value.List("matches")
	if len(matches) == 0 {
		return []string{writeMatch(nil)}
	}
	out := make([]string, 0, len(matches))
	for _, m := range matches {
		out = append(out, writeMatch(m))
	}
	return out
}

func writeMatch(m *loader.Value) string {
	path := m.Get("path")
	method := m.Get("method")
	parts := []string{
		cmp.Or(path.Str("type"), "PathPrefix"), cmp.Or(path.Str("value"), "/"),
		textOf(method), method.Str("type"), method.Str("service"), method.Str("method"),
	}
	for _, field := range []string{"headers", "queryParams"} {
		var named []string
		for _, one := range m.List(field) {
			name := one.Str("name")
			if field == "headers" {
				name = strings.ToLower(name)
			}
			named = append(named, name+"\x01"+cmp.Or(one.Str("type"), "Exact")+"\x01"+one.Str("value"))
		}
		slices.SortFunc(named, cmp.Compare)
		parts = append(parts, strings.Join(named, "\x02"))
	}
	return strings.Join(parts, "\x00")
}
