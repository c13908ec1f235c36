package cluster

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"sigs.k8s.io/gateway-api/pkg/consts"
)

// Channel is the channel of the definitions of Gateway API: features of the suite are in both.
const Channel = "experimental"

// AddDefinitions stores the CustomResourceDefinitions of Gateway API as far as the suite reads them: by their names and
// by the release that they are of.
func (s *Store) AddDefinitions() error {
	for _, k := range kinds {
		if k.group != gatewayGroup {
			continue
		}
		definition := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1",
			"kind":       "CustomResourceDefinition",
			"metadata": map[string]any{
				"name":        k.plural + "." + k.group,
				"annotations": map[string]any{consts.BundleVersionAnnotation: consts.BundleVersion, consts.ChannelAnnotation: Channel},
			},
			"spec": map[string]any{
				"group": k.group,
				"names": map[string]any{"kind": k.kind, "plural": k.plural, "singular": strings.ToLower(k.kind)},
			},
		}}
		if _, err := s.Create(definition); err != nil {
			return err
		}
	}
	return nil
}
