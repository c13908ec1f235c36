package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// kindOf is a kind in all of its versions.
type kindOf struct{ group, kind string }

// released are the versions that some release of an API has served, by group. A group that is not here may have any.
var released = map[string]struct {
	versions []string
	by       string
}{
	"":                          {[]string{"v1"}, "the API of Kubernetes"},
	"apps":                      {[]string{"v1", "v1beta2", "v1beta1"}, "the API of Kubernetes"},
	"batch":                     {[]string{"v1", "v1beta1", "v2alpha1"}, "the API of Kubernetes"},
	"networking.k8s.io":         {[]string{"v1", "v1beta1", "v1alpha1"}, "the API of Kubernetes"},
	"gateway.networking.k8s.io": {[]string{"v1", "v1beta1", "v1alpha3", "v1alpha2"}, "Gateway API"},
}

// releasedKinds are the versions of kinds of which others of their groups have had more (kubernetes-sigs/network-policy-api apis;
// kubernetes pkg/apis/networking).
var releasedKinds = map[kindOf][]string{
	{"networking.k8s.io", "NetworkPolicy"}:                     {"v1"},
	{"policy.networking.k8s.io", "AdminNetworkPolicy"}:         {"v1alpha1"},
	{"policy.networking.k8s.io", "BaselineAdminNetworkPolicy"}: {"v1alpha1"},
	{"policy.networking.k8s.io", "ClusterNetworkPolicy"}:       {"v1alpha2"},
}

// Unserved reports whether no API server takes an object of a version of a kind: the CRD in the input serves others, or no
// release of the API has had it. by says who serves which versions.
func (s *Set) Unserved(group, version, kind string) (unserved bool, by string) {
	of := released[group]
	versions, who := of.versions, of.by
	if own := releasedKinds[kindOf{group, kind}]; own != nil {
		versions, who = own, cmp.Or(who, "the API of network policies")
	}
	for ; s != nil; s = s.below {
		if list := s.served[kindOf{group, kind}]; list != nil {
			versions, who = list, "the CRD in the input"
			break
		}
	}
	return versions != nil && !slices.Contains(versions, version), who + " serves " + cmp.Or(strings.Join(versions, ", "), "no version")
}

// servedVersions returns the versions of a definition that an API server serves, nil if it has none.
func servedVersions(crd *loader.Value) []string {
	var out []string
	if len(crd.List("spec", "versions")) > 0 {
		out = []string{}
	}
	if version := crd.Str("spec", "version"); version != "" {
		out = append(out, version)
	}
	for _, v := range crd.List("spec", "versions") {
		if name := v.Str("name"); !v.Get("served").IsFalse() && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
