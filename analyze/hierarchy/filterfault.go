package hierarchy

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// FilterFault returns why every request of a rule gets an error because of its filters, whatever they would do otherwise; nil
// for a rule without such a fault, and for controllers that judge each filter alone. Envoy Gateway answers so for any filter
// with an error, a mirror included (internal/gatewayapi/route.go, processHTTPRouteRules and processGRPCRouteRules), NGINX Gateway
// Fabric for any but those whose backend is missing (internal/controller/state/graph/common_filter.go, processRouteRuleFilters),
// kgateway for those that replaced finds.
func (r *references) FilterFault(rule *Node) *Condition {
	if rule.Owner == nil {
		return nil
	}
	of := r.of(rule.Owner)
	if c := replaced(of, rule.Value); c != nil && c.Carrier == Filter {
		return c
	}
	if !of.own.Routes.FiltersTogether && of.own.Routes.SingleFilters == nil {
		return nil
	}
	var fault *Condition
	of.filters(rule.Value, func(c Condition) {
		if fault == nil && c.Status == fact.False && (of.own.Routes.FiltersTogether || !c.ofBackend) {
			fault = &c
		}
	})
	return fault
}

// together evaluates the filters of a rule in their order, each with what stands before it (Envoy Gateway,
// internal/gatewayapi/filters.go, ProcessHTTPFilters and ProcessGRPCFilters).
type together struct {
	*referring
	found func(Condition)
	// mirrors, redirects and matches report that such a filter was found: a mirror, a redirect, one with further matches. names
	// and paths report one that rewrites the hostname or the path; the key is true for Envoy Gateway's own kind.
	mirrors, redirects, matches bool
	names, paths                map[bool]bool
	// direct is the direct response, after which no filter is looked at.
	direct *loader.Value
	ends   bool
}

// filters evaluates the filters of a rule.
func (r *referring) filters(rule *loader.Value, found func(Condition)) {
	if !r.own.Routes.FiltersTogether {
		named := map[implementation.Kind]bool{}
		for _, filter := range rule.List("filters") {
			c := r.judgeFilter(filter)
			if kind := extensionOf(filter); slices.Contains(r.own.Routes.SingleFilters, kind) {
				if named[kind] {
					c = r.refused("a rule can have one "+kind.Name, filter.Get("extensionRef"))
				}
				named[kind] = true
			}
			if filter.Str("type") == "RequestMirror" && r.own.Routes.MirrorsEnd != nil {
				c.ends = slices.Contains(r.own.Routes.MirrorsEnd, r.route.Target.Kind)
				c.goesOn = !c.ends
			}
			found(c)
		}
		return
	}
	t := &together{referring: r, found: found, names: map[bool]bool{}, paths: map[bool]bool{}}
	list := rule.List("filters")
	for _, filter := range list {
		if t.ends || t.direct != nil {
			break
		}
		c := r.judgeFilter(filter)
		if found(c); c.Status != fact.False {
			t.filter(filter)
		}
		t.ends = c.Status == fact.False && filter.Str("type") != "RequestMirror"
		if t.ends && filter.Str("type") == "ExtensionRef" { // processUnresolvedHTTPFilter
			t.fail()
		}
	}
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	switch {
	case t.direct != nil && t.mirrors:
		t.refuse(incompatibleFilters, "a mirror cannot be combined with a direct response", r.route.Object, last)
	case t.redirects && t.mirrors:
		t.refuse(incompatibleFilters, "a mirror cannot be combined with a redirect", r.route.Object, last)
	case t.direct != nil && r.route.Target.Kind == "GRPCRoute" && strings.HasPrefix(textOf(t.direct), "2"):
		t.refuse(unsupportedValue, "a direct response of a GRPCRoute cannot have the status "+textOf(t.direct), r.route.Object, last)
	}
}

// extensionOf returns the kind that a filter refers to, zero for a filter of Gateway API.
func extensionOf(filter *loader.Value) implementation.Kind {
	if filter.Str("type") != "ExtensionRef" {
		return implementation.Kind{}
	}
	return implementation.Kind{Group: filter.Str("extensionRef", "group"), Name: filter.Str("extensionRef", "kind")}
}

// judgePath evaluates the path that a redirect or a rewrite sets, for controllers that refuse some (NGINX Gateway Fabric,
// internal/controller/state/graph/httproute.go, validateFilterRedirect and validateFilterRewrite).
func (r *referring) judgePath(path *loader.Value) Condition {
	limits := r.own.Routes.Matches
	for _, field := range []string{"replaceFullPath", "replacePrefixMatch"} {
		v := path.Get(field)
		if v == nil || limits == nil || unreadable(v) {
			continue
		}
		wrong := limits.WrongPath(v.Text)
		if wrong == "" && limits.NoDollar && strings.Contains(v.Text, "$") {
			wrong = " has a $"
		}
		if wrong != "" {
			return r.refused(fmt.Sprintf("the path %q of a filter%s", v.Text, wrong), v)
		}
	}
	return good(ResolvedRefs, ResolvedRefs)
}

// refused returns the condition of a filter because of which its rule is left out.
func (r *referring) refused(message string, at *loader.Value) Condition {
	c := r.route.condition(Accepted, fact.False, unsupportedValue, message, at)
	c.Subject, c.Carrier, c.drops = message, Filter, true
	return c
}

// refuse reports a filter because of which the rule is not accepted.
func (t *together) refuse(reason, message string, in *loader.Object, at *loader.Value) {
	c := t.route.condition(Accepted, fact.False, reason, message, at)
	c.Owner, c.Subject, c.Carrier, c.drops = in, message, Filter, true
	t.found(c)
}

func (t *together) filter(f *loader.Value) {
	refuse := func(message string, at *loader.Value) { t.refuse(unsupportedValue, message, t.route.Object, at) }
	switch f.Str("type") {
	case "RequestMirror":
		ref := f.Get("requestMirror", "backendRef")
		backend := named(BackendID(ref, t.route.Namespace()), t.own)
		t.mirrors = t.mirrors || unsecured(t.references, backend, textOf(ref.Get("port"))) == "" // one with an error is none
	case "RequestRedirect":
		if t.redirects {
			refuse("a rule can have one redirect", f)
		}
		t.redirects = true
		t.hostname(f.Get("requestRedirect", "hostname"))
	case "URLRewrite":
		rewrite := f.Get("urlRewrite")
		t.rewrite(t.route.Object, rewrite, false)
		t.hostname(rewrite.Get("hostname"))
	case "RequestHeaderModifier":
		t.headers(f.Get("requestHeaderModifier"))
	case "ResponseHeaderModifier":
		t.headers(f.Get("responseHeaderModifier"))
	case "ExtensionRef":
		ref := f.Get("extensionRef")
		id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: t.route.Namespace(), Name: ref.Str("name")}
		if kind := t.own.Matching.MatchFilter; kind.Group == id.Group && kind.Name == id.Kind {
			if o := t.Object(id); o != nil {
				t.extension(o)
			}
		}
	}
}

// rewrite refuses a second filter that rewrites the hostname or the path, if it is of the same kind or rewrites the same. own
// means a filter of Envoy Gateway's own kind (filters.go, hasMultipleCoreRewrites and its neighbours).
func (t *together) rewrite(in *loader.Object, f *loader.Value, own bool) {
	name, path := !f.Get("hostname").IsNull(), !f.Get("path").IsNull()
	if (name || path) && (t.names[own] || t.paths[own]) || name && t.names[!own] || path && t.paths[!own] {
		t.refuse(unsupportedValue, "a rule can rewrite the hostname and the path once", in, f)
	}
	t.names[own], t.paths[own] = t.names[own] || name, t.paths[own] || path
}

// hostname refuses a hostname of a redirect or a rewrite (validate.go, validateHostname).
func (t *together) hostname(v *loader.Value) {
	if v == nil || unreadable(v) {
		return
	}
	_, err := netip.ParseAddr(v.Text)
	if err == nil || slices.ContainsFunc(strings.Split(v.Text, "."), func(label string) bool { return len(label) > 63 }) {
		t.refuse(unsupportedValue, fmt.Sprintf("the hostname %q of a filter is an address, or has a label of more than 63 characters", v.Text), t.route.Object, v)
	}
}

// headerValue is what a filter may write into a header.
var headerValue = regexp.MustCompile(`^[!-~]+([\t ]?[!-~]+)*$`)

// headers refuses headers that a filter cannot change (filters.go, isModifiableHeader and HeaderValueRegexp).
func (t *together) headers(f *loader.Value) {
	name := func(v *loader.Value) bool {
		if v == nil || unreadable(v) {
			return true
		}
		if v.Text != "" && !strings.ContainsAny(v.Text, "/:") && !strings.EqualFold(v.Text, "host") {
			return true
		}
		t.refuse(unsupportedValue, fmt.Sprintf("a filter cannot change the header %q", v.Text), t.route.Object, v)
		return false
	}
	for _, list := range []string{"add", "set"} {
		for _, h := range f.List(list) {
			if v := h.Get("value"); name(h.Get("name")) && v != nil && !unreadable(v) && !headerValue.MatchString(v.Text) {
				t.refuse(unsupportedValue, "a filter gives the header "+h.Str("name")+" a value that no header can have", t.route.Object, v)
			}
		}
	}
	for _, v := range f.List("remove") {
		name(v)
	}
}

// unreadable reports whether the text of a value is filled in when it is applied.
func unreadable(v *loader.Value) bool {
	return v.Shape != loader.String || v.Opaque || loader.Placeholder(v.Text)
}

// extension evaluates an HTTPRouteFilter (filters.go, processExtensionRefHTTPFilter).
func (t *together) extension(o *loader.Object) {
	spec := o.Spec()
	refuse := func(message string, at *loader.Value) { t.refuse(unsupportedValue, o.ID.Spoken()+": "+message, o, at) }
	if list := spec.Get("matches"); len(list.ItemList()) > 0 {
		if t.matches {
			refuse("a rule can have one filter with matches", list)
		}
		t.matches = true
	}
	if rewrite := spec.Get("urlRewrite"); rewrite != nil {
		t.rewrite(o, rewrite, true)
		for _, of := range [][2]string{{"path", "replaceRegexMatch"}, {"hostname", "pathRegex"}} {
			pattern := rewrite.Get(of[0], of[1], "pattern")
			if pattern == nil || unreadable(pattern) {
				continue
			}
			if why, _ := expression.Wrong(pattern.Text); why != "" {
				refuse(fmt.Sprintf("%q is not a regular expression: %s", pattern.Text, why), pattern)
			}
		}
	}
	if direct := spec.Get("directResponse"); direct != nil {
		if ref := direct.Get("body", "valueRef"); ref != nil && direct.Str("body", "type") == "ValueRef" {
			id := loader.ID{Kind: "ConfigMap", Namespace: o.ID.Namespace, Name: ref.Str("name")}
			if there, message := t.Present(id); there == fact.False {
				refuse(message, ref)
				t.fail()
				return
			}
			if text := t.Object(id); text != nil && text.Root.Get("data").IsEmpty() && text.Root.Get("binaryData").IsEmpty() {
				refuse(id.Spoken()+" has no data", ref) // getCustomResponseBody
				t.fail()
				return
			}
		}
		t.direct = &loader.Value{Shape: loader.Int, Text: "200"}
		if code := direct.Get("statusCode"); code != nil {
			t.direct = code
		}
	}
	if ref := spec.Get("credentialInjection", "credential", "valueRef"); ref != nil {
		id := loader.ID{Kind: "Secret", Namespace: o.ID.Namespace, Name: ref.Str("name")}
		if namespace := ref.Str("namespace"); namespace != "" {
			id.Namespace = namespace
		}
		from := o.ID
		from.Name = ""
		wrong := ""
		if resolution := t.Resolve(from, id); resolution.Resolved == fact.False {
			wrong = resolution.Message
		} else if key := missingKey(t.Object(id), []string{"credential"}); key != "" {
			wrong = id.Spoken() + " has no " + key
		}
		if wrong != "" {
			refuse(wrong, ref)
			t.fail()
		}
	}
}

// fail makes the rule answer 500: no further filter is looked at (processInvalidHTTPFilter).
func (t *together) fail() { t.direct = &loader.Value{Shape: loader.Int, Text: "500"} }
