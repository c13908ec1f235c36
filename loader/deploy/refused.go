package deploy

import (
	"iter"
	"regexp"
	"strings"

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

// shapes lists what the API server demands the fields of the spec to be, by group and kind, where something else is easily
// written: in the types of the same projects and of Argo CD (pkg/apis/application/v1alpha1). A path that ends in * is for
// each value of a map.
var shapes = map[string]map[string]map[loader.Shape][]string{
	tree.FluxGroup: {"Kustomization": {
		loader.Bool: {"force", "prune", "suspend", "wait"},
		loader.String: {
			"commonMetadata.annotations.*", "commonMetadata.labels.*", "deletionPolicy", "namePrefix", "nameSuffix", "path", "postBuild.substitute.*",
			"serviceAccountName", "targetNamespace",
		},
		loader.Map:  {"commonMetadata", "decryption", "kubeConfig", "postBuild", "postBuild.substitute", "sourceRef"},
		loader.List: {"components", "dependsOn", "healthChecks", "images", "patches", "postBuild.substituteFrom"},
	}},
	tree.HelmGroup: {"HelmRelease": {
		loader.Bool:   {"persistentClient", "suspend"},
		loader.String: {"releaseName", "serviceAccountName", "storageNamespace", "targetNamespace", "chart.spec.chart", "chart.spec.version"},
		loader.Map:    {"chart", "chart.spec", "chartRef", "install", "kubeConfig", "rollback", "uninstall", "upgrade", "values"},
		loader.List:   {"dependsOn", "postRenderers", "valuesFrom"},
	}},
	tree.FluxSourceGroup: {
		"GitRepository":  {loader.Bool: {"suspend"}, loader.String: {"ignore", "ref.branch", "ref.commit", "ref.tag", "url"}, loader.Map: {"ref", "secretRef"}},
		"OCIRepository":  {loader.Bool: {"insecure", "suspend"}, loader.String: {"ref.semver", "ref.tag", "url"}, loader.Map: {"ref", "secretRef"}},
		"HelmRepository": {loader.Bool: {"suspend"}, loader.String: {"type", "url"}, loader.Map: {"secretRef"}},
	},
	tree.ArgoGroup: {
		KindApplication: {
			loader.String: {"destination.name", "destination.namespace", "destination.server", "project", "source.path", "source.repoURL", "source.targetRevision"},
			loader.Map:    {"destination", "source", "syncPolicy"}, loader.List: {"sources"},
		},
		KindApplicationSet: {
			loader.Bool: {"goTemplate"}, loader.String: {"templatePatch"}, loader.Map: {"syncPolicy", "template"}, loader.List: {"generators", "goTemplateOptions"},
		},
	},
}

var shapeNames = map[loader.Shape]string{
	loader.Bool: "neither true nor false", loader.String: "not a text; quote it", loader.Map: "not a map", loader.List: "not a list",
}

// durations are the fields of the spec of Flux's objects that are durations.
var durations = []string{"interval", "retryInterval", "timeout"}

var duration = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

// refused names the setting because of which the API server refuses an object of a deployer, "" if it accepts the
// object. This is reported only if a change causes it, because a patch that is not followed may complete what a file
// lacks.
func refused(o *loader.Object) (at *loader.Value, setting string) {
	spec := o.Spec()
	for _, field := range required[o.ID.Group][o.ID.Kind] {
		if spec.Get(field) == nil {
			return spec, field + ", which is required"
		}
	}
	written := func(v *loader.Value) bool { return v != nil && !v.Opaque && !tree.Unresolved(v.Text) }
	for _, field := range durations {
		if v := spec.Get(field); o.ID.Group != tree.ArgoGroup && written(v) && !duration.MatchString(v.Text) {
			return v, field + ", which is not a duration"
		}
	}
	demanded := shapes[o.ID.Group][o.ID.Kind]
	for _, shape := range []loader.Shape{loader.Map, loader.List, loader.Bool, loader.String} {
		for _, path := range demanded[shape] {
			for field, v := range fieldsAt(spec, path) {
				if written(v) && v.Shape != shape && v.Shape != loader.Null {
					return v, Clip(field) + ", which is " + shapeNames[shape]
				}
			}
		}
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

// fieldsAt yields the value at a path with its name; the path may end in *.
func fieldsAt(spec *loader.Value, path string) iter.Seq2[string, *loader.Value] {
	return func(yield func(string, *loader.Value) bool) {
		parent, each := strings.CutSuffix(path, ".*")
		if !each {
			yield(path, spec.At(path))
			return
		}
		for _, f := range spec.At(parent).FieldList() {
			if !yield(parent+"."+f.Key, f.Value) {
				return
			}
		}
	}
}
