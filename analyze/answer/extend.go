package answer

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// extended returns the matches of a rule with what the implementation makes of its filters: further
// conditions, and matches of its own for preflight requests.
func (p *Port) extended(rule *hierarchy.Node, matches []Match) []Match {
	if cookies := p.cookies(rule); len(cookies) > 0 {
		var out []Match
		for _, m := range matches {
			for _, list := range cookies {
				m.Cookies = list
				out = append(out, m)
			}
		}
		matches = out
	}
	if !p.own.Preflights || !slices.ContainsFunc(rule.Value.List("filters"), func(f *loader.Value) bool { return f.Str("type") == "CORS" }) {
		return matches
	}
	var out []Match
	for _, m := range matches {
		out = append(out, m)
		if m.Method != "" && m.Method != "OPTIONS" && len(m.Cookies) == 0 {
			m.Method = "OPTIONS"
			m.Headers = union(m.Headers, []Condition{{Name: "access-control-request-method", Form: regex, Value: ".*"}, {Name: "origin", Form: regex, Value: ".*"}})
			slices.SortFunc(m.Headers, func(a, b Condition) int { return cmp.Compare(a.Name, b.Name) })
			out = append(out, m)
		}
	}
	return out
}

// cookies returns the conditions for cookies that the filters of a rule add: one of the lists must hold.
func (p *Port) cookies(rule *hierarchy.Node) [][]Condition {
	var out [][]Condition
	for _, m := range p.graph.MatchesOfFilter(rule.Owner, rule.Value) {
		out = append(out, conditions(m.List("cookies"), nil))
	}
	return out
}
