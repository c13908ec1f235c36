package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	limits "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// APIServer does with a custom resource what the API server does before a controller sees it.
type APIServer struct {
	kinds map[schema.GroupVersionKind]*kind
}

// kind is a version of a CustomResourceDefinition, compiled.
type kind struct {
	shape *structural.Structural
	valid validation.SchemaValidator
	rules *cel.Validator // nil: there are none
}

var documentEnd = regexp.MustCompile(`(?m)^---\s*$`)

// NewAPIServer reads the CustomResourceDefinitions in files; other documents are left alone.
func NewAPIServer(files ...[]byte) (*APIServer, error) {
	s := &APIServer{kinds: map[schema.GroupVersionKind]*kind{}}
	for _, file := range files {
		for _, document := range documentEnd.Split(string(file), -1) {
			var d v1.CustomResourceDefinition
			if err := yaml.Unmarshal([]byte(document), &d); err != nil {
				return nil, err
			}
			if d.Kind != "CustomResourceDefinition" {
				continue
			}
			for _, version := range d.Spec.Versions {
				k, err := compile(version)
				if err != nil {
					return nil, fmt.Errorf("%s %s: %w", d.Name, version.Name, err)
				}
				s.kinds[schema.GroupVersionKind{Group: d.Spec.Group, Version: version.Name, Kind: d.Spec.Names.Kind}] = k
			}
		}
	}
	return s, nil
}

func compile(version v1.CustomResourceDefinitionVersion) (*kind, error) {
	var properties apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, &properties, nil); err != nil {
		return nil, err
	}
	shape, err := structural.NewStructural(&properties)
	if err != nil {
		return nil, err
	}
	valid, _, err := validation.NewSchemaValidator(&properties)
	if err != nil {
		return nil, err
	}
	return &kind{shape: shape, valid: valid, rules: cel.NewValidator(shape, true, limits.PerCallLimit)}, nil
}

// Admit gives an object what the API server sets on each, and prunes, defaults and validates it if its kind is one of
// the definitions. It returns what the API server would say of an object that it refuses.
func (s *APIServer) Admit(o *unstructured.Unstructured) error {
	if o.GetGeneration() == 0 {
		o.SetGeneration(1)
	}
	if o.GetUID() == "" {
		o.SetUID(types.UID(strings.ToLower(o.GetKind()) + "-" + o.GetNamespace() + "-" + o.GetName()))
	}
	if o.GetKind() == "Namespace" {
		labels := o.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["kubernetes.io/metadata.name"] = o.GetName()
		o.SetLabels(labels)
	}
	k := s.kinds[o.GroupVersionKind()]
	if k == nil {
		return nil
	}
	pruning.Prune(o.Object, k.shape, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(o.Object, k.shape)
	defaulting.Default(o.Object, k.shape)
	errs := validation.ValidateCustomResource(nil, o.Object, k.valid)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, k.shape, o.Object)...)
	if k.rules != nil && len(errs) == 0 {
		broken, _ := k.rules.Validate(context.Background(), nil, k.shape, o.Object, nil, limits.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	return errs.ToAggregate()
}

// ModuleFiles are the files of a module that match a pattern: the CustomResourceDefinitions that a controller ships.
// The module must be one of those that the judge is built from, and the current folder the judge's.
func ModuleFiles(module string, patterns ...string) ([][]byte, error) {
	out, err := exec.Command("go", "list", "-m", "-json", module).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %w", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, err
	}
	var files [][]byte
	root := os.DirFS(m.Dir)
	for _, pattern := range patterns {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: no such file", path.Join(m.Dir, pattern))
		}
		for _, name := range names {
			data, err := fs.ReadFile(root, name)
			if err != nil {
				return nil, err
			}
			files = append(files, data)
		}
	}
	return files, nil
}
