package apptemplate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// The default values of the library (charts/library/common/values.yaml), as far as templates of
// Services and routes read them. Most belong to the entries named main. Since 3.0.0 there are none.
const (
	serviceDefaults1 = `
controller: {enabled: true}
service: {main: {enabled: true, primary: true, type: ClusterIP, ports: {http: {enabled: true, primary: true, protocol: HTTP}}}}
addons: {codeserver: {enabled: false, service: {enabled: true, type: ClusterIP, ports: {codeserver: {enabled: true, port: 12321, protocol: TCP, targetPort: 12321}}}}}
`
	serviceDefaults2 = `
service: {main: {enabled: true, primary: true, controller: main, type: ClusterIP, ports: {http: {enabled: true, primary: true, protocol: HTTP}}}}
`
	routeDefaults1 = `
route: {main: {enabled: false, kind: HTTPRoute, parentRefs: [{}], rules: [{backendRefs: [{}], matches: [{path: {type: PathPrefix, value: /}}]}]}}
`
	routeDefaults2 = `
route: {main: {enabled: false, kind: HTTPRoute, parentRefs: [{}], rules: [{backendRefs: [{name: main}], matches: [{path: {type: PathPrefix, value: /}}]}]}}
`
	routeDefaults24 = `
route: {main: {enabled: false, kind: HTTPRoute, parentRefs: [{}], rules: [{backendRefs: [], matches: [{path: {type: PathPrefix, value: /}}]}]}}
`
)

// under merges defaults below the values of a release. A null in the release's values remains null.
// Defaults get the place of the map of the release to which they are added.
func under(defaults string, values *loader.Value) *loader.Value {
	docs, _ := manifest.Parse([]byte(defaults), manifest.DefaultLimits())
	if len(docs) == 0 {
		return values
	}
	if values == nil {
		values = &loader.Value{Shape: loader.Map}
	}
	return laidUnder(docs[0], values)
}

func laidUnder(defaults, own *loader.Value) *loader.Value {
	if defaults.Shape != loader.Map || own.Shape != loader.Map {
		return own
	}
	out := *own
	out.Fields = slices.Clone(own.Fields)
	for _, f := range defaults.Fields {
		i := slices.IndexFunc(out.Fields, func(o loader.Field) bool { return o.Key == f.Key })
		if i < 0 {
			value := f.Value.Copy(func(v *loader.Value) { v.Mark = own.Mark })
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: value})
			continue
		}
		out.Fields[i].Value = laidUnder(f.Value, out.Fields[i].Value)
	}
	return &out
}

// truthy reports whether templates treat a value as true. An unknown value counts as true.
func truthy(v *loader.Value) bool {
	if v.IsEmpty() {
		return false
	}
	switch v.Shape {
	case loader.Bool:
		return v.Text == "true"
	case loader.Int, loader.Float:
		n, err := strconv.ParseFloat(v.Text, 64)
		return err != nil || n != 0
	case loader.Null, loader.String, loader.Map, loader.List:
	}
	return true
}

// is reports whether a value is truthy. The result is uncertain if the value is opaque.
func (a *reading) is(v *loader.Value) bool {
	a.unsure(v != nil && v.Opaque)
	return truthy(v)
}

// word returns a text that templates compare or concatenate, "" if there is none.
func (a *reading) word(v *loader.Value) string {
	if !a.is(v) {
		return ""
	}
	a.unsure(v.Shape != loader.String)
	return v.Text
}

// appEntry is one entry of a map of the values.
type appEntry struct {
	id     string
	values *loader.Value
}

// entries returns the entries of a map that are maps themselves, sorted by key.
func entries(of *loader.Value) []appEntry {
	var out []appEntry
	for _, f := range of.FieldList() {
		if f.Value.Shape == loader.Map {
			out = append(out, appEntry{f.Key, f.Value})
		}
	}
	slices.SortFunc(out, func(a, b appEntry) int { return cmp.Compare(a.id, b.id) })
	return out
}

// switched returns the enabled entries.
func (a *reading) switched(entries []appEntry, by switching) []appEntry {
	var out []appEntry
	for _, e := range entries {
		enabled := e.values.Get("enabled")
		if by != never && (by == unlessOff && enabled == nil || a.is(enabled)) {
			out = append(out, e)
		}
	}
	return out
}

func fieldMap(fields []loader.Field) map[string]*loader.Value {
	out := make(map[string]*loader.Value, len(fields))
	for _, f := range fields {
		out[f.Key] = f.Value
	}
	return out
}

func byID(entries []appEntry) map[string]*loader.Value {
	out := make(map[string]*loader.Value, len(entries))
	for _, e := range entries {
		out[e.id] = e.values
	}
	return out
}

// choice is the primary entry of several. chance means that the chart may take any of them. Without
// entries, the choice is empty.
type choice struct {
	appEntry
	chance bool
}

// choose returns the last entry with primary: true, else the first one (lib/service/_primary.tpl,
// lib/routes/_primary.tpl, lib/service/_primary_port.tpl).
func (a *reading) choose(entries []appEntry) choice {
	for _, e := range slices.Backward(entries) {
		if a.is(e.values.Get("primary")) {
			return choice{appEntry: e}
		}
	}
	if len(entries) == 0 {
		return choice{}
	}
	return choice{entries[0], len(entries) > 1}
}
