package kustomize

import (
	"slices"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	schemas "sigs.k8s.io/kustomize/kyaml/yaml/schema"

	"github.com/gwplan/gwplan/loader"
)

// Every list of the kinds that are patched without kustomize is merged by the keys of kustomize's own schemas.
func TestMergeKeysAreThoseOfKustomize(t *testing.T) {
	for apiVersion, kinds := range map[string][]string{
		"apps/v1":              {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"},
		"batch/v1":             {"Job", "CronJob"},
		"v1":                   {"Pod", "Service", "Namespace", "ConfigMap"},
		"networking.k8s.io/v1": {"NetworkPolicy", "Ingress"},
	} {
		for _, kind := range kinds {
			text := func(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }
			of, ok := mergeSchemaOf(&loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "apiVersion", Value: text(apiVersion)}, {Key: "kind", Value: text(kind)}}})
			if !ok {
				t.Errorf("no schema of %s", kind)
			}
			lists := 0
			var walk func(s *openapi.ResourceSchema, path string)
			walk = func(s *openapi.ResourceSchema, path string) {
				if s == nil {
					return
				}
				for field := range s.Schema.Properties {
					walk(s.Field(field), path+"/"+field)
				}
				if len(s.Schema.Type) == 0 || s.Schema.Type[0] != "array" {
					return
				}
				lists++
				var want []string
				if schemas.IsAssociative(s, nil, false) {
					_, want = s.PatchStrategyAndKeyList()
					walk(s.Elements(), path+itemPath)
				}
				if got := of.mergeKeys(path); !slices.Equal(got, want) || (got == nil) != (want == nil) {
					t.Errorf("%s %s: merged by %q, by kustomize %q", kind, path, got, want)
				}
			}
			walk(openapi.SchemaForResourceType(yaml.TypeMeta{APIVersion: apiVersion, Kind: kind}), "")
			if lists == 0 {
				t.Errorf("%s: no lists were compared", kind)
			}
		}
	}
}
