package protection

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/loader"
)

// RequestSet is the requests of a host with a path, or below one.
type RequestSet struct {
	Host, Path string
	Below      bool
}

// AsksOf reports whether what protects is asked of all of some requests. A policy of Istio that asks a provider (CUSTOM) lets
// pass what none of its rules matches (Istio, Authorization Policy, action).
func AsksOf(k *catalogue.Kind, f Field, of RequestSet) bool {
	custom := strings.HasPrefix(f.Path, "/CUSTOM/") && slices.ContainsFunc(k.Protects, func(p catalogue.Protection) bool { return p.Rules == catalogue.IstioDeny })
	if !custom || f.After == nil {
		return true
	}
	return slices.ContainsFunc(rulesOf(f.After.Get("rules")), func(rule *loader.Value) bool {
		if len(rule.List("from")) > 0 || len(rule.List("when")) > 0 {
			return false
		}
		to := rule.List("to")
		return len(to) == 0 || slices.ContainsFunc(to, func(one *loader.Value) bool { return of.within(one.Get("operation")) })
	})
}

// within reports whether an operation of Istio is about all of some requests.
func (r RequestSet) within(operation *loader.Value) bool {
	for _, f := range operation.FieldList() {
		matches := r.host
		switch f.Key {
		case "hosts":
		case "paths":
			matches = r.path
		default:
			return false
		}
		if !slices.ContainsFunc(f.Value.ItemList(), func(v *loader.Value) bool { return !v.Opaque && matches(v.Text) }) {
			return false
		}
	}
	return true
}

// host reports whether a pattern of hosts, with a star at one end, has the host (Istio pilot/pkg/security/authz/matcher/header.go).
func (r RequestSet) host(pattern string) bool {
	pattern, _, _ = strings.Cut(pattern, ":")
	return fits(strings.ToLower(pattern), strings.ToLower(r.Host))
}

func (r RequestSet) path(pattern string) bool {
	if rest, all := strings.CutSuffix(pattern, "*"); all {
		return strings.HasPrefix(r.Path, rest)
	}
	return !r.Below && fits(pattern, r.Path)
}

// fits reports whether a text is a pattern, or the pattern has a star at one end for what is left of it.
func fits(pattern, text string) bool {
	if rest, any := strings.CutSuffix(pattern, "*"); any {
		return strings.HasPrefix(text, rest)
	}
	if rest, any := strings.CutPrefix(pattern, "*"); any {
		return strings.HasSuffix(text, rest)
	}
	return pattern == text
}
