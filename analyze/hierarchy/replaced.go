package hierarchy

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// replacing finds the rules that a controller replaces with an error.
type replacing struct{ *referring }

// replaced returns the condition of a rule whose requests the controller answers with 500, whatever its backends are, because of
// which it does not accept the route in its status; nil if there is none, or that is not known of the controller (kgateway,
// translator/irtranslator/route.go, envoyRoutes). The condition has a carrier where no other one tells what is wrong.
func replaced(of *referring, rule *loader.Value) *Condition {
	r := replacing{of}
	if r.own.Routes.Replaced.Reason == "" {
		return nil
	}
	for _, filter := range rule.List("filters") {
		if c := r.byFilter(filter, rule); c != nil {
			return c
		}
	}
	redirects, direct := false, 0
	for _, filter := range rule.List("filters") {
		redirects = redirects || filter.Str("type") == "RequestRedirect"
		if r.answersItself(filter) {
			direct++
		}
	}
	routes, delegates, weighted := 0, false, false
	for _, ref := range rule.List("backendRefs") {
		if delegatesTo(r.own, BackendID(ref, r.route.Namespace())) {
			delegates = true
			continue
		}
		routes++
		weighted = weighted || !unweighted(ref)
	}
	switch {
	case direct > 0 && (routes > 0 || redirects || direct > 1): // directresponse/direct_response_plugin.go, ApplyForRoute
		filters := rule.List("filters")
		last := filters[len(filters)-1]
		for _, filter := range filters {
			if r.answersItself(filter) {
				last = filter
			}
		}
		return r.replacement(fmt.Sprintf("a rule with a %s can have no backend, no redirect and no other %[1]s", r.own.Routes.Replaced.Direct.Name), last, Filter)
	case delegates || redirects || direct > 0 || slices.ContainsFunc(rule.List("filters"), r.direct):
		return nil
	case routes == 0:
		return r.replacement("a rule has no backend", rule, "")
	case routes > 1 && !weighted: // validate.go, validateWeightedClusters
		return r.replacement("all backends of a rule have the weight 0", rule, "")
	}
	return nil
}

// replacement is a condition because of which requests of a rule get 500.
func (r replacing) replacement(message string, at *loader.Value, carrier Carrier) *Condition {
	c := r.route.condition(Accepted, fact.False, r.own.Routes.Replaced.Reason, message, at)
	c.Subject, c.Carrier, c.drops = message, carrier, true
	return &c
}

// byFilter is replaced for one filter.
func (r replacing) byFilter(filter, rule *loader.Value) *Condition {
	kind := filter.Str("type")
	if !r.own.Matching.HasFilter(r.route.Target.Kind, kind) {
		return nil
	}
	switch kind {
	case "ExtensionRef": // krtcollections/policy.go, resolveExtension
		of := extensionOf(filter)
		if of.Name != "" && !slices.Contains(r.own.Routes.Extensions, of) && of.Group != r.own.Routes.Replaced.Direct.Group {
			return r.replacement(fmt.Sprintf("there is no extension of kind %s.%s", of.Name, of.Group), filter.Get("extensionRef"), Filter)
		}
		if c := r.judgeFilter(filter); c.Status == fact.False {
			return r.replacement(c.Message, c.Ref, "")
		}
	case "RequestRedirect": // krtcollections/builtin.go, translateStatusCode
		redirect := filter.Get("requestRedirect")
		if wrong := wrongRedirectCode(redirectAnnotation(r.route), rule.Str("name")); wrong != "" {
			return r.replacement(wrong, filter, Filter)
		}
		return r.wrongRewrite(redirect.Get("path"), true)
	case "URLRewrite":
		return r.wrongRewrite(filter.Get("urlRewrite", "path"), false)
	}
	return nil
}

// wrongRewrite refuses a path that a redirect or a rewrite sets (kgateway, translator/irtranslator/validate.go,
// validateEnvoyRoute).
func (r replacing) wrongRewrite(path *loader.Value, redirects bool) *Condition {
	full, prefix := path.Get("replaceFullPath"), path.Get("replacePrefixMatch")
	switch {
	case redirects && path.Str("type") == "ReplaceFullPath" && full != nil && !unreadable(full):
		text, _, _ := strings.Cut(full.Text, "?")
		if why := wrongRoutePath(text); why != "" {
			return r.replacement(fmt.Sprintf("the path %q of a redirect %s", full.Text, why), full, Filter)
		}
	case path.Str("type") == "ReplacePrefixMatch" && prefix != nil && !unreadable(prefix):
		why := "is no path"
		if u, err := url.Parse(prefix.Text); err == nil {
			why = wrongRoutePath(u.Path)
		}
		if why != "" {
			return r.replacement(fmt.Sprintf("the prefix %q of a filter %s", prefix.Text, why), prefix, Filter)
		}
	}
	return nil
}

// routePath is what a path of a route of Envoy may be (translator/irtranslator/validate.go, validPathRegexCharacters).
var routePath = regexp.MustCompile("^(?:([A-Za-z0-9/:@._~!$&'()*+,=;-]*|[%][0-9a-fA-F]{2}))*$")

// wrongRoutePath says why kgateway refuses a path, or is empty (validate.go, ValidateRoutePath).
func wrongRoutePath(text string) string {
	if !routePath.MatchString(text) {
		return "has a character that no path can have"
	}
	for _, part := range []string{"//", "/./", "/../", "%2f", "%2F"} {
		if strings.Contains(text, part) {
			return "has " + part
		}
	}
	for _, end := range []string{"/..", "/."} {
		if strings.HasSuffix(text, end) {
			return "ends with " + end
		}
	}
	return ""
}

// redirectAnnotation is the annotation of a route with the status codes of its redirects, nil without one.
func redirectAnnotation(route *Node) *loader.Value {
	return route.Object.Root.Get("metadata", "annotations", "kgateway.dev/http-redirect-status-code")
}

// RedirectCode returns the status that an annotation gives the redirects of a rule in place of their own, or nothing.
func RedirectCode(g *Graph, rule *Node) string {
	if rule.Owner == nil || rule.Owner.Object == nil || rule.Owner.Target.Kind != "HTTPRoute" || g.Decider(rule.Owner).Routes.Replaced.Reason == "" {
		return ""
	}
	return redirectCode(redirectAnnotation(rule.Owner), rule.Value.Str("name"))
}

// wrongRedirectCode says what is wrong with such an annotation for a rule, or is empty (krtcollections/builtin.go,
// translateStatusCode).
func wrongRedirectCode(annotation *loader.Value, rule string) string {
	if annotation == nil || unreadable(annotation) {
		return ""
	}
	if annotation.Text == "" {
		return "the annotation kgateway.dev/http-redirect-status-code is empty"
	}
	word := redirectCode(annotation, rule)
	if code, err := strconv.Atoi(word); word != "" && (err != nil || !slices.Contains([]int{301, 302, 303, 307, 308}, code)) {
		return fmt.Sprintf("the annotation kgateway.dev/http-redirect-status-code has %q, which is no status of a redirect", word)
	}
	return ""
}

// redirectCode is the word of such an annotation for a rule, or empty (parseRedirectStatusCodeAnnotation, there).
func redirectCode(annotation *loader.Value, rule string) string {
	if annotation == nil || unreadable(annotation) {
		return ""
	}
	for word := range strings.SplitSeq(annotation.Text, ",") {
		word = strings.TrimSpace(word)
		if parts := strings.Split(word, "="); len(parts) == 2 {
			if rule != "" && parts[0] != "" && parts[0] != rule {
				continue
			}
			word = strings.TrimSpace(parts[1])
		}
		return word
	}
	return ""
}

// answersItself reports whether a filter names an object that answers requests, as far as it is known to exist.
func (r replacing) answersItself(filter *loader.Value) bool {
	return r.direct(filter) && r.judgeFilter(filter).Status == fact.True
}

// direct reports whether a filter names an object of the kind that answers requests.
func (r replacing) direct(filter *loader.Value) bool {
	return extensionOf(filter) == r.own.Routes.Replaced.Direct && r.own.Matching.HasFilter(r.route.Target.Kind, "ExtensionRef")
}

// MayAnswer reports whether a filter of a rule may name an object that answers requests itself, as far as it is known which kinds do.
func MayAnswer(g *Graph, rule *Node) bool {
	if rule.Owner == nil {
		return false
	}
	of := replacing{g.of(rule.Owner)}
	if of.own.Routes.Replaced.Reason == "" {
		return slices.ContainsFunc(rule.Value.List("filters"), func(f *loader.Value) bool { return f.Str("type") == "ExtensionRef" })
	}
	return slices.ContainsFunc(rule.Value.List("filters"), of.direct)
}

// ReplacedBelow returns why the routes to which a rule passes requests on answer them with 500, nil if they do not for this rule.
func ReplacedBelow(g *Graph, rule *Node) *Condition {
	if rule.Owner == nil {
		return nil
	}
	return replacedBelow(g.of(rule.Owner), rule.Value)
}

// replacedBelow is ReplacedBelow: they inherit what answers requests itself from the filters of the rule, beside their own backends
// (kgateway, translator/irtranslator/route.go, runRoutePlugins).
func replacedBelow(of *referring, rule *loader.Value) *Condition {
	r := replacing{of}
	if r.own.Routes.Replaced.Reason == "" || !slices.ContainsFunc(rule.List("backendRefs"), func(ref *loader.Value) bool {
		return delegatesTo(r.own, BackendID(ref, r.route.Namespace()))
	}) {
		return nil
	}
	for _, filter := range rule.List("filters") {
		if r.answersItself(filter) {
			c := r.replacement("a rule with a "+r.own.Routes.Replaced.Direct.Name+" can pass no requests on to routes with backends", filter, Filter)
			c.drops, c.filter = false, "ExtensionRef" // the status of the route says nothing of it
			return c
		}
	}
	return nil
}
