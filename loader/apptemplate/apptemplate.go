// Package apptemplate computes the objects that the chart app-template makes of values, if the
// chart itself is not in the tree.
package apptemplate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/gotemplate"
)

// Render returns the Services and routes that app-template would make of a release's values, for
// releases whose chart is not available. It is the only chart whose behaviour is built in, because
// many repositories hold most of their routes in its values. A version may be a range: the newest
// release in it counts.
//
// It returns false if the values hold something that is not read here, such as network policies, if Helm would refuse them
// before it renders (Flux and Argo CD can be configured to skip this check), if the result depends
// on the random order of Go's maps, and if a range holds other releases that would render something
// else.
//
// The rules are those of bjw-s-labs/helm-charts charts/library/common. Comments name its files,
// relative to templates unless they state otherwise.
func Render(version string, release chart.Release) (out chart.Output, whole bool) {
	asked := versionsOf(version)
	budget := gotemplate.NewBudget(gotemplate.DefaultLimits())
	defer budget.Close()
	for i, v := range asked.versions {
		a := newAppTemplate(v, asked.exact, release, budget)
		a.render()
		if i == 0 {
			out = a.out
		}
		if a.partial || len(a.out.Problems) > 0 || !sameDocuments(out, a.out) {
			return out, false
		}
	}
	return out, asked.known
}

// Rest splits values into those that Render reads and the others, from which the chart makes objects that are not made
// here. The others are nil if there are none.
func Rest(version string, values chart.Values) (read chart.Values, others *loader.Value) {
	var keys []string
	for _, v := range versionsOf(version).versions {
		keys = append(keys, rulesOf(v).notRead()...)
	}
	rest := func(f loader.Field) bool { return slices.Contains(keys, f.Key) }
	if !slices.ContainsFunc(values.Root.FieldList(), rest) {
		return values, nil
	}
	kept, left := *values.Root, *values.Root
	kept.Fields = slices.DeleteFunc(slices.Clone(kept.Fields), rest)
	left.Fields = slices.DeleteFunc(slices.Clone(left.Fields), func(f loader.Field) bool { return !rest(f) })
	return chart.Values{Root: &kept, Files: values.Files}, &left
}

// notRead are the paths of values from which the chart makes objects that are not made here.
func (r appRules) notRead() []string { return append(slices.Clone(r.unread), networkPolicies) }

// sameDocuments compares documents without selectors, because each release selects the pods that it
// labels.
func sameDocuments(a, b chart.Output) bool {
	return slices.EqualFunc(a.Documents, b.Documents, func(a, b chart.Document) bool {
		return loader.Equal(withoutSelector(a.Root), withoutSelector(b.Root))
	})
}

func withoutSelector(object *loader.Value) *loader.Value {
	out := *object
	out.Fields = slices.Clone(object.Fields)
	for i, f := range out.Fields {
		if f.Key == "spec" && f.Value.Shape == loader.Map {
			spec := *f.Value
			spec.Fields = slices.DeleteFunc(slices.Clone(spec.Fields), func(f loader.Field) bool { return f.Key == "selector" })
			out.Fields[i].Value = &spec
		}
	}
	return &out
}

// reading is the chart at one version, applied to the values of one release.
type reading struct {
	rules   appRules
	version appVersion
	release chart.Release
	// values are those of the release merged over the defaults of the chart.
	values *loader.Value
	budget *gotemplate.Budget
	texts  appTexts
	out    chart.Output
	// partial means that the result may be wrong, for example because values are not read here.
	partial bool
}

// naming computes the names and metadata of objects.
type naming struct {
	*reading
	names appNames
	// firstService and firstRoute are the primary service and route.
	firstService, firstRoute choice
	// services are the enabled services.
	services map[string]*loader.Value
}

// serving makes the Services.
type serving struct {
	*naming
	// controllers are the enabled controllers, allServices all services.
	controllers, allServices map[string]*loader.Value
}

// backends resolves the services that routes refer to.
type backends struct {
	*serving
	targets map[string]*target
}

// appTemplate makes the routes and runs the other parts in the order of the chart.
type appTemplate struct {
	*backends
}

func newAppTemplate(v appVersion, exact bool, release chart.Release, budget *gotemplate.Budget) *appTemplate {
	r := &reading{rules: rulesOf(v), version: v, release: release, budget: budget}
	r.values = under(r.rules.defaults, release.Values.Root)
	r.texts = appTexts{evaluated: map[string]evaluated{}, scalars: map[string]*loader.Value{}}
	n := &naming{reading: r, names: r.naming(exact)}
	return &appTemplate{&backends{serving: &serving{naming: n}, targets: map[string]*target{}}}
}

// render makes the Services and then the routes, each in the order of their keys.
func (a *appTemplate) render() {
	a.unsure(!a.fits())
	for _, key := range a.rules.notRead() {
		a.unsure(a.is(a.values.Get(strings.Split(key, ".")...)))
	}
	// In 1.x the probes of the container need a service (lib/container/_probes.tpl).
	a.unsure(a.rules.strictServices && a.values.Get("service").IsNull())
	a.controllers = byID(a.switched(a.declared("controllers", false), unlessOff))
	services, routes := a.declared("service", a.rules.strictServices), a.declared("route", a.rules.strictRoutes)
	on := a.switched(services, a.rules.services)
	a.allServices, a.services, a.firstService = fieldMap(a.values.Get("service").FieldList()), byID(on), a.choose(on)
	if a.rules.showsServicesOff {
		on = services
	}
	for _, e := range slices.Concat(on, a.codeServer()) {
		if !a.spent() {
			a.service(e)
		}
	}
	a.firstRoute = a.choose(a.switched(routes, ifOn))
	routes = a.switched(routes, a.rules.routes)
	for _, e := range routes {
		if !a.spent() {
			a.route(e, len(routes))
		}
	}
}

// declared returns the entries of a map of the values that are maps. On any other entry the chart
// fails if strict is true; otherwise it ignores the entry.
func (a *appTemplate) declared(key string, strict bool) []appEntry {
	of := a.values.Get(key)
	a.unsure(!of.IsNull() && of.Shape != loader.Map)
	for _, f := range of.FieldList() {
		if strict && f.Value.Shape != loader.Map {
			a.problem("%s.%s: the chart accepts only a map here", key, f.Key)
		}
	}
	return entries(of)
}

// spent reports whether the budget is used up. Objects not made by then are omitted.
func (a *reading) spent() bool {
	a.unsure(a.budget.Err() != nil)
	return a.budget.Err() != nil
}

// unsure marks the result as partial if the condition is true.
func (a *reading) unsure(when bool) { a.partial = a.partial || when }

func (a *serving) add(object *loader.Value) {
	a.out.Documents = append(a.out.Documents, chart.Document{Root: chart.Moved(object, 1)})
}

func (a *reading) problem(format string, args ...any) {
	a.out.Problems = append(a.out.Problems, chart.Problem{Message: fmt.Sprintf(format, args...)})
}

// build makes values with a given place in the source.
type build struct{ mark loader.Mark }

func (b build) text(s string) *loader.Value {
	return &loader.Value{Shape: loader.String, Text: s, Mark: b.mark}
}

func (b build) number(s string) *loader.Value {
	return &loader.Value{Shape: loader.Int, Text: s, Mark: b.mark}
}

func (b build) list(items ...*loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.List, Items: items, Mark: b.mark}
}

// object returns a map of alternating keys and values; it omits nil and null values.
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
