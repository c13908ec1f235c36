package hierarchy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// ChangesHeaders reports whether a filter changes headers of requests or responses.
func ChangesHeaders(filter *loader.Value) bool {
	return slices.Contains([]string{requestHeaders, responseHeaders}, filter.Str("type"))
}

// The types of filter that change headers (Gateway API, HTTPRouteFilterType).
const (
	requestHeaders  = "RequestHeaderModifier"
	responseHeaders = "ResponseHeaderModifier"
)

// judgeHeaders evaluates a filter that changes headers, for controllers that refuse some (NGINX Gateway Fabric,
// internal/controller/state/graph/common_filter.go, validateFilterHeaderModifierFields and validateResponseHeaders).
func judgeHeaders(r *referring, filter *loader.Value) Condition {
	limits := r.own.Routes.Headers
	if limits == nil {
		return good(ResolvedRefs, ResolvedRefs)
	}
	stanza, fixed := filter.Get("requestHeaderModifier"), limits.Fixed
	if filter.Str("type") == responseHeaders {
		stanza, fixed = filter.Get("responseHeaderModifier"), slices.Concat(limits.Fixed, limits.FixedInResponses)
	}
	for _, list := range []string{"add", "set", "remove"} {
		seen := map[string]bool{}
		for _, item := range stanza.List(list) {
			name, value := item, (*loader.Value)(nil)
			if list != "remove" {
				name, value = item.Get("name"), item.Get("value")
			}
			if name == nil || unreadable(name) {
				continue
			}
			lower := strings.ToLower(name.Text)
			switch {
			case !plainHeader.MatchString(name.Text), len(name.Text) > longestHeader, slices.ContainsFunc(fixed, func(f string) bool { return isFixed(lower, f) }):
				return r.refused(fmt.Sprintf("a filter cannot change the header %q", name.Text), name)
			case seen[lower]:
				return r.refused(fmt.Sprintf("a filter names the header %q twice", name.Text), name)
			case value != nil && !unreadable(value) && !quotable.MatchString(value.Text):
				return r.refused("a filter gives the header "+name.Text+" a value that cannot be written into the configuration of NGINX", value)
			}
			seen[lower] = true
		}
	}
	return good(ResolvedRefs, ResolvedRefs)
}

// isFixed reports whether a header in lower case is one that filters cannot change. A fixed name that ends in * is a
// prefix.
func isFixed(header, fixed string) bool {
	if prefix, is := strings.CutSuffix(fixed, "*"); is {
		return strings.HasPrefix(header, prefix)
	}
	return header == fixed
}

// plainHeader is the name of a header as Kubernetes checks it, which is narrower than what the CRDs of Gateway API take
// (k8s.io/apimachinery/pkg/util/validation, IsHTTPHeaderName; NGINX Gateway Fabric,
// internal/controller/nginx/config/validation/common.go, validateHeaderName).
var plainHeader = regexp.MustCompile(`^[-A-Za-z0-9]+$`)

// longestHeader is the longest name of a header that a filter changes.
const longestHeader = 256

// quotable matches what can be written between double quotes in the configuration of NGINX: a variable may only occur
// in its complete form (common.go, validateEscapedStringWithNginxVars, and generic.go, ValidateNginxVariableName).
var quotable = regexp.MustCompile(`^(?:(?:[^"$\\\r\n]|\\[^$\r\n])*|\$(?:\{[a-z][a-z0-9_]*\}|[a-z][a-z0-9_]*))$`)

// dropsAll reports whether the controller does not serve a route at all because a filter or a match of each of its rules is
// refused; with a rule left, those with such a filter answer with an error (internal/controller/state/graph/httproute.go,
// processHTTPRouteRules; internal/controller/state/dataplane/configuration.go, upsertRoute).
func dropsAll(r *referring, rule *loader.Value) bool {
	if r.own.Routes.Headers == nil {
		return false
	}
	refused := false
	r.filters(rule, func(c Condition) { refused = refused || c.drops })
	if !refused {
		return false
	}
	dropped := r.DroppedRules(r.route)
	return dropped != nil && dropped.Type == Accepted
}
