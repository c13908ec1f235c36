package render

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/schema"
)

// immutable are the fields of workloads that an API server does not let change (Kubernetes pkg/registry/apps, ValidateUpdate of
// Deployments, DaemonSets, ReplicaSets and StatefulSets).
var immutable = map[loader.ID][]string{
	{Group: "apps", Kind: "Deployment"}:  {"selector"},
	{Group: "apps", Kind: "DaemonSet"}:   {"selector"},
	{Group: "apps", Kind: "ReplicaSet"}:  {"selector"},
	{Group: "apps", Kind: "StatefulSet"}: {"selector", "serviceName"},
}

// immutableChanges returns the fields of a workload that differ although they must not, its labels if its selector does not match
// them, and the fields of a Service that must stay.
func immutableChanges(old, o *loader.Object) []schema.Violation {
	var out []schema.Violation
	if at := unselected(o); at != nil {
		out = append(out, schema.Violation{At: at, Path: "spec.template.metadata.labels", Message: "spec.selector does not match them"})
	}
	if old == nil {
		return out
	}
	if losesPorts(old, o) {
		out = append(out, schema.Violation{At: o.Spec(), Path: "spec.ports", Message: "is required"})
	}
	for _, field := range immutable[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] {
		was, is := old.Spec().Get(field), o.Spec().Get(field)
		if was == nil || is == nil || loader.Equal(was, is) || filledIn(was) || filledIn(is) {
			continue
		}
		out = append(out, schema.Violation{At: is, Path: "spec." + field, Message: "is immutable", Transition: true})
	}
	return out
}

// unselected returns the labels of the pods of a workload that its own selector does not select, or nil (Kubernetes
// pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForReplicaSet and similar functions).
func unselected(o *loader.Object) *loader.Value {
	selector, template := o.Spec().Get("selector"), o.Spec().Get("template", "metadata")
	if immutable[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] == nil || selector.IsEmpty() || template == nil || filledIn(selector) || filledIn(template) {
		return nil
	}
	labels := map[string]string{}
	for _, f := range template.Get("labels").FieldList() {
		labels[f.Key] = f.Value.Text
	}
	if ok, err := loader.Selects(selector, labels); ok || err != nil {
		return nil
	}
	if at := template.Get("labels"); at != nil {
		return at
	}
	return template
}

// losesPorts reports whether a Service has no ports any longer, though it is neither headless nor a name (Kubernetes
// pkg/apis/core/validation/validation.go, ValidateService).
func losesPorts(old, o *loader.Object) bool {
	spec := o.Spec()
	return o.ID.Kind == "Service" && o.ID.Group == "" && len(old.Spec().List("ports")) > 0 && (spec.Get("ports").IsNull() || len(spec.List("ports")) == 0 && !filledIn(spec.Get("ports"))) &&
		spec.Str("type") != "ExternalName" && spec.Str("clusterIP") != "None"
}

// filledIn reports whether a text of a value is filled in before it reaches the cluster.
func filledIn(v *loader.Value) bool {
	return v.Shape == loader.String && (v.Opaque || loader.Placeholder(v.Text)) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return filledIn(f.Value) }) || slices.ContainsFunc(v.Items, filledIn)
}
