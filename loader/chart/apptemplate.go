package chart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
)

// AppTemplate reads the Services and routes that app-template would make of a
// release's values, for releases whose chart is not at hand. It is the one chart
// that is known by heart, since many repositories hold most of their routes in
// its values. The rules are those of versions 4 and 5 of its library
// (bjw-s-labs/helm-charts charts/library/common/templates: classes/_route.tpl,
// classes/_service.tpl, lib/common/_determineResourceNameFromValues.tpl,
// lib/routes/_autoDetectService.tpl).
//
// It answers false where another version, or something in the values that it does
// not know, could make more.
func AppTemplate(version string, release Release) (out Output, whole bool) {
	if !knownMajor.MatchString(version) {
		return out, false
	}
	a := appTemplate{release: release, values: release.Values.Root, budget: gotemplate.NewBudget(gotemplate.DefaultLimits())}
	defer a.budget.Close()
	a.fullname = a.base()
	a.services = a.enabled("service")
	for _, id := range slices.Sorted(maps.Keys(a.services)) {
		a.service(id, a.services[id])
	}
	routes := a.enabled("route")
	for _, id := range slices.Sorted(maps.Keys(routes)) {
		a.route(id, routes[id], len(routes))
	}
	for _, key := range []string{"rawResources", "listenerSet", "listenerSets", "referenceGrant"} {
		a.partial = a.partial || !a.values.Get(key).IsEmpty()
	}
	return a.out, !a.partial && len(a.out.Problems) == 0
}

// knownMajor are the versions, and ranges of one major version, whose rules these
// are.
var knownMajor = regexp.MustCompile(`^[~^]?v?(5(\.[0-9x*].*)?|4\.[1-9].*)$`)

type appTemplate struct {
	release  Release
	values   *loader.Value
	fullname string
	services map[string]*loader.Value
	budget   *gotemplate.Budget
	out      Output
	// partial says that the values hold something that is not read here.
	partial bool
}

// base is the name that all others begin with (lib/chart/_names.tpl): that of the
// release, as long as nothing overrides it.
func (a *appTemplate) base() string {
	if full := firstText(a.values.Get("global", "fullnameOverride"), a.values.Get("fullnameOverride")); full != "" {
		return shortened(full)
	}
	name := firstText(a.values.Get("global", "nameOverride"))
	if name == "" || strings.Contains(a.release.Name, name) {
		return shortened(a.release.Name)
	}
	return shortened(a.release.Name + "-" + name)
}

func firstText(values ...*loader.Value) string {
	for _, v := range values {
		if v != nil && v.Shape == loader.String && v.Text != "" {
			return v.Text
		}
	}
	return ""
}

func shortened(name string) string {
	if len(name) > 63 {
		name = name[:63]
	}
	return strings.TrimSuffix(name, "-")
}

// enabled are the entries of a map that are not switched off.
func (a *appTemplate) enabled(key string) map[string]*loader.Value {
	out := map[string]*loader.Value{}
	for _, f := range a.values.Get(key).FieldList() {
		if f.Value.Shape == loader.Map && on(f.Value) {
			out[f.Key] = f.Value
		}
	}
	return out
}

func on(v *loader.Value) bool {
	e := v.Get("enabled")
	switch {
	case e == nil:
		return true
	case e.Shape == loader.Bool:
		return e.Text == "true"
	}
	return e.Shape != loader.Null
}

// name is that of an object (_determineResourceNameFromValues.tpl).
func (a *appTemplate) name(id string, v *loader.Value, number int) string {
	part := func(v *loader.Value) string {
		text := a.text(v)
		a.partial = a.partial || strings.Contains(text.Text, "{{")
		return text.Text
	}
	if forced := v.Get("forceRename"); !forced.IsEmpty() {
		return strings.ToLower(part(forced))
	}
	name := a.fullname
	if prefix := v.Get("prefix"); !prefix.IsEmpty() {
		if p := part(prefix); p != name {
			name = p + "-" + name
		}
	}
	always := a.values.Get("global", "alwaysAppendIdentifierToResourceName")
	if number > 1 || always != nil && always.Text == "true" {
		if name != id && !strings.HasSuffix(name, "-"+id) {
			name += "-" + id
		}
	}
	if suffix := v.Get("suffix"); !suffix.IsEmpty() {
		if s := part(suffix); !strings.HasSuffix(name, "-"+s) {
			name += "-" + s
		}
	}
	return strings.ToLower(name)
}

// text evaluates a value that the chart treats as a template. What fails here is
// unknown.
func (a *appTemplate) text(v *loader.Value) *loader.Value {
	if v == nil || v.Shape != loader.String || !strings.Contains(v.Text, "{{") {
		return v
	}
	out := *v
	text, err := a.evaluate(v.Text)
	if err != nil || strings.Contains(text, "<no value>") {
		out.Opaque = true
		return &out
	}
	out.Text, out.Opaque = text, loader.Placeholder(text)
	return &out
}

func (a *appTemplate) evaluate(text string) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the template fails: %v", p)
		}
	}()
	safe, err := gotemplate.Instrument(text)
	if err != nil {
		return "", err
	}
	t, err := template.New("").Funcs(a.budget.Sprig()).Parse(safe)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, map[string]any{
		"Values":  a.release.Values.plain(nil),
		"Release": map[string]any{"Name": a.release.Name, "Namespace": a.release.Namespace, "Service": "Helm"},
	})
	return out.String(), err
}

// build makes values at a place.
type build struct{ mark loader.Mark }

func (b build) text(s string) *loader.Value {
	return &loader.Value{Shape: loader.String, Text: s, Mark: b.mark}
}

func (b build) list(items ...*loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.List, Items: items, Mark: b.mark}
}

// object is a map of keys and values in turn; nil values are left out.
func (b build) object(fields ...any) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: b.mark}
	for i := 0; i+1 < len(fields); i += 2 {
		key, _ := fields[i].(string)
		switch v := fields[i+1].(type) {
		case string:
			out.Fields = append(out.Fields, loader.Field{Key: key, Value: b.text(v)})
		case *loader.Value:
			if !v.IsNull() {
				out.Fields = append(out.Fields, loader.Field{Key: key, Value: v})
			}
		}
	}
	return out
}

// metadata is what every object of the chart has. The labels are those by which
// policies could select it.
func (a *appTemplate) metadata(b build, name string, v *loader.Value) *loader.Value {
	own := firstText(a.values.Get("global", "nameOverride"))
	if own == "" {
		own = a.release.Name
	}
	labels := b.object("app.kubernetes.io/instance", a.release.Name, "app.kubernetes.io/managed-by", "Helm", "app.kubernetes.io/name", own)
	for _, from := range []*loader.Value{a.values.Get("global", "labels"), v.Get("labels")} {
		for _, f := range from.FieldList() {
			labels = overlaid(labels, &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: f.Key, Value: a.text(f.Value)}}})
		}
	}
	var annotations *loader.Value
	for _, from := range []*loader.Value{a.values.Get("global", "annotations"), v.Get("annotations")} {
		for _, f := range from.FieldList() {
			if annotations == nil {
				annotations = &loader.Value{Shape: loader.Map, Mark: from.Mark}
			}
			annotations = overlaid(annotations, &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: f.Key, Value: a.text(f.Value)}}})
		}
	}
	return b.object("name", name, "namespace", a.release.Namespace, "labels", labels, "annotations", annotations)
}

func (a *appTemplate) add(object *loader.Value) {
	a.out.Documents = append(a.out.Documents, Document{Root: moved(object, 1)})
}

func (a *appTemplate) problem(format string, args ...any) {
	a.out.Problems = append(a.out.Problems, Problem{"", fmt.Sprintf(format, args...)})
}

// service makes one (classes/_service.tpl). Ports go by the order of their names.
func (a *appTemplate) service(id string, v *loader.Value) {
	b := build{v.Mark}
	ports := b.list()
	own := portsOf(v)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		p := own[name]
		protocol := firstText(p.Get("protocol"))
		if protocol == "" || protocol == "HTTP" || protocol == "HTTPS" {
			protocol = "TCP"
		}
		at := build{p.Mark}
		if span := p.Get("portRange"); nested(span) && p.Get("port") == nil {
			a.span(at, ports, name, span, protocol)
			continue
		}
		ports.Items = append(ports.Items, at.object("port", number(p.Get("port")), "targetPort", number(p.Get("targetPort")), "protocol", protocol, "name", name, "appProtocol", p.Get("appProtocol")))
	}
	kind := firstText(v.Get("type"))
	if kind == "" {
		kind = "ClusterIP"
	}
	var external *loader.Value
	if kind == "ExternalName" {
		external = v.Get("externalName")
	} else if len(ports.Items) == 0 {
		a.problem("service.%s: the chart refuses a Service without an enabled port", id)
		return
	}
	a.add(b.object("apiVersion", "v1", "kind", "Service",
		"metadata", a.metadata(b, a.name(id, v, len(a.services)), v),
		"spec", b.object("type", kind, "ports", ports, "externalName", external)))
}

// maxSpan bounds the ports of one range.
const maxSpan = 1000

// span makes the ports of a range, each named after its number.
func (a *appTemplate) span(at build, ports *loader.Value, name string, span *loader.Value, protocol string) {
	first, err := strconv.Atoi(textOf(span.Get("start")))
	last, err2 := strconv.Atoi(textOf(span.Get("end")))
	if err != nil || err2 != nil || first < 1 || last > 65535 || last < first || last-first > maxSpan || a.budget.Spend(last-first+1, 0) != nil {
		a.partial = true
		return
	}
	for n := first; n <= last; n++ {
		port := &loader.Value{Shape: loader.Int, Text: strconv.Itoa(n), Mark: at.mark}
		ports.Items = append(ports.Items, at.object("port", port, "targetPort", port, "protocol", protocol, "name", name+"-"+port.Text))
	}
}

func textOf(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

func nested(v *loader.Value) bool { return v != nil && v.Shape == loader.Map && len(v.Fields) > 0 }

// portsOf are the enabled ports of a service that have a number, or a range of
// numbers.
func portsOf(service *loader.Value) map[string]*loader.Value {
	out := map[string]*loader.Value{}
	for _, f := range service.Get("ports").FieldList() {
		if f.Value.Shape == loader.Map && on(f.Value) && (f.Value.Get("port") != nil || f.Value.Get("portRange") != nil) {
			out[f.Key] = f.Value
		}
	}
	return out
}

// primary is the port of a service that is meant where none is named
// (lib/service/_primary_port.tpl).
func primary(service *loader.Value) *loader.Value {
	ports := portsOf(service)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(ports)), func(name string) bool { return ports[name].Get("port") == nil })
	var out *loader.Value
	for _, name := range names {
		if p := ports[name].Get("primary"); p != nil && p.Text == "true" {
			out = ports[name].Get("port")
		}
	}
	if out == nil && len(names) > 0 {
		out = ports[names[0]].Get("port")
	}
	return out
}

// route makes one (classes/_route.tpl).
func (a *appTemplate) route(id string, v *loader.Value, number int) {
	b := build{v.Mark}
	kind := firstText(v.Get("kind"))
	version := "v1"
	switch kind {
	case "":
		kind = "HTTPRoute"
	case "HTTPRoute", "GRPCRoute", "TLSRoute":
	case "TCPRoute", "UDPRoute":
		version = "v1alpha2"
	default:
		a.problem("route.%s: %q is no kind of route", id, kind)
		return
	}
	a.partial = a.partial || !v.Get("namespaceOverride").IsEmpty() || !v.Get("referenceGrant").IsEmpty()
	parents := b.list()
	for _, p := range v.List("parentRefs") {
		if !p.Get("identifier").IsEmpty() {
			a.partial = true
			continue
		}
		at := build{p.Mark}
		parents.Items = append(parents.Items, at.object("group", orText(p.Get("group"), "gateway.networking.k8s.io"), "kind", orText(p.Get("kind"), "Gateway"),
			"name", a.text(p.Get("name")), "namespace", a.text(p.Get("namespace")), "sectionName", a.text(p.Get("sectionName")), "port", p.Get("port")))
	}
	var hostnames *loader.Value
	if list := v.Get("hostnames"); !list.IsEmpty() && kind != "TCPRoute" && kind != "UDPRoute" {
		hostnames = build{list.Mark}.list()
		for _, h := range list.ItemList() {
			hostnames.Items = append(hostnames.Items, a.text(h))
		}
	}
	rules, ok := a.rules(id, v, kind)
	if !ok {
		return
	}
	a.add(b.object("apiVersion", "gateway.networking.k8s.io/"+version, "kind", kind,
		"metadata", a.metadata(b, a.name(id, v, number), v),
		"spec", b.object("parentRefs", parents, "hostnames", hostnames, "rules", rules)))
}

func orText(v *loader.Value, or string) any {
	if v.IsEmpty() {
		return or
	}
	return v
}

// rules are those of a route. With one service alone, it is what everything that
// names no backend means.
func (a *appTemplate) rules(id string, v *loader.Value, kind string) (*loader.Value, bool) {
	only := ""
	if len(a.services) == 1 {
		only = slices.Collect(maps.Keys(a.services))[0]
	}
	own := v.Get("rules")
	if own.IsEmpty() {
		if only == "" {
			a.problem("route.%s: the chart needs rules, since there is not exactly one service", id)
			return nil, false
		}
		at := build{v.Mark}
		own = at.list(at.object("backendRefs", at.list(at.object())))
	}
	out := build{own.Mark}.list()
	for _, r := range own.ItemList() {
		at := build{r.Mark}
		backends := at.list()
		redirects := slices.ContainsFunc(r.List("filters"), func(f *loader.Value) bool { return f.Str("type") == "RequestRedirect" })
		if redirects && len(r.List("backendRefs")) > 0 {
			a.problem("route.%s: the chart refuses a redirect beside backends", id)
			return nil, false
		}
		for _, ref := range r.List("backendRefs") {
			backend, ok := a.backend(id, ref, only)
			if !ok {
				return nil, false
			}
			backends.Items = append(backends.Items, backend)
		}
		rule := []any{"name", a.text(r.Get("name"))}
		if kind == "HTTPRoute" || kind == "GRPCRoute" {
			rule = append(rule, "matches", r.Get("matches"), "filters", r.Get("filters"), "sessionPersistence", r.Get("sessionPersistence"))
		}
		if kind == "HTTPRoute" {
			rule = append(rule, "timeouts", r.Get("timeouts"))
		}
		out.Items = append(out.Items, at.object(append(rule, "backendRefs", backends)...))
	}
	return out, true
}

// number is a text of digits as the chart writes it: without quotes.
func number(v *loader.Value) *loader.Value {
	if v == nil || v.Shape != loader.String {
		return v
	}
	if _, err := strconv.Atoi(v.Text); err != nil {
		return v
	}
	out := *v
	out.Shape = loader.Int
	return &out
}

// backend resolves one backend: by name, by the identifier of a service, or the
// only service there is.
func (a *appTemplate) backend(id string, ref *loader.Value, only string) (*loader.Value, bool) {
	at := build{ref.Mark}
	name, port := a.text(ref.Get("name")), ref.Get("port")
	if !name.IsEmpty() && port != nil && port.Shape == loader.String && number(port) == port && !port.Opaque {
		a.problem("route.%s: the chart refuses the name of a port beside the name of a backend", id)
		return nil, false
	}
	if name.IsEmpty() {
		identifier := firstText(a.text(ref.Get("identifier")))
		if identifier == "" {
			identifier = only
		}
		service := a.services[identifier]
		if service == nil {
			a.problem("route.%s: the chart finds no service %q for a backend", id, identifier)
			return nil, false
		}
		name = at.text(a.name(identifier, service, len(a.services)))
		switch {
		case port.IsEmpty() || port.Text == "0":
			port = primary(service)
		case port.Shape == loader.String && number(port) == port && !port.Opaque:
			if port = service.Get("ports", port.Text, "port"); port == nil {
				a.problem("route.%s: the service %q has no such port", id, identifier)
				return nil, false
			}
		}
	}
	return at.object("group", orText(ref.Get("group"), ""), "kind", orText(ref.Get("kind"), "Service"), "name", name,
		"namespace", orText(a.text(ref.Get("namespace")), a.release.Namespace), "port", number(port), "weight", ref.Get("weight")), true
}
