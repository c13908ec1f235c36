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

// immutableChanges returns the fields of a workload that differ although they must not, and those of a Service that must stay.
func immutableChanges(old, o *loader.Object) []schema.Violation {
	if old == nil {
		return nil
	}
	var out []schema.Violation
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
