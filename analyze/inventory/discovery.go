package inventory

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// Discoveries are the configurations of Istio in an environment, one for each istiod. What is in a namespace that none of them reads does
// not exist for Istio.
type Discoveries []discovery

// discovery selects the namespaces that one istiod reads.
type discovery struct {
	// by names what configures it.
	by string
	// selectors are alternatives; without any, all namespaces are read.
	selectors []*loader.Value
	// spelled is how the values of the selectors are spelled: those in the values of a chart are hashed.
	spelled func(string) string
}

// maxSelectors is how many selectors of one istiod are asked. With more it counts as reading everything.
const maxSelectors = 200

// DiscoveriesOf returns the configurations of Istio in an environment (Istio, MeshConfig.discoverySelectors): objects of its
// operators, its own ConfigMaps, and values of its charts.
func DiscoveriesOf(env *loader.Environment) Discoveries {
	var out Discoveries
	plain := func(text string) string { return text }
	for _, o := range env.Objects {
		switch o.ID.Kind + "." + o.ID.Group {
		case "Istio.sailoperator.io":
			out = append(out, discovery{o.ID.Spoken(), o.Spec().List("values", "meshConfig", "discoverySelectors"), plain})
		case "IstioOperator.install.istio.io":
			out = append(out, discovery{o.ID.Spoken(), o.Spec().List("meshConfig", "discoverySelectors"), plain})
		case "ConfigMap.":
			if mesh := o.Root.Str("data", "mesh"); strings.HasPrefix(o.ID.Name, "istio") && mesh != "" {
				out = append(out, discovery{o.ID.Spoken(), inMeshText(mesh), plain})
			}
		}
	}
	for _, g := range env.Gaps {
		if g.ChartName() == "istiod" {
			out = append(out, discovery{g.String(), withOperators(g.Values.List("meshConfig", "discoverySelectors")), loader.Hashed})
		}
	}
	return out
}

// Selecting names the configurations that select namespaces.
func (d Discoveries) Selecting() []string {
	var out []string
	for _, one := range d {
		if len(one.selectors) > 0 {
			out = append(out, one.by)
		}
	}
	return out
}

// TooMany reports whether there are more selectors than are asked, so that the labels of a namespace may decide something unseen.
func (d Discoveries) TooMany() bool {
	return slices.ContainsFunc(d, func(one discovery) bool { return len(one.selectors) > maxSelectors })
}

// Reads reports whether some istiod reads a namespace. One that cannot be decided counts as read.
func (d Discoveries) Reads(namespace *loader.Object) bool {
	return len(d) == 0 || len(d.Reading(namespace)) > 0
}

// Reading names the configurations of those that read a namespace.
func (d Discoveries) Reading(namespace *loader.Object) []string {
	labels := maps.Clone(namespace.Labels())
	if labels == nil {
		labels = map[string]string{}
	}
	labels[nameLabel] = namespace.ID.Name
	var out []string
	for _, one := range d {
		if one.reads(labels) {
			out = append(out, one.by)
		}
	}
	return out
}

// reads is isSelectedLocked of Istio's pkg/kube/namespace/filter.go.
func (d discovery) reads(labels map[string]string) bool {
	if len(d.selectors) == 0 || len(d.selectors) > maxSelectors {
		return true
	}
	own := map[string]string{}
	for key, value := range labels { // expressions have their keys as values
		own[key], own[d.spelled(key)] = d.spelled(value), d.spelled(value)
	}
	return slices.ContainsFunc(d.selectors, func(selector *loader.Value) bool {
		ok, err := loader.Selects(selector, own)
		return ok || err != nil
	})
}

// withOperators returns selectors of the values of a chart with the operators of their expressions in plain text.
func withOperators(selectors []*loader.Value) []*loader.Value {
	var out []*loader.Value
	for _, selector := range selectors {
		out = append(out, selector.Copy(func(v *loader.Value) {
			for _, operator := range []string{"In", "NotIn", "Exists", "DoesNotExist"} {
				if v.Shape == loader.String && v.Text == loader.Hashed(operator) {
					v.Text = operator
				}
			}
		}))
	}
	return out
}

// inMeshText returns the selectors in the text of a mesh's configuration.
func inMeshText(text string) []*loader.Value {
	if !strings.Contains(text, "discoverySelectors") {
		return nil
	}
	var mesh struct {
		DiscoverySelectors []struct {
			MatchLabels      map[string]string
			MatchExpressions []struct {
				Key, Operator string
				Values        []string
			}
		}
	}
	if err := yamltext.Unmarshal([]byte(text), &mesh); err != nil {
		return nil
	}
	word := func(text string) *loader.Value { return &loader.Value{Shape: loader.String, Text: text} }
	list := func(items []*loader.Value) *loader.Value { return &loader.Value{Shape: loader.List, Items: items} }
	var out []*loader.Value
	for _, one := range mesh.DiscoverySelectors {
		labels := &loader.Value{Shape: loader.Map}
		for _, key := range slices.Sorted(maps.Keys(one.MatchLabels)) {
			labels.Fields = append(labels.Fields, loader.Field{Key: key, Value: word(one.MatchLabels[key])})
		}
		var expressions []*loader.Value
		for _, e := range one.MatchExpressions {
			var values []*loader.Value
			for _, v := range e.Values {
				values = append(values, word(v))
			}
			expressions = append(expressions, &loader.Value{Shape: loader.Map, Fields: []loader.Field{
				{Key: "key", Value: word(e.Key)}, {Key: "operator", Value: word(e.Operator)}, {Key: "values", Value: list(values)},
			}})
		}
		out = append(out, &loader.Value{Shape: loader.Map, Fields: []loader.Field{
			{Key: "matchLabels", Value: labels}, {Key: "matchExpressions", Value: list(expressions)},
		}})
	}
	return out
}
