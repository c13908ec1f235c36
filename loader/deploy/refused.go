package deploy

import (
	"regexp"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// required lists the fields of the spec that the API server demands, by group and kind, in the types of the projects:
// kustomize-controller, helm-controller and source-controller, api/*/*_types.go.
var required = map[string]map[string][]string{
	tree.FluxGroup: {"Kustomization": {"interval", "prune", "sourceRef"}},
	tree.HelmGroup: {"HelmRelease": {"interval"}},
	tree.FluxSourceGroup: {
		"GitRepository": {"interval", "url"}, "OCIRepository": {"interval", "url"}, "Bucket": {"bucketName", "endpoint", "interval"},
		"HelmRepository": {"url"}, "HelmChart": {"chart", "interval", "sourceRef"},
	},
}

var duration = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

// refused says for which setting the API server refuses an object of Flux, "" if it does not. It is told only where a
// change brings it about: a patch that is not followed may complete what a file lacks.
func refused(o *loader.Object) (at *loader.Value, setting string) {
	spec := o.Spec()
	for _, field := range required[o.ID.Group][o.ID.Kind] {
		if spec.Get(field) == nil {
			return spec, field + ", which is required"
		}
	}
	written := func(v *loader.Value) bool { return v != nil && !v.Opaque && !tree.Unresolved(v.Text) }
	if v := spec.Get("interval"); o.ID.Group != tree.ArgoGroup && written(v) && !duration.MatchString(v.Text) {
		return v, "interval, which is no duration"
	}
	if v := spec.Get("prune"); o.ID.Group == tree.FluxGroup && written(v) && v.Shape != loader.Bool {
		return v, "prune, which is neither true nor false"
	}
	if o.ID.Group != tree.HelmGroup {
		return nil, ""
	}
	switch chart, ref := spec.Get("chart"), spec.Get("chartRef"); {
	case (chart == nil) == (ref == nil):
		return spec, "chart, which is required where there is no chartRef"
	case ref != nil && (ref.Get("name") == nil || ref.Get("kind") == nil):
		return ref, "chartRef, which needs kind and name"
	}
	return nil, ""
}
