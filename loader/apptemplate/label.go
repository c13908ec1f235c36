package apptemplate

import "github.com/gwplan/gwplan/loader"

const (
	// serviceLabel holds the name of the Service on which it is set.
	serviceLabel = "app.kubernetes.io/service"
	// schemeAnnotation sets the scheme that Traefik uses for a Service.
	schemeAnnotation = "traefik.ingress.kubernetes.io/service.serversscheme"
)

// metadata returns the metadata that every object of the chart has (lib/metadata). labels and
// annotations are those that only its kind has.
func (a *naming) metadata(b build, name string, values, labels, annotations *loader.Value) *loader.Value {
	chart := *a.names.chart
	chart.Mark = b.mark
	common := b.object("app.kubernetes.io/instance", a.release.Name, "app.kubernetes.io/managed-by", "Helm",
		"app.kubernetes.io/name", a.names.own, "helm.sh/chart", &chart)
	var l, n layers
	l.over(common, true)
	l.over(a.global("labels"), true)
	l.over(values.Get("labels"), false)
	for _, f := range labels.FieldList() {
		a.unsure(l.has(f.Key) && !a.rules.serviceLabelWins)
	}
	l.over(labels, true)
	n.over(a.global("annotations"), true)
	n.over(values.Get("annotations"), false)
	for _, f := range annotations.FieldList() {
		a.unsure(n.has(f.Key))
	}
	n.over(annotations, true)
	return b.object("name", name, "namespace", a.release.Namespace, "labels", a.labels(b, l), "annotations", a.labels(b, n))
}

// global returns labels or annotations for all objects, evaluated as templates
// (lib/metadata/_globalLabels.tpl).
func (a *naming) global(key string) *loader.Value {
	of := a.values.Get("global", key)
	out := build{}.object()
	for _, f := range of.FieldList() {
		a.unsure(f.Value.Shape != loader.String)
		out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: a.text(f.Value)})
	}
	return out
}

// labels returns fields as the chart writes them. Since 3.2.0, all of them are templates
// (classes/_route.tpl, classes/_service.tpl).
func (a *naming) labels(b build, l layers) *loader.Value {
	if len(l.fields) == 0 {
		return nil
	}
	out := &loader.Value{Shape: loader.Map, Mark: b.mark}
	a.unsure(a.budget.Spend(len(l.fields), 0) != nil)
	for _, f := range l.fields {
		a.unsure(a.bare(b.text(f.Key)).Text != f.Key)
		a.unsure(f.Value.IsNull())
		value := f.Value
		if a.rules.labelTemplates {
			value = a.text(value)
		}
		if a.rules.bareLabels {
			value = a.bare(value)
		}
		out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: value})
	}
	return out
}

// layers are merged fields; later ones override earlier ones.
type layers struct {
	fields []loader.Field
	index  map[string]int
}

func (l *layers) has(key string) bool {
	_, ok := l.index[key]
	return ok
}

// over merges the fields of a map over the existing ones. Without force, an empty value, false or 0
// replaces no existing value, as in sprig's merge.
func (l *layers) over(from *loader.Value, force bool) {
	if l.index == nil {
		l.index = map[string]int{}
	}
	for _, f := range from.FieldList() {
		i, ok := l.index[f.Key]
		switch {
		case !ok:
			l.index[f.Key] = len(l.fields)
			l.fields = append(l.fields, f)
		case force || !zero(f.Value):
			l.fields[i].Value = f.Value
		}
	}
}

func zero(v *loader.Value) bool {
	return v.IsEmpty() || v.Shape == loader.Bool && v.Text == "false" || v.Shape == loader.Int && v.Text == "0"
}
