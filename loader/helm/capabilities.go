package helm

import "slices"

// Capabilities are the data about the cluster and Helm that templates can read (helm
// pkg/chart/common/capabilities.go).
type Capabilities struct {
	KubeVersion KubeVersion
	APIVersions Versions
	HelmVersion BuildInfo
}

// KubeVersion is the version of Kubernetes.
type KubeVersion struct {
	Version, Major, Minor string
}

// String is the full version.
func (v *KubeVersion) String() string { return v.Version }

// GitVersion is the full version, too.
func (v *KubeVersion) GitVersion() string { return v.Version }

// Versions are the API versions of a cluster.
type Versions []string

// Has reports whether a cluster has an API version, or a kind in one.
func (v Versions) Has(version string) bool { return slices.Contains(v, version) }

// BuildInfo is the data about Helm itself that templates can read (helm
// internal/version/version.go).
type BuildInfo struct {
	Version           string `json:"version,omitempty"`
	GitCommit         string `json:"git_commit,omitempty"`
	GitTreeState      string `json:"git_tree_state,omitempty"`
	GoVersion         string `json:"go_version,omitempty"`
	KubeClientVersion string `json:"kube_client_version"`
}

// Build is the version of Helm that this package follows.
func Build() BuildInfo {
	return BuildInfo{Version: "v4.3", GoVersion: "go1.26", KubeClientVersion: "v1.37"}
}

// BuiltIn returns the API versions of Kubernetes that Helm always assumes to exist
// (capabilities.go, allKnownVersions).
func BuiltIn() Versions {
	return Versions{
		"v1",
		"admissionregistration.k8s.io/v1", "admissionregistration.k8s.io/v1alpha1", "admissionregistration.k8s.io/v1beta1",
		"internal.apiserver.k8s.io/v1alpha1",
		"apps/v1", "apps/v1beta1", "apps/v1beta2",
		"authentication.k8s.io/v1", "authentication.k8s.io/v1alpha1", "authentication.k8s.io/v1beta1",
		"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1",
		"autoscaling/v1", "autoscaling/v2",
		"batch/v1", "batch/v1beta1",
		"certificates.k8s.io/v1", "certificates.k8s.io/v1beta1", "certificates.k8s.io/v1alpha1",
		"coordination.k8s.io/v1alpha2", "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1",
		"discovery.k8s.io/v1", "discovery.k8s.io/v1beta1",
		"events.k8s.io/v1", "events.k8s.io/v1beta1",
		"extensions/v1beta1",
		"flowcontrol.apiserver.k8s.io/v1", "flowcontrol.apiserver.k8s.io/v1beta1", "flowcontrol.apiserver.k8s.io/v1beta2",
		"flowcontrol.apiserver.k8s.io/v1beta3",
		"lifecycle.k8s.io/v1alpha1",
		"networking.k8s.io/v1", "networking.k8s.io/v1beta1",
		"node.k8s.io/v1", "node.k8s.io/v1alpha1", "node.k8s.io/v1beta1",
		"policy/v1", "policy/v1beta1",
		"rbac.authorization.k8s.io/v1", "rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1alpha1",
		"resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3",
		"scheduling.k8s.io/v1alpha3", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1",
		"storage.k8s.io/v1beta1", "storage.k8s.io/v1", "storage.k8s.io/v1alpha1",
		"storagemigration.k8s.io/v1", "storagemigration.k8s.io/v1beta1",
		"apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1",
	}
}
