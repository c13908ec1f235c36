package inventory

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// Discovery selects the namespaces that istiod reads: the routes, Services and policies in others do not exist for it.
type Discovery struct {
	// By names what configures it.
	By      string
	selects func(labels map[string]string) (bool, error)
}

// Reads reports whether istiod reads a namespace. One that cannot be decided counts as read.
func (d Discovery) Reads(namespace *loader.Object) bool {
	labels := maps.Clone(namespace.Labels())
	if labels == nil {
		labels = map[string]string{}
	}
	labels["kubernetes.io/metadata.name"] = namespace.ID.Name
	ok, err := d.selects(labels)
	return ok || err != nil
}

// Discoveries are what the configurations of Istio in an environment select (Istio, MeshConfig.discoverySelectors; istio
// pkg/kube/namespace/filter.go, isSelectedLocked): an object of its operators, its own ConfigMap, or values of its chart.
func Discoveries(env *loader.Environment) []Discovery {
	var out []Discovery
	add := func(by string, selectors []*loader.Value, spelled func(string) string) {
		if len(selectors) > 0 {
			out = append(out, Discovery{by, func(labels map[string]string) (bool, error) { return anySelects(selectors, labels, spelled) }})
		}
	}
	as := func(text string) string { return text }
	for _, o := range env.Objects {
		switch o.ID.Kind + "." + o.ID.Group {
		case "Istio.sailoperator.io":
			add(o.ID.Spoken(), o.Spec().List("values", "meshConfig", "discoverySelectors"), as)
		case "IstioOperator.install.istio.io":
			add(o.ID.Spoken(), o.Spec().List("meshConfig", "discoverySelectors"), as)
		case "ConfigMap.":
			if strings.HasPrefix(o.ID.Name, "istio") {
				add(o.ID.Spoken(), inMeshText(o.Root.Str("data", "mesh")), as)
			}
		}
	}
	for _, g := range env.Gaps {
		if g.ChartName() == "istiod" {
			add(g.String(), g.Values.List("meshConfig", "discoverySelectors"), loader.Hashed)
		}
	}
	return out
}

// anySelects reports whether one of several selectors selects labels. In values of charts, texts are spelled in another way.
func anySelects(selectors []*loader.Value, labels map[string]string, spelled func(string) string) (bool, error) {
	own := map[string]string{}
	for key, value := range labels {
		own[key] = spelled(value)
	}
	var undecided error
	for _, one := range selectors {
		ok, err := loader.Selects(one, own)
		if ok && err == nil {
			return true, nil
		}
		undecided = err
	}
	return false, undecided
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
