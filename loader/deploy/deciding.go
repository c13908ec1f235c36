package deploy

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// undeciding are the fields of the spec of a Flux Kustomization or an Application that do not affect what it applies:
// how often and how long it tries, what it waits for afterwards, and how it reports (kustomize-controller,
// api/v1/kustomization_types.go; Argo CD, pkg/apis/application/v1alpha1/types.go).
var undeciding = []string{
	"healthCheckExprs", "healthChecks", "info", "interval", "retryInterval", "revisionHistoryLimit", "timeout", "wait",
}

// Deciding identifies what an object of a deployer says about what is applied: its annotations and its spec, without the fields
// that decide nothing about that.
func Deciding(o *loader.Object) [16]byte {
	v := &loader.Value{Shape: loader.Map}
	if annotations := o.Root.Get("metadata", "annotations"); annotations != nil {
		v.Fields = append(v.Fields, loader.Field{Key: "annotations", Value: annotations})
	}
	for _, f := range o.Spec().FieldList() {
		if !slices.Contains(undeciding, f.Key) {
			v.Fields = append(v.Fields, f)
		}
	}
	return loader.Digest(o.ID, v)
}
