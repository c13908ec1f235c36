package apptemplate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// appRoute is a route under construction.
type appRoute struct {
	appEntry
	build
	kind, name string
}

// route makes one of number routes (classes/_route.tpl).
func (a *appTemplate) route(e appEntry, number int) {
	if err := a.makeRoute(e, number); err != nil {
		a.problem("route.%s: %v", e.id, err)
	}
}

func (a *appTemplate) makeRoute(e appEntry, number int) error {
	r := appRoute{e, build{e.values.Mark}, a.word(e.values.Get("kind")), a.routeName(e, number)}
	if r.kind == "" {
		r.kind = "HTTPRoute"
	}
	if !slices.Contains(routeKinds(), r.kind) {
		return fmt.Errorf("%q is not a supported kind of route", r.kind)
	}
	if a.rules.unsureTemplates {
		a.unsure(a.is(e.values.Get("namespaceOverride")) || a.is(e.values.Get("referenceGrant")))
	}
	parents, err := a.parents(r)
	if err != nil {
		return err
	}
	rules, err := a.routeRules(r)
	if err != nil {
		return err
	}
	a.add(r.object("apiVersion", gatewayGroup+a.served(r.kind), "kind", r.kind,
		"metadata", a.metadata(r.build, r.name, e.values, nil, nil),
		"spec", r.object("parentRefs", parents, "hostnames", a.hostnames(r), "rules", rules)))
	return nil
}

const gatewayGroup = "gateway.networking.k8s.io/"

func routeKinds() []string {
	return []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}
}

// served returns the API version that the chart uses for a kind of route.
func (a *reading) served(kind string) string {
	out, cluster := "v1alpha2", chart.Capabilities()
	for _, version := range a.rules.asks {
		if cluster.APIVersions.Has(gatewayGroup + version + "/" + kind) {
			out = version
		}
	}
	return out
}

func (a *appTemplate) parents(r appRoute) (*loader.Value, error) {
	out := r.list()
	for _, p := range r.values.List("parentRefs") {
		if a.rules.freeParents && a.is(p.Get("identifier")) || p.Shape != loader.Map {
			a.partial = true
			continue
		}
		parent, err := a.parent(p)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, parent)
	}
	return out, nil
}

func (a *appTemplate) parent(p *loader.Value) (*loader.Value, error) {
	at, name, namespace := build{p.Mark}, p.Get("name"), p.Get("namespace")
	if name.IsEmpty() {
		return nil, errors.New("the chart refuses a parent without a name")
	}
	switch {
	case namespace.IsEmpty() && !a.rules.freeParents:
		return nil, errors.New("the chart refuses a parent without a namespace")
	case a.rules.freeParents:
		namespace = quoted(a.copied(namespace))
	default:
		namespace = a.bare(namespace)
	}
	var section, port *loader.Value
	if a.rules.emptySections {
		section = at.text("")
	}
	if a.rules.parentPorts {
		port = a.orElse(p.Get("port"), nil)
	}
	return at.object("group", a.orElse(p.Get("group"), at.text("gateway.networking.k8s.io")), "kind", a.orElse(p.Get("kind"), at.text("Gateway")),
		"name", a.bare(name), "namespace", namespace, "sectionName", a.quotedOr(p.Get("sectionName"), section), "port", port), nil
}

func (a *appTemplate) hostnames(r appRoute) *loader.Value {
	list := r.values.Get("hostnames")
	if !truthy(list) || r.kind == "TCPRoute" || r.kind == "UDPRoute" {
		return nil
	}
	out := build{list.Mark}.list()
	for _, host := range list.ItemList() {
		if a.rules.hostTemplates {
			host = quoted(a.text(host))
		}
		out.Items = append(out.Items, host)
	}
	return out
}

// routeRules returns the rules of a route (lib/routes/_autoDetectService.tpl,
// lib/routes/_validate.tpl).
func (a *appTemplate) routeRules(r appRoute) (*loader.Value, error) {
	if err := a.checkFirstService(); err != nil {
		return nil, err
	}
	own := r.values.Get("rules")
	switch {
	case !own.IsEmpty():
	case a.rules.defaultRule && len(a.services) == 1:
		own = r.list(r.object("backendRefs", r.list(r.object())))
	case a.rules.needsRules:
		return nil, errors.New("the route must have rules: the chart adds a default rule only if exactly one service is enabled")
	default:
		return r.list(), nil
	}
	out := build{own.Mark}.list()
	for _, v := range own.ItemList() {
		rule, err := a.rule(r, v)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, rule)
	}
	return out, nil
}

func (a *appTemplate) rule(r appRoute, v *loader.Value) (*loader.Value, error) {
	if v.Shape != loader.Map {
		return nil, errors.New("each item of rules must be a map")
	}
	refs := v.Get("backendRefs")
	if a.rules.refusesRedirects && truthy(refs) && a.redirects(v) {
		return nil, errors.New("the chart does not accept a rule with both a RequestRedirect filter and backendRefs")
	}
	at := build{v.Mark}
	var fields []any
	if a.rules.ruleNames {
		fields = append(fields, "name", a.bare(a.text(v.Get("name"))))
	}
	for _, f := range a.rules.ruleFields {
		if value := v.Get(f.name); slices.Contains(f.kinds, r.kind) && truthy(value) {
			fields = append(fields, f.name, a.copied(value))
		}
	}
	backends := at.list()
	for _, ref := range refs.ItemList() {
		backend, err := a.backend(r, ref)
		if err != nil {
			return nil, err
		}
		backends.Items = append(backends.Items, backend)
	}
	return at.object(append(fields, "backendRefs", backends)...), nil
}

// redirects reports whether a rule has a filter of type RequestRedirect.
func (a *appTemplate) redirects(rule *loader.Value) bool {
	for _, f := range rule.List("filters") {
		kind := f.Get("type")
		a.unsure(f.Shape != loader.Map || !kind.IsNull() && (kind.Shape != loader.String || kind.Opaque))
		if f.Str("type") == "RequestRedirect" {
			return true
		}
	}
	return false
}
