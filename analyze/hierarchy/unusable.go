package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// UnusableMatch returns the condition because of which the controller leaves out a rule that has a match which it does not
// take; nil if there is none, or that is not known of the controller.
func (r *references) UnusableMatch(rule *Node) *Condition {
	if rule.Owner == nil {
		return nil
	}
	return r.of(rule.Owner).unusable(rule.Value)
}

func (r *referring) unusable(rule *loader.Value) *Condition {
	limits := r.own.Routes.Matches
	if limits == nil {
		return nil
	}
	for _, t := range matchTexts(rule.List("matches"), r.MatchesOfFilter(r.route, rule)) {
		if why := refuses(limits, t); why != "" {
			c := r.route.condition(Accepted, fact.False, unsupportedValue, t.words()+why, t.at)
			c.Subject, c.Carrier, c.drops = t.words(), MatchOfRule, true
			return &c
		}
	}
	return nil
}

// BrokenExpression returns the first regular expression in the matches of a rule that no engine reads, and says why; nil if
// there is none.
func BrokenExpression(rule *Node) (at *loader.Value, why string) {
	for _, t := range matchTexts(rule.Value.List("matches"), nil) {
		if wrong, everywhere := expression.Wrong(t.at.Text); t.regex && everywhere {
			return t.at, t.words() + " is not a regular expression: " + wrong
		}
	}
	return nil, ""
}

// MatchesOfFilter returns the further matches that a rule has by a filter of it, for implementations with such a filter; the
// first one counts (Envoy Gateway, internal/gatewayapi/route.go, buildRouteMatchCombinations).
func (r *references) MatchesOfFilter(route *Node, rule *loader.Value) []*loader.Value {
	kind := r.of(route).own.Matching.MatchFilter
	if kind.Name == "" {
		return nil
	}
	for _, f := range rule.List("filters") {
		ref := f.Get("extensionRef")
		if ref == nil || ref.Str("group") != kind.Group || ref.Str("kind") != kind.Name {
			continue
		}
		o := r.Object(loader.ID{Group: kind.Group, Kind: kind.Name, Namespace: route.Namespace(), Name: ref.Str("name")})
		if o == nil {
			continue
		}
		if list := o.Spec().List("matches"); len(list) > 0 {
			return list
		}
	}
	return nil
}

// matchText is a text of a match that decides whether a controller takes it.
type matchText struct {
	part part
	// name is that of a header, a query parameter or a cookie.
	name string
	at   *loader.Value
	// regex means that the text is a regular expression.
	regex bool
	// alone means that a service of gRPC has no method, or a method no service.
	alone bool
}

// part is the field of a match.
type part string

const (
	pathPart    part = "path"
	methodPart  part = "method"
	headerPart  part = "header"
	namePart    part = "header name"
	queryPart   part = "query parameter"
	cookiePart  part = "cookie"
	servicePart part = "service of gRPC"
	callPart    part = "method of gRPC"
)

// words name the text: by its name where its value may be a secret.
func (t matchText) words() string {
	if t.name != "" {
		return fmt.Sprintf("the value of the %s %s of a match", t.part, t.name)
	}
	return fmt.Sprintf("the %s %q of a match", t.part, t.at.Text)
}

// matchTexts lists the texts of matches in the order in which they are written.
func matchTexts(matches, ofFilter []*loader.Value) []matchText {
	var out []matchText
	add := func(part part, name string, at *loader.Value, kind string, alone bool) {
		if at != nil && at.Shape == loader.String && !at.Opaque && !loader.Placeholder(at.Text) {
			out = append(out, matchText{part: part, name: name, at: at, regex: kind == "RegularExpression", alone: alone})
		}
	}
	conditions := func(part part, list []*loader.Value) {
		for _, c := range list {
			add(part, c.Str("name"), c.Get("value"), c.Str("type"), false)
		}
	}
	for _, m := range matches {
		add(pathPart, "", m.Get("path", "value"), m.Str("path", "type"), false)
		for _, h := range m.List("headers") {
			add(namePart, "", h.Get("name"), "", false)
		}
		conditions(headerPart, m.List("headers"))
		conditions(queryPart, m.List("queryParams"))
		method := m.Get("method")
		add(methodPart, "", method, "", false)
		service, call := method.Get("service"), method.Get("method")
		add(servicePart, "", service, method.Str("type"), call.IsEmpty())
		add(callPart, "", call, method.Str("type"), service.IsEmpty())
	}
	for _, m := range ofFilter {
		conditions(cookiePart, m.List("cookies"))
	}
	return out
}

// refuses says why a controller does not take a match with a text, or is empty.
func refuses(l *implementation.Matches, t matchText) string {
	text := t.at.Text
	if t.regex && !(l.PathsAlone && (t.part == headerPart || t.part == queryPart)) {
		if why, everywhere := expression.Wrong(text); why != "" && (everywhere || !l.Perl) {
			return " is not a regular expression: " + why
		}
	}
	grpc := t.part == servicePart || t.part == callPart
	switch {
	case grpc && l.WholeMethods && t.regex:
		return " is a regular expression, and only exact ones are supported"
	case grpc && l.WholeMethods && t.alone:
		return " is alone, and both service and method are needed"
	case t.part == methodPart && slices.Contains(l.Refused, text):
		return " is not supported"
	case t.part == pathPart && l.Reserved != "" && strings.HasPrefix(text, l.Reserved):
		return " begins with " + l.Reserved + ", which is reserved"
	case t.part == pathPart && l.WrongPath(text) != "":
		return l.WrongPath(text)
	case grpc && l.HasWrongRune(text):
		return " has a blank or one of " + l.PathWithout
	case t.part == namePart && l.PlainNames && !plainHeader.MatchString(text):
		return " has more than letters, digits and hyphens"
	case (t.part == headerPart || t.part == queryPart) && l.Filled && strings.TrimSpace(text) == "":
		return " is empty"
	}
	return ""
}
