package hierarchy

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// delegatedMatches finds which routes the requests of a rule reach by what both match (kgateway, translator/httproute/
// delegation_helpers.go, filterDelegatedChildren; pkg/kgateway/utils/delegation, IsDelegatedRouteMatch).
type delegatedMatches struct {
	delegation delegation
	own        map[*Node]*implementation.Implementation
	// matches are those of the rules, with what they inherit from the rules above; plain are those that they state.
	matches, plain map[*Node][]delegatedMatch
}

// maxDelegated bounds the matches of a rule that inherits them on several ways. Beyond it, a rule reaches all routes.
const maxDelegated = 256

// delegatedMatch is a match of a rule. Headers and params are written out as a whole.
type delegatedMatch struct {
	form, path, method string
	headers, params    []string
}

// judge refuses the routes that no match of a rule of the route reaches. Routes come after all that pass requests on to them.
func (p *delegatedMatches) judge(route *Node) {
	own := p.own[route]
	if own == nil || !own.Routes.PlainDelegates {
		return
	}
	for _, rule := range route.Sections {
		matches := p.of(rule, own)
		served := make([]bool, len(matches))
		var edges []*Edge
		for _, e := range rule.Down {
			if e.Child.Level != LevelRoute || !e.Open() {
				continue
			}
			edges = append(edges, e)
			reached := len(matches) > maxDelegated
			for i, m := range matches {
				if p.reaches(m, e.Child, own) {
					served[i], reached = true, true
				}
			}
			if !reached {
				e.Admitted, e.Reason, e.Message = fact.False, NoMatchingParent, "no rule of the route has the path and the conditions of "+rule.String()
			}
		}
		p.delegation.builder.partlyDelegated[rule] = len(edges) > 0 && len(matches) <= maxDelegated && slices.Contains(served, false)
	}
}

// of returns the matches of a rule.
func (p *delegatedMatches) of(rule *Node, own *implementation.Implementation) []delegatedMatch {
	if m, ok := p.matches[rule]; ok {
		return m
	}
	matches := p.stated(rule)
	if InheritsMatches(rule.Owner, own) {
		var composed []delegatedMatch
		outer := false
		for _, e := range rule.Owner.Up {
			if e.Parent.Level != LevelRule {
				outer = outer || e.Open()
				continue
			}
			if !e.Open() || len(composed) > maxDelegated {
				continue
			}
			for _, above := range p.matches[e.Parent] {
				for _, m := range matches[:min(len(matches), maxDelegated+1-len(composed))] {
					composed = append(composed, m.below(above))
				}
			}
		}
		if len(composed) > 0 && outer {
			composed = append(composed, matches...)
		}
		if len(composed) > 0 {
			matches = composed
		}
	}
	p.matches[rule] = matches
	return matches
}

// InheritsMatches reports whether a route adds what it matches to what the rule above it does (kgateway
// pkg/kgateway/utils/delegation, ShouldInheritParentMatcher).
func InheritsMatches(route *Node, own *implementation.Implementation) bool {
	if own.Routes.LabelDelegation == "" {
		return false
	}
	switch strings.ToLower(route.Object.Annotations()[own.Routes.LabelDelegation+"/inherit-parent-matcher"]) {
	case "true", "yes", "enabled":
		return true
	}
	return false
}

// stated returns the matches that a rule states.
func (p *delegatedMatches) stated(rule *Node) []delegatedMatch {
	m, ok := p.plain[rule]
	if !ok {
		m = matchesOf(rule.Value)
		p.plain[rule] = m
	}
	return m
}

// matchesOf returns the matches of a rule, with the API's defaults.
func matchesOf(rule *loader.Value) []delegatedMatch {
	written := func(list []*loader.Value) (out []string) {
		for _, v := range list {
			form := v.Str("type")
			if form == "" {
				form = "Exact"
			}
			out = append(out, form+" "+v.Str("name")+"="+v.Str("value"))
		}
		return out
	}
	out := []delegatedMatch{}
	for _, match := range rule.List("matches") {
		m := delegatedMatch{form: match.Str("path", "type"), path: match.Str("path", "value"), method: match.Str("method"), headers: written(match.List("headers")), params: written(match.List("queryParams"))}
		if m.form == "" {
			m.form = "PathPrefix"
		}
		if m.path == "" {
			m.path = "/"
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		out = append(out, delegatedMatch{form: "PathPrefix", path: "/"})
	}
	return out
}

// below returns a match of a route that inherits that of the rule above.
func (m delegatedMatch) below(above delegatedMatch) delegatedMatch {
	m.path = path.Join(above.path, m.path)
	if above.method != "" {
		m.method = above.method
	}
	name := func(condition string) string {
		before, _, _ := strings.Cut(condition, "=")
		_, name, _ := strings.Cut(before, " ")
		return name
	}
	join := func(own, above []string) []string {
		return append(slices.DeleteFunc(slices.Clone(own), func(c string) bool {
			return slices.ContainsFunc(above, func(other string) bool { return name(other) == name(c) })
		}), above...)
	}
	m.headers, m.params = join(m.headers, above.headers), join(m.params, above.params)
	return m
}

// reaches reports whether a match of a rule reaches a route: one of its matches demands all that the rule does, or the route
// inherits it.
func (p *delegatedMatches) reaches(m delegatedMatch, child *Node, own *implementation.Implementation) bool {
	if InheritsMatches(child, own) {
		return true
	}
	subset := func(of, list []string) bool {
		return !slices.ContainsFunc(of, func(c string) bool { return !slices.Contains(list, c) })
	}
	return slices.ContainsFunc(child.Sections, func(rule *Node) bool {
		return slices.ContainsFunc(p.stated(rule), func(own delegatedMatch) bool {
			if opaque(m.path) || opaque(own.path) {
				return true
			}
			return m.form == "PathPrefix" && strings.HasPrefix(own.path, m.path) && (m.method == "" || m.method == own.method) &&
				subset(m.headers, own.headers) && subset(m.params, own.params)
		})
	})
}
